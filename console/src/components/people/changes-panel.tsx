import ArrowRight from 'lucide-solid/icons/arrow-right';
import { For, Show } from 'solid-js';
import type { Change, createChangePages } from '../../state/change-pages.ts';
import { layerName } from '../../state/change-words.ts';
import { showValue } from '../../state/setting-words.ts';
import { Button } from '../basics/button.tsx';
import { LoadView } from '../basics/load-view.tsx';
import { EmptyNotice } from '../basics/notice.tsx';
import { TimeText } from '../basics/time-text.tsx';

interface ChangesPanelProps {
  readonly pages: ReturnType<typeof createChangePages>;
  /** Who reads, so that their own changes read "You". */
  readonly viewerId: string;
  readonly emptyText: string;
}

/** The audit trail in plain words: who changed what, when, from what to what. */
export function ChangesPanel(props: ChangesPanelProps) {
  return (
    <section aria-label="History">
      <LoadView state={props.pages.state()} onRetry={() => void props.pages.load()}>
        {(changes) => (
          <div class="rounded-lg border border-line bg-surface">
            <Show
              when={changes().list.length > 0}
              fallback={<EmptyNotice title="Nothing has been changed yet" text={props.emptyText} />}
            >
              <ol class="divide-y divide-line">
                <For each={changes().list}>{(change) => <ChangeRow change={change} viewerId={props.viewerId} />}</For>
              </ol>
              <div class="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-2.5 text-sm text-muted sm:px-5">
                <span>
                  {changes().list.length} of {changes().total} {changes().total === 1 ? 'change' : 'changes'}
                </span>
                <span role="alert" class="text-failure empty:hidden">
                  {props.pages.problem()}
                </span>
                <Show when={changes().next}>
                  <Button size="small" disabled={props.pages.busy()} onClick={() => void props.pages.more()}>
                    {props.pages.problem() ? 'Retry' : 'Show older'}
                  </Button>
                </Show>
              </div>
            </Show>
          </div>
        )}
      </LoadView>
    </section>
  );
}

function ChangeRow(props: { readonly change: Change; readonly viewerId: string }) {
  const actor = () => {
    const { actor: person } = props.change;
    if (!person) return 'Someone who is no longer here';
    return person.id === props.viewerId ? 'You' : person.name;
  };
  return (
    <li class="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-4 py-2.5 sm:px-5">
      <p class="min-w-0 wrap-anywhere">
        <span class="font-medium">{actor()}</span>
        <span class="text-muted"> changed </span>
        <span class="font-medium">{props.change.title}</span>
        <span class="text-muted"> ({layerName(props.change.layer)}) </span>
        <span class="inline-flex flex-wrap items-center gap-1.5">
          <span class="text-muted">{showValue(props.change.oldValue)}</span>
          <ArrowRight class="size-3.5 shrink-0 text-faint" aria-label="to" />
          <span class="font-medium">{showValue(props.change.newValue)}</span>
        </span>
      </p>
      <span class="shrink-0 text-sm text-muted">
        <TimeText at={props.change.at} />
      </span>
    </li>
  );
}

import { useSearchParams } from '@solidjs/router';
import ArrowRight from 'lucide-solid/icons/arrow-right';
import GitCompare from 'lucide-solid/icons/git-compare';
import { createSignal, For, Show } from 'solid-js';
import type { Change, createChangePages } from '../../state/change-pages.ts';
import { layerName } from '../../state/change-words.ts';
import { type HistorySource, isHistoryGroup } from '../../state/history.ts';
import { showValue } from '../../state/setting-words.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { LoadView } from '../basics/load-view.tsx';
import { EmptyNotice } from '../basics/notice.tsx';
import { TimeText } from '../basics/time-text.tsx';
import { ComparePanel } from './compare-panel.tsx';
import { RevertDialog } from './revert-dialog.tsx';

const said = words.history;

interface ChangesPanelProps {
  readonly pages: ReturnType<typeof createChangePages>;
  readonly source: HistorySource;
  /** Who reads, so that their own changes read "You". */
  readonly viewerId: string;
  readonly emptyText: string;
}

/** The audit trail in plain words: who changed what, when, from what to what; and the ways back. */
export function ChangesPanel(props: ChangesPanelProps) {
  const [params, setParams] = useSearchParams<Record<'compare' | 'group' | 'from' | 'to', string>>();
  const [reverting, setReverting] = createSignal<Change>();
  const closeCompare = () => setParams({ compare: undefined, group: undefined, from: undefined, to: undefined });

  return (
    <section aria-label={said.label}>
      <LoadView state={props.pages.state()} onRetry={() => void props.pages.load()}>
        {(changes) => (
          <>
            <Show
              when={params.compare === 'yes' && changes().list.length > 0}
              fallback={
                <Show when={changes().list.length > 0}>
                  <div class="mb-3 flex justify-end">
                    <Button size="small" onClick={() => setParams({ compare: 'yes' })}>
                      <GitCompare class="size-4" aria-hidden="true" /> {said.compare}
                    </Button>
                  </div>
                </Show>
              }
            >
              <ComparePanel source={props.source} changes={changes().list} onClose={closeCompare} />
            </Show>
            <div class="rounded-lg border border-line bg-surface">
              <Show
                when={changes().list.length > 0}
                fallback={<EmptyNotice title={said.empty} text={props.emptyText} />}
              >
                <ol class="divide-y divide-line">
                  <For each={changes().list}>
                    {(change) => (
                      <ChangeRow change={change} viewerId={props.viewerId} onRevert={() => setReverting(change)} />
                    )}
                  </For>
                </ol>
                <div class="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-2.5 text-sm text-muted sm:px-5">
                  <span>{said.shown(changes().list.length, changes().total)}</span>
                  <span role="alert" class="text-failure empty:hidden">
                    {props.pages.problem()}
                  </span>
                  <Show when={changes().next}>
                    <Button size="small" disabled={props.pages.busy()} onClick={() => void props.pages.more()}>
                      {props.pages.problem() ? words.frame.retry : said.older}
                    </Button>
                  </Show>
                </div>
              </Show>
            </div>
          </>
        )}
      </LoadView>
      <RevertDialog source={props.source} change={reverting()} onClose={() => setReverting(undefined)} />
    </section>
  );
}

interface ChangeRowProps {
  readonly change: Change;
  readonly viewerId: string;
  readonly onRevert: () => void;
}

function ChangeRow(props: ChangeRowProps) {
  const actor = () => {
    const { actor: person } = props.change;
    if (!person) return said.gone;
    return person.id === props.viewerId ? said.you : person.name;
  };
  return (
    <li class="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2 sm:px-5">
      <p class="min-w-0 wrap-anywhere">
        <span class="font-medium" dir="auto">
          {actor()}
        </span>{' '}
        <span class="text-muted">{said.changed}</span> <span class="font-medium">{props.change.title}</span>{' '}
        <span class="text-muted">{said.layer(layerName(props.change.layer))}</span>{' '}
        <span class="inline-flex flex-wrap items-center gap-1.5">
          <span class="text-muted">{showValue(props.change.oldValue)}</span>
          <ArrowRight class="size-3.5 shrink-0 text-faint" aria-label={said.to} />
          <span class="font-medium">{showValue(props.change.newValue)}</span>
        </span>
      </p>
      <span class="flex shrink-0 items-center gap-3 text-sm text-muted max-sm:w-full max-sm:justify-between">
        <TimeText at={props.change.at} />
        <Show when={isHistoryGroup(props.change.group)}>
          <Button
            size="small"
            variant="ghost"
            aria-label={said.actions(props.change.title, props.change.version)}
            onClick={() => props.onRevert()}
          >
            {said.putBack}
          </Button>
        </Show>
      </span>
    </li>
  );
}

import { A, useSearchParams } from '@solidjs/router';
import CheckCheck from 'lucide-solid/icons/check-check';
import { For, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { createInbox } from '../../state/inbox.ts';
import { toasts } from '../../state/toasts.ts';
import { words } from '../../words.ts';
import { Button, buttonClass } from '../basics/button.tsx';
import { LoadView } from '../basics/load-view.tsx';
import { EmptyNotice } from '../basics/notice.tsx';
import { InboxEntryRow } from './inbox-entry-row.tsx';

/** What waits for the person, newest first. */
export function InboxPanel() {
  const { session, live } = useApp();
  const [search, setSearch] = useSearchParams<{ show: string }>();
  const unseenOnly = () => search.show === 'new';
  const inbox = createInbox(session.client, live, unseenOnly);

  async function act(work: Promise<string | undefined>, done?: string) {
    const problem = await work;
    if (problem !== undefined) toasts.show({ text: problem, tone: 'failure' });
    else if (done !== undefined) toasts.show({ text: done });
  }

  return (
    <section aria-label={words.inbox.title}>
      <div class="mb-3 flex flex-wrap items-center justify-between gap-3">
        <fieldset class="flex rounded-md border border-line bg-surface p-0.5" aria-label={words.inbox.filter}>
          <For each={[false, true]}>
            {(only) => (
              <button
                type="button"
                aria-pressed={unseenOnly() === only}
                class="h-7 rounded px-2.5 font-medium text-muted hover:text-text aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
                onClick={() => setSearch({ show: only ? 'new' : undefined })}
              >
                {only ? words.inbox.unseen : words.inbox.all}
              </button>
            )}
          </For>
        </fieldset>
        <Button size="small" onClick={() => void act(inbox.acknowledge(), words.inbox.acknowledged)}>
          <CheckCheck class="size-3.5" aria-hidden="true" /> {words.inbox.acknowledgeAll}
        </Button>
      </div>
      <LoadView state={inbox.state()} onRetry={() => void inbox.reload()}>
        {(entries) => (
          <div class="rounded-lg border border-line bg-surface">
            <Show when={entries().list.length > 0} fallback={<Empty unseenOnly={unseenOnly()} />}>
              <ol class="divide-y divide-line">
                <For each={entries().list}>
                  {(entry) => (
                    <InboxEntryRow
                      entry={entry}
                      onAcknowledge={() => void act(inbox.acknowledge([entry.id]))}
                      onCancel={() => void act(inbox.cancel(entry.id), words.inbox.cancelled)}
                    />
                  )}
                </For>
              </ol>
              <div class="flex items-center justify-between gap-3 border-t border-line px-4 py-2.5 text-sm text-muted tabular-nums sm:px-5">
                <span>{words.inbox.count(entries().list.length, entries().total)}</span>
                <Show when={entries().next !== undefined}>
                  <Button size="small" aria-disabled={inbox.busy()} onClick={() => inbox.more()}>
                    {words.inbox.older}
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

function Empty(props: { readonly unseenOnly: boolean }) {
  return (
    <Show
      when={props.unseenOnly}
      fallback={
        <EmptyNotice
          title={words.inbox.empty}
          text={words.inbox.emptyText}
          action={
            <A href="/" class={buttonClass('secondary')}>
              {words.inbox.ask}
            </A>
          }
        />
      }
    >
      <EmptyNotice
        title={words.inbox.nothingNew}
        text={words.inbox.nothingNewText}
        action={
          <A href="/inbox" class={buttonClass('secondary')}>
            {words.inbox.showAll}
          </A>
        }
      />
    </Show>
  );
}

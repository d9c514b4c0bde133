import { Menu as ArkMenu } from '@ark-ui/solid/menu';
import { useNavigate, useSearchParams } from '@solidjs/router';
import Archive from 'lucide-solid/icons/archive';
import Ellipsis from 'lucide-solid/icons/ellipsis';
import Pencil from 'lucide-solid/icons/pencil';
import Trash from 'lucide-solid/icons/trash';
import { createSignal, For, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { noteAddress, sectionAddress } from '../../state/knowledge/addresses.ts';
import { createThread } from '../../state/knowledge/thread.ts';
import { toasts } from '../../state/toasts.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { Dialog } from '../basics/dialog.tsx';
import { LoadView } from '../basics/load-view.tsx';
import { EmptyNotice } from '../basics/notice.tsx';
import { StatusPill } from '../basics/status-pill.tsx';
import { LeaveDialog } from '../chat/leave-dialog.tsx';
import { NameDialog } from '../chat/name-dialog.tsx';
import { Menu, menuItemClass } from '../frame/menu.tsx';
import { EntryFields, type EntryKind } from './entry-fields.tsx';
import { ThreadEntryView } from './thread-entry-view.tsx';

interface ThreadViewProps {
  readonly id: string;
  readonly project: string | undefined;
  readonly onChanged: () => void;
}

export function ThreadView(props: ThreadViewProps) {
  const { session } = useApp();
  const navigate = useNavigate();
  const [search] = useSearchParams<{ entry: string }>();
  const thread = createThread(session.client, props.id, toasts, () => props.onChanged());
  const [open, setOpen] = createSignal<'rename' | 'delete'>();
  const [leaving, setLeaving] = createSignal<string>();
  const [problem, setProblem] = createSignal<string>();

  async function remove(title: string) {
    const failed = await thread.remove(title);
    setProblem(failed);
    if (failed !== undefined) return;
    setOpen(undefined);
    navigate(sectionAddress('threads', props.project));
  }

  return (
    <LoadView state={thread.state()} onRetry={() => void thread.reload()}>
      {(loaded) => (
        <Show
          when={loaded().thread}
          fallback={
            <div class="rounded-lg border border-line bg-surface">
              <EmptyNotice title={words.threads.missing} text={words.threads.missingText} />
            </div>
          }
        >
          {(found) => (
            <article aria-labelledby="thread-title" class="rounded-lg border border-line bg-surface">
              <header class="flex flex-wrap items-start justify-between gap-3 border-b border-line px-4 py-3 sm:px-5">
                <div class="min-w-0">
                  <h2 id="thread-title" class="text-lg font-semibold wrap-anywhere" dir="auto">
                    {found().title}
                  </h2>
                  <p class="flex items-center gap-2 text-sm text-muted">
                    {words.threads.entries(found().entryCount)}
                    <Show when={found().archived}>
                      <StatusPill text={words.threads.archived} tone="neutral" />
                    </Show>
                  </p>
                </div>
                <Menu
                  label={words.threads.actions}
                  trigger={<Ellipsis class="size-4" aria-hidden="true" />}
                  onSelect={(value) =>
                    value === 'archive'
                      ? void thread.archive(!found().archived, found().title)
                      : setOpen(value === 'rename' ? 'rename' : 'delete')
                  }
                >
                  <ArkMenu.Item value="rename" class={menuItemClass}>
                    <Pencil class="size-4 text-muted" aria-hidden="true" /> {words.threads.rename}
                  </ArkMenu.Item>
                  <ArkMenu.Item value="archive" class={menuItemClass}>
                    <Archive class="size-4 text-muted" aria-hidden="true" />
                    {found().archived ? words.threads.unarchive : words.threads.archive}
                  </ArkMenu.Item>
                  <ArkMenu.Item value="delete" class={`${menuItemClass} text-failure`}>
                    <Trash class="size-4" aria-hidden="true" /> {words.threads.remove}
                  </ArkMenu.Item>
                </Menu>
              </header>
              <p role="alert" class="px-5 py-2 text-failure empty:hidden">
                {thread.problem()}
              </p>
              <Show when={thread.hasEarlier()}>
                <div class="border-b border-line p-2 text-center">
                  <Button size="small" onClick={() => void thread.showEarlier()}>
                    {words.threads.earlier}
                  </Button>
                </div>
              </Show>
              <ol class="divide-y divide-line">
                <For each={thread.entries()}>
                  {(entry) => (
                    <ThreadEntryView
                      entry={entry}
                      marked={String(entry.number) === search.entry}
                      onLink={setLeaving}
                      onNote={(target) => navigate(noteAddress(target, props.project))}
                    />
                  )}
                </For>
              </ol>
              <AppendForm onAppend={thread.append} />
              <NameDialog
                open={open() === 'rename'}
                title={words.threads.renameTitle}
                field={words.threads.title}
                action={words.knowledge.rename}
                value={found().title}
                onClose={() => setOpen(undefined)}
                onSave={(title) => thread.rename(title, found().title)}
              />
              <Dialog
                open={open() === 'delete'}
                onClose={() => setOpen(undefined)}
                title={words.threads.removeTitle}
                description={words.threads.removeText(found().title, found().entryCount)}
                role="alertdialog"
              >
                <p role="alert" class="mb-3 text-failure empty:hidden">
                  {problem()}
                </p>
                <div class="flex justify-end gap-2">
                  <Button variant="ghost" onClick={() => setOpen(undefined)}>
                    {words.knowledge.deleteCancel}
                  </Button>
                  <Button variant="danger" onClick={() => void remove(found().title)}>
                    {words.knowledge.deleteConfirm}
                  </Button>
                </div>
              </Dialog>
              <LeaveDialog address={leaving()} onClose={() => setLeaving(undefined)} />
            </article>
          )}
        </Show>
      )}
    </LoadView>
  );
}

function AppendForm(props: { readonly onAppend: (kind: EntryKind, text: string) => Promise<string | undefined> }) {
  const [kind, setKind] = createSignal<EntryKind>('THOUGHT');
  const [text, setText] = createSignal('');
  const [problem, setProblem] = createSignal<string>();
  const [busy, setBusy] = createSignal(false);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (busy()) return;
    setBusy(true);
    const failed = await props.onAppend(kind(), text());
    setBusy(false);
    setProblem(failed);
    if (failed === undefined) setText('');
  }

  return (
    <form
      aria-label={words.threads.append}
      class="flex flex-col gap-3 border-t border-line bg-canvas px-4 py-3 sm:px-5"
      novalidate
      onSubmit={(event) => void submit(event)}
    >
      <EntryFields kind={kind()} onKind={setKind} text={text()} onText={setText} />
      <p role="alert" class="text-sm text-failure empty:hidden">
        {problem()}
      </p>
      <div class="flex justify-end">
        <Button type="submit" variant="primary" disabled={busy()}>
          {words.threads.appendAction}
        </Button>
      </div>
    </form>
  );
}

import { useNavigate, useParams, useSearchParams } from '@solidjs/router';
import { createEffect, createSignal, on, onCleanup, Show } from 'solid-js';
import { ComposerView } from '../components/chat/composer-view.tsx';
import { ConversationBar } from '../components/chat/conversation-bar.tsx';
import { ConversationListView } from '../components/chat/conversation-list-view.tsx';
import { ConversationPane } from '../components/chat/conversation-pane.tsx';
import { LookingBack } from '../components/chat/looking-back.tsx';
import { OfflineBanner } from '../components/chat/offline-banner.tsx';
import { OptionsPanel } from '../components/chat/options-panel.tsx';
import { RunMetersView } from '../components/chat/run-meters-view.tsx';
import { TreePanel } from '../components/chat/tree-panel.tsx';
import { Welcome } from '../components/chat/welcome.tsx';
import { useApp, useViewer } from '../state/app-context.ts';
import { ChatContext, createChat } from '../state/chat/chat.ts';
import { type Commanded, readCommand } from '../state/chat/commands.ts';
import { createComposer } from '../state/chat/composer.ts';
import { type ExportFormat, exportConversation } from '../state/chat/export.ts';
import { runCommand } from '../state/chat/run-command.ts';
import { createPlace } from '../state/place.ts';
import { isBehindDialog } from '../state/typing.ts';
import { words } from '../words.ts';

/** Ask, and read: conversations on the left, the open one in the middle, its tree on the right. */
export function AskPage() {
  const { session, live } = useApp();
  const viewer = useViewer();
  const params = useParams<{ conversationId?: string }>();
  const [search, setSearch] = useSearchParams<{ node: string; panel: string }>();
  const navigate = useNavigate();
  const [listOpen, setListOpen] = createSignal(false);
  let field: HTMLTextAreaElement | undefined;

  const chat = createChat(
    { client: session.client, live },
    {
      userId: viewer().id,
      conversationId: () => params.conversationId,
      node: () => search.node,
      go: (conversationId, node) => navigate(addressOf(conversationId, node, search.panel)),
    },
  );
  const composer = createComposer(
    viewer().id,
    () => params.conversationId,
    () => chat.conversation.path().map(({ question }) => question),
  );
  createPlace(
    () => chat.conversation.title() || words.ask.title,
    () => [],
    () => words.ask.title,
  );

  /** What was commanded before counts for what comes after, also when it had to wait for something. */
  let commanding: Promise<void> = Promise.resolve();

  async function submit(text: string) {
    const commanded = readCommand(text);
    composer.write('');
    if (commanded) {
      commanding = commanding.then(() => command(commanded));
      return commanding;
    }
    await commanding;
    const accepted = await chat.send(text.trim());
    if (!accepted && composer.text() === '') composer.write(text);
  }

  async function command(commanded: Commanded): Promise<void> {
    const page = { toggleTree, openLimits: () => navigate('/settings'), export: exportAs };
    const problem = await runCommand(commanded, chat, page).catch((error: unknown) => `${words.failed} ${error}`);
    if (problem !== undefined) chat.fail(problem);
  }

  /** Ask again from an earlier point; before the first exchange that is a new conversation. */
  function branch(parentId: string | null) {
    if (parentId === null) chat.place.go(undefined);
    else chat.place.go(params.conversationId, parentId);
    field?.focus();
  }

  const treeOpen = () => search.panel === 'tree' && params.conversationId !== undefined;
  const toggleTree = () => setSearch({ panel: treeOpen() ? undefined : 'tree' });

  async function exportAs(format: ExportFormat) {
    const problem = await exportConversation(session.client, params.conversationId ?? '', format);
    if (problem !== undefined) chat.fail(`${words.failed} ${problem}`);
  }

  function askExample(question: string, model?: string) {
    if (model !== undefined) chat.options.setModel(model);
    void submit(question);
  }

  function keydown(event: KeyboardEvent) {
    const runId = chat.runningId();
    if (event.key !== 'Escape' || event.defaultPrevented || runId === undefined || isBehindDialog()) return;
    event.preventDefault();
    void chat.stop(runId);
  }
  addEventListener('keydown', keydown);
  onCleanup(() => removeEventListener('keydown', keydown));
  createEffect(
    on(
      () => params.conversationId,
      () => field?.focus({ preventScroll: true }),
    ),
  );

  return (
    <ChatContext.Provider value={chat}>
      <div class="relative flex min-h-0 grow">
        <aside
          aria-label={words.list.label}
          class="z-20 w-64 shrink-0 border-r border-line bg-canvas max-lg:absolute max-lg:inset-y-0 max-lg:left-0 max-lg:hidden max-lg:w-72 max-lg:shadow-raised max-lg:data-open:block"
          data-open={listOpen() ? '' : undefined}
        >
          <ConversationListView onChoose={() => setListOpen(false)} />
        </aside>
        <Show when={listOpen()}>
          <div class="absolute inset-0 z-10 bg-scrim lg:hidden" aria-hidden="true" onClick={() => setListOpen(false)} />
        </Show>
        <div class="flex min-w-0 grow flex-col">
          <ConversationBar
            listOpen={listOpen()}
            onList={() => setListOpen((now) => !now)}
            treeOpen={treeOpen()}
            onTree={toggleTree}
            onExport={(format) => void exportAs(format)}
          />
          <OfflineBanner status={live.status()} />
          <ConversationPane onBranch={branch} welcome={<Welcome onAsk={askExample} />} />
          <div class="shrink-0 border-t border-line bg-canvas">
            <div class="mx-auto flex max-w-4xl flex-col gap-2 px-4 pt-2 pb-3 sm:px-6">
              <Show when={chat.conversation.looksBack()}>
                <LookingBack onNewest={() => setSearch({ node: undefined })} />
              </Show>
              <Show when={chat.runningId() !== undefined && chat.meters()}>
                {(meters) => <RunMetersView meters={meters()} />}
              </Show>
              <ComposerView
                composer={composer}
                onSubmit={(text) => void submit(text)}
                options={<OptionsPanel options={chat.options} />}
                ref={(element) => {
                  field = element;
                }}
              />
            </div>
          </div>
        </div>
        <Show when={treeOpen()}>
          <aside
            aria-label={words.tree.label}
            class="z-20 w-80 max-w-full shrink-0 border-l border-line bg-canvas max-xl:absolute max-xl:inset-y-0 max-xl:right-0 max-xl:shadow-raised"
          >
            <TreePanel onClose={toggleTree} onBranch={branch} />
          </aside>
        </Show>
        <p role="status" class="sr-only">
          {chat.announcement()}
        </p>
      </div>
    </ChatContext.Provider>
  );
}

function addressOf(conversationId: string | undefined, node: string | undefined, panel: string | undefined): string {
  const query = new URLSearchParams({ ...(node ? { node } : {}), ...(panel ? { panel } : {}) }).toString();
  return `${conversationId === undefined ? '/' : `/c/${conversationId}`}${query === '' ? '' : `?${query}`}`;
}

import { ChatConversationDocument, type ChatExchangeFragment } from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { batch, createEffect, createMemo, createSignal, on } from 'solid-js';
import { query } from '../graphql-client.ts';
import { pathTo } from './exchange-path.ts';

export type Exchange = ChatExchangeFragment;

/** How many exchanges come with one request. */
const pageSize = 250;

export type ConversationState =
  | { readonly type: 'none' }
  | { readonly type: 'loading' }
  | { readonly type: 'missing' }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'ready' };

export type Conversation = ReturnType<typeof createConversation>;

/** The conversation that is open: its tree, and the path through it that is looked at. */
export function createConversation(
  client: Client,
  id: () => string | undefined,
  /** The exchange to look at instead of the newest. */
  wantedNode: () => string | undefined,
) {
  const [state, setState] = createSignal<ConversationState>({ type: 'none' });
  const [title, setTitle] = createSignal('');
  const [headId, setHeadId] = createSignal<string | null>(null);
  const [activeRunId, setActiveRunId] = createSignal<string | null>(null);
  const [nodes, setNodes] = createSignal<readonly Exchange[]>([]);
  let latest = 0;

  async function load(now: string | undefined): Promise<void> {
    const mine = ++latest;
    if (now === undefined) return show({ type: 'none' }, empty);
    let pages: readonly Exchange[] = [];
    for (let after: string | undefined; ; ) {
      const answer = await query(client, ChatConversationDocument, { id: now, ...(after ? { after } : {}) });
      if (mine !== latest) return;
      if (answer.type === 'failed') {
        // A refresh that fails leaves what is known.
        if (state().type !== 'ready') setState({ type: 'failed', message: answer.message });
        return;
      }
      const found = answer.data.conversation;
      if (!found) return show({ type: 'missing' }, empty);
      pages = [...pages, ...found.nodes];
      // The end of the path is there at once, however many pages of side branches follow.
      show({ type: 'ready' }, { ...found, nodes: keepKnown(nodes(), pages, found.path) });
      if (found.nodes.length < pageSize) return;
      after = found.nodes.at(-1)?.id;
    }
  }

  function show(next: ConversationState, found: Found) {
    batch(() => {
      setState(next);
      setTitle(found.title);
      setHeadId(found.headId);
      setActiveRunId(found.activeRunId);
      setNodes(found.nodes);
    });
  }

  createEffect(
    on(id, (now) => {
      show({ type: now === undefined ? 'none' : 'loading' }, empty);
      void load(now);
    }),
  );

  const running = createMemo(() => nodes().find(({ runId }) => runId === activeRunId()));
  /** While an answer is being written it is what matters; HEAD moves there when it is done. */
  const newestId = () => running()?.id ?? headId() ?? nodes().at(-1)?.id;
  const shownId = createMemo(() => {
    const wanted = wantedNode();
    return wanted !== undefined && nodes().some((node) => node.id === wanted) ? wanted : newestId();
  });
  const path = createMemo(() => pathTo(nodes(), shownId()));

  return {
    id,
    state,
    title,
    headId,
    nodes,
    path,
    shownId,
    newestId,
    running,
    /** Somewhere else than where the conversation would go on by itself. */
    looksBack: () => shownId() !== newestId(),
    reload: () => load(id()),
  };
}

interface Found {
  readonly title: string;
  readonly headId: string | null;
  readonly activeRunId: string | null;
  readonly nodes: readonly Exchange[];
}

const empty: Found = { title: '', headId: null, activeRunId: null, nodes: [] };

/** The same objects for what did not change, so that nothing on the page is drawn anew. */
function keepKnown(
  known: readonly Exchange[],
  nodes: readonly Exchange[],
  path: readonly Exchange[],
): readonly Exchange[] {
  const byId = new Map(known.map((node) => [node.id, node]));
  const found = [...new Map([...nodes, ...path].map((node) => [node.id, node])).values()];
  return found.map((node) => {
    const before = byId.get(node.id);
    return before && JSON.stringify(before) === JSON.stringify(node) ? before : node;
  });
}

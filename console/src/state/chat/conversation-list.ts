import { ChatConversationsDocument, type ChatConversationsQuery } from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { createSignal, onCleanup } from 'solid-js';
import { type Answer, query } from '../graphql-client.ts';

export interface ConversationSummary {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: string;
  /** The run under way in it, when there is one. */
  readonly activeRunId: string | null;
}

export type ListState =
  | { readonly type: 'loading' }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'ready'; readonly conversations: readonly ConversationSummary[]; readonly more: boolean };

export type ConversationList = ReturnType<typeof createConversationList>;

/** How often other devices are asked after; this browser's own tabs tell each other at once. */
const lookEveryMs = 5_000;
const pageSize = 30;
const mostAtOnce = 100;
const typingPauseMs = 250;

/** A person's conversations, the last used first, with those marked in which an answer is being written. */
export function createConversationList(client: Client, onLoaded: (list: readonly ConversationSummary[]) => void) {
  const [state, setState] = createSignal<ListState>({ type: 'loading' });
  const [search, setSearch] = createSignal('');
  const [wanted, setWanted] = createSignal(pageSize);
  let latest = 0;
  let typing: ReturnType<typeof setTimeout> | undefined;

  function load(first: number, after: string | undefined, words: string): Promise<Answer<ChatConversationsQuery>> {
    const variables = { first, ...(after ? { after } : {}), ...(words === '' ? {} : { search: words }) };
    return query(client, ChatConversationsDocument, variables);
  }

  /** Everything shown so far, page by page, so that a refresh never shortens the list. */
  async function reload(): Promise<void> {
    const mine = ++latest;
    const words = search().trim();
    let found: readonly ConversationSummary[] = [];
    let after: string | undefined;
    for (;;) {
      const answer = await load(Math.min(mostAtOnce, wanted() - found.length), after, words);
      if (mine !== latest) return;
      if (answer.type === 'failed') {
        if (state().type !== 'ready') setState({ type: 'failed', message: answer.message });
        return;
      }
      const { edges, pageInfo } = answer.data.conversations;
      found = [...found, ...edges.map(({ node }) => node)];
      after = pageInfo.endCursor ?? undefined;
      if (!pageInfo.hasNextPage || found.length >= wanted()) {
        const kept = keepKnown(shown(), found);
        setState({ type: 'ready', conversations: kept, more: pageInfo.hasNextPage });
        return onLoaded(kept);
      }
    }
  }

  const reloadIfSeen = () => document.visibilityState === 'visible' && void reload();
  const timer = setInterval(reloadIfSeen, lookEveryMs);
  document.addEventListener('visibilitychange', reloadIfSeen);
  onCleanup(() => {
    clearInterval(timer);
    clearTimeout(typing);
    document.removeEventListener('visibilitychange', reloadIfSeen);
    latest++;
  });
  void reload();

  function shown(): readonly ConversationSummary[] {
    const now = state();
    return now.type === 'ready' ? now.conversations : [];
  }

  return {
    state,
    shown,
    search,
    type(text: string) {
      setSearch(text);
      setWanted(pageSize);
      clearTimeout(typing);
      typing = setTimeout(() => void reload(), typingPauseMs);
    },
    reload,
    showMore() {
      setWanted((now) => now + pageSize);
      void reload();
    },
  };
}

/** The same objects for what did not change, so that the list keeps its focus and its place. */
function keepKnown(
  known: readonly ConversationSummary[],
  found: readonly ConversationSummary[],
): readonly ConversationSummary[] {
  const byId = new Map(known.map((one) => [one.id, one]));
  return found.map((one) => {
    const before = byId.get(one.id);
    const same =
      before?.title === one.title && before.updatedAt === one.updatedAt && before.activeRunId === one.activeRunId;
    return before && same ? before : one;
  });
}

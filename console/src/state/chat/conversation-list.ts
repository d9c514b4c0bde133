import { ChatRecentDocument } from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { createSignal, onCleanup } from 'solid-js';
import { query } from '../graphql-client.ts';

export interface ConversationSummary {
  readonly id: string;
  readonly title: string;
  readonly at: string;
  /** The run under way in it, when there is one. */
  readonly runId: string | undefined;
}

export type ListState =
  | { readonly type: 'loading' }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'ready'; readonly conversations: readonly ConversationSummary[] };

export type ConversationList = ReturnType<typeof createConversationList>;

/** How often other devices are asked after; this browser's own tabs tell each other at once. */
const lookEveryMs = 5_000;

/** A person's conversations, the latest first, with those marked in which an answer is being written. */
export function createConversationList(client: Client, onLoaded: (list: readonly ConversationSummary[]) => void) {
  const [state, setState] = createSignal<ListState>({ type: 'loading' });
  const [search, setSearch] = createSignal('');
  let latest = 0;

  async function reload(): Promise<void> {
    const mine = ++latest;
    const answer = await query(client, ChatRecentDocument, { first: 100 });
    if (mine !== latest) return;
    if (answer.type === 'failed') {
      if (state().type !== 'ready') setState({ type: 'failed', message: answer.message });
      return;
    }
    const conversations = summarise(answer.data.runs.edges.map(({ node }) => node));
    setState({ type: 'ready', conversations });
    onLoaded(conversations);
  }

  const timer = setInterval(() => document.visibilityState === 'visible' && void reload(), lookEveryMs);
  const onVisible = () => document.visibilityState === 'visible' && void reload();
  document.addEventListener('visibilitychange', onVisible);
  onCleanup(() => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onVisible);
    latest++;
  });
  void reload();

  const shown = () => {
    const now = state();
    if (now.type !== 'ready') return [];
    const wanted = search().trim().toLowerCase();
    return wanted === ''
      ? now.conversations
      : now.conversations.filter(({ title }) => title.toLowerCase().includes(wanted));
  };

  return { state, shown, search, setSearch, reload };
}

interface RecentRun {
  readonly id: string;
  readonly status: 'RUNNING' | 'ENDED';
  readonly conversationId: string;
  readonly question: string;
  readonly startedAt: string;
}

/** From runs, newest first: the first question names the conversation, the last tells when. */
function summarise(runs: readonly RecentRun[]): readonly ConversationSummary[] {
  const byId = new Map<string, ConversationSummary>();
  for (const { id, status, conversationId, question, startedAt } of runs) {
    const known = byId.get(conversationId);
    byId.set(conversationId, {
      id: conversationId,
      title: question,
      at: known?.at ?? startedAt,
      runId: known?.runId ?? (status === 'RUNNING' ? id : undefined),
    });
  }
  return [...byId.values()];
}

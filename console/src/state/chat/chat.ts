import { emptyView } from '@oracle-agent/sdk';
import { CancelRunDocument, type WhenBusy } from '@oracle-agent/sdk/documents';
import { createContext, createMemo, createSignal, onCleanup, useContext } from 'solid-js';
import { words } from '../../words.ts';
import { mutate } from '../graphql-client.ts';
import { toasts } from '../toasts.ts';
import { createConversation, type Exchange } from './conversation.ts';
import { type ConversationSummary, createConversationList } from './conversation-list.ts';
import { rememberAsked } from './drafts.ts';
import { createOptions } from './options.ts';
import { createRunFollowers } from './run-follower.ts';
import { createRunMeters } from './run-meters.ts';
import { ask, goOn, type Server, type StartOutcome } from './start-run.ts';
import { createTabs } from './tabs.ts';
import { makeTreeActions } from './tree-actions.ts';
import { makeUndoableActions } from './undoable-actions.ts';

export interface ChatPlace {
  readonly userId: string;
  readonly conversationId: () => string | undefined;
  readonly node: () => string | undefined;
  go(conversationId: string | undefined, node?: string): void;
}

/** A question on its way: asked, but not known to the server yet. */
interface Pending {
  readonly conversationId: string | undefined;
  /** Its exchange, once the server has made it. */
  readonly nodeId?: string;
  readonly parentId: string | undefined;
  readonly question: string;
}

export interface Refused {
  readonly conversationId: string | undefined;
  readonly message: string;
  /** Tries once more, ending what is in the way. */
  readonly replace?: () => void;
}

export type Chat = ReturnType<typeof createChat>;

/** Everything the chat knows and does. */
export function createChat(server: Server, place: ChatPlace) {
  const { client, live } = server;
  const followers = createRunFollowers(live, runEnded);
  const conversation = createConversation(client, place.conversationId, place.node);
  const list = createConversationList(client, noticeOthers);
  const options = createOptions(client);
  const tabs = createTabs(place.userId, (changed) => void refresh(changed));
  const [pending, setPending] = createSignal<Pending>();
  const [refused, setRefused] = createSignal<Refused>();
  const [stopping, setStopping] = createSignal<ReadonlySet<string>>(new Set());
  const [announcement, announce] = createSignal('');
  let lastSeen: ConversationSummary | undefined;
  void options.ready();
  onCleanup(followers.stop);

  /** As soon as its last chunk is there a run is over, even before the conversation was read again. */
  const runningId = createMemo(() => {
    const runId = conversation.running()?.runId;
    return runId === undefined || followers.of(runId).view().ending ? undefined : runId;
  });
  const runningView = createMemo(() => {
    const runId = runningId();
    return runId === undefined ? emptyView : followers.of(runId).view();
  });
  const meters = createRunMeters(client, runningId, runningView);

  /** What is on its way in the conversation that is open, at the place that is looked at. */
  const pendingHere = () => {
    const now = pending();
    if (!now || now.conversationId !== place.conversationId()) return undefined;
    return conversation.nodes().some(({ id }) => id === now.nodeId) ? undefined : now;
  };

  async function refresh(conversationId: string): Promise<void> {
    await Promise.all([list.reload(), conversationId === place.conversationId() ? conversation.reload() : undefined]);
  }

  async function tell(conversationId: string): Promise<void> {
    tabs.tell(conversationId);
    await refresh(conversationId);
  }

  function runEnded(runId: string) {
    const ending = followers.of(runId).view().ending;
    if (runId !== conversation.running()?.runId) return; // a replay of what ended long ago
    if (ending) announce(words.answer.ended(words.endings[ending.reason]));
    const here = place.conversationId();
    if (here !== undefined) void tell(here);
  }

  /** Another device may have asked in the conversation that is open here, or stopped what ran in it. */
  function noticeOthers(summaries: readonly ConversationSummary[]) {
    const here = summaries.find(({ id }) => id === place.conversationId());
    if (!here) return;
    // An answer may have come and gone between two looks.
    const changed = lastSeen?.id === here.id && lastSeen.updatedAt !== here.updatedAt;
    lastSeen = here;
    if (changed || (here.activeRunId ?? undefined) !== conversation.running()?.runId) void conversation.reload();
  }

  /** False when the question was refused, so that it can be put back where it was written. */
  async function send(question: string, whenBusy: WhenBusy = 'REJECT'): Promise<boolean> {
    const conversationId = place.conversationId();
    const parentId = conversation.looksBack() ? conversation.shownId() : undefined;
    rememberAsked(place.userId, question);
    const asked = ask(server, {
      question,
      whenBusy,
      ...(conversationId === undefined ? {} : { conversationId }),
      ...(parentId === undefined ? {} : { nodeId: parentId }),
      ...options.input(),
    });
    return settle({ conversationId, parentId, question }, asked, () => void send(question, 'CANCEL_PREVIOUS'));
  }

  /** Goes on with what a run left, to work on or to answer at once. */
  function resume(how: 'continue' | 'answer', exchange: Exchange, whenBusy: WhenBusy = 'REJECT'): Promise<boolean> {
    const waiting = { conversationId: place.conversationId(), parentId: exchange.id, question: '' };
    const started = goOn(server, how, exchange.runId, whenBusy);
    return settle(waiting, started, () => void resume(how, exchange, 'CANCEL_PREVIOUS'));
  }

  async function settle(waiting: Pending, starting: Promise<StartOutcome>, replace: () => void): Promise<boolean> {
    setRefused(undefined);
    setPending(waiting);
    const outcome = await starting;
    const stillHere = place.conversationId() === waiting.conversationId;
    if (outcome.type === 'refused') {
      setPending(undefined);
      const { message, busyRunId } = outcome;
      setRefused({ conversationId: waiting.conversationId, message, ...(busyRunId ? { replace } : {}) });
      return false;
    }
    announce(words.answer.started);
    followers.of(outcome.runId);
    tabs.tell(outcome.conversationId);
    setPending({ ...waiting, conversationId: outcome.conversationId, nodeId: outcome.nodeId });
    if (stillHere) place.go(outcome.conversationId);
    if (waiting.conversationId !== undefined) void conversation.reload();
    void list.reload();
    return true;
  }

  async function stop(runId: string): Promise<void> {
    setStopping((now) => new Set(now).add(runId));
    const answer = await mutate(client, CancelRunDocument, { runId });
    if (answer.type === 'data') return;
    setStopping((now) => new Set([...now].filter((one) => one !== runId)));
    setRefused({ conversationId: place.conversationId(), message: `${words.failed} ${answer.message}` });
  }

  return {
    place,
    conversation,
    list,
    options,
    followers,
    meters,
    runningId,
    pendingHere,
    announcement,
    refused: () => (refused()?.conversationId === place.conversationId() ? refused() : undefined),
    dismiss: () => setRefused(undefined),
    isStopping: (runId: string) => stopping().has(runId),
    send,
    resume,
    stop,
    actions: makeUndoableActions(makeTreeActions(client, tell), conversation, toasts),
    fail: (message: string) => setRefused({ conversationId: place.conversationId(), message }),
    server,
  };
}

export const ChatContext = createContext<Chat>();

export function useChat(): Chat {
  const chat = useContext(ChatContext);
  if (!chat) throw new Error('useChat needs a ChatContext above it.');
  return chat;
}

import {
  AcknowledgeNoticesDocument,
  CancelNoticeDocument,
  InboxChangedDocument,
  InboxDocument,
  type InboxEntryFragment,
} from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { createEffect, createSignal, on, onCleanup } from 'solid-js';
import { words } from '../words.ts';
import { mutate, query } from './graphql-client.ts';
import type { LiveConnection } from './live-connection.ts';
import type { LoadState } from './load.ts';

export type InboxEntry = InboxEntryFragment;

interface Entries {
  readonly list: readonly InboxEntry[];
  readonly total: number;
  readonly next: string | undefined;
}

const pageSize = 20;
/** The largest page that the server gives. */
const largestPage = 100;

/**
 * What waits for the person who is signed in. Live: what comes in meanwhile appears, and what was seen elsewhere is
 * marked, since a refresh reads as much anew as is shown.
 */
export function createInbox(client: Client, live: LiveConnection, unseenOnly: () => boolean) {
  const [state, setState] = createSignal<LoadState<Entries>>({ type: 'loading' });
  let latest = 0;

  async function load(after?: string): Promise<void> {
    const mine = ++latest;
    const known = state();
    const shown = known.type === 'ready' ? known.data.list : [];
    const first = after === undefined ? Math.min(largestPage, Math.max(pageSize, shown.length)) : pageSize;
    const answer = await query(client, InboxDocument, { first, after, unseenOnly: unseenOnly() });
    if (mine !== latest) return;
    if (answer.type === 'failed') {
      if (known.type !== 'ready') setState(answer);
      return;
    }
    const { edges, pageInfo, totalCount } = answer.data.inbox;
    const nodes = edges.map(({ node }) => node);
    const list = after === undefined ? nodes : [...shown, ...nodes];
    const next = pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined;
    setState({ type: 'ready', data: { list, total: totalCount, next } });
  }

  createEffect(on(unseenOnly, () => void load()));
  onCleanup(live.subscribe(InboxChangedDocument, {}, () => void load()));

  /** Answers why it was not possible, or with nothing. */
  async function acknowledge(ids?: readonly string[]): Promise<string | undefined> {
    const answer = await mutate(client, AcknowledgeNoticesDocument, { ids: ids ? [...ids] : null });
    if (answer.type === 'failed') return answer.message;
    await load();
    return undefined;
  }

  async function cancel(id: string): Promise<string | undefined> {
    const answer = await mutate(client, CancelNoticeDocument, { id });
    if (answer.type === 'failed') return answer.message;
    await load();
    return answer.data.cancelNotice ? undefined : words.inbox.tooLate;
  }

  return { state, load: () => load(), more: (after: string) => load(after), acknowledge, cancel };
}

export type Inbox = ReturnType<typeof createInbox>;

/** How many entries nobody has looked at; live. */
export function createUnseenCount(live: LiveConnection) {
  const [unseen, setUnseen] = createSignal(0);
  onCleanup(live.subscribe(InboxChangedDocument, {}, ({ inboxChanged }) => setUnseen(inboxChanged.unseen)));
  return unseen;
}

/** Only what has not reached an agent yet can be taken back. */
export function canCancel({ kind, deliveredAt }: InboxEntry): boolean {
  return kind === 'NOTICE' && deliveredAt === null;
}

/** In one line: what became of it, or will. */
export function fateOf({ kind, deliveredAt, expiresAt, run }: InboxEntry, tell: (at: string) => string): string {
  if (kind === 'RUN_ENDED') return run?.ending ? words.endings[run.ending.reason] : words.inbox.ended;
  if (deliveredAt !== null) return words.inbox.delivered(tell(deliveredAt));
  return expiresAt === null ? words.inbox.waits : words.inbox.waitsUntil(tell(expiresAt));
}

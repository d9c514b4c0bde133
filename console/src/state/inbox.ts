import {
  AcknowledgeNoticesDocument,
  CancelNoticeDocument,
  InboxChangedDocument,
  InboxDocument,
  type InboxEntryFragment,
} from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { createSignal, onCleanup } from 'solid-js';
import { words } from '../words.ts';
import { mutate, query } from './graphql-client.ts';
import type { LiveConnection } from './live-connection.ts';
import { createPages } from './pages.ts';

export type InboxEntry = InboxEntryFragment;

const pageSize = 20;

/** What waits for the person who is signed in. Live: what comes in meanwhile appears, what was seen elsewhere is marked. */
export function createInbox(client: Client, live: LiveConnection, unseenOnly: () => boolean) {
  const pages = createPages(
    unseenOnly,
    async (only, page) => {
      const answer = await query(client, InboxDocument, { ...page, unseenOnly: only });
      return answer.type === 'failed' ? answer : { type: 'data', data: answer.data.inbox };
    },
    pageSize,
  );
  onCleanup(live.subscribe(InboxChangedDocument, {}, () => void pages.refresh()));

  /** Answers why it was not possible, or with nothing. */
  async function acknowledge(ids?: readonly string[]): Promise<string | undefined> {
    const answer = await mutate(client, AcknowledgeNoticesDocument, { ids: ids ? [...ids] : null });
    if (answer.type === 'failed') return answer.message;
    await pages.refresh();
    return undefined;
  }

  async function cancel(id: string): Promise<string | undefined> {
    const answer = await mutate(client, CancelNoticeDocument, { id });
    if (answer.type === 'failed') return answer.message;
    await pages.refresh();
    return answer.data.cancelNotice ? undefined : words.inbox.tooLate;
  }

  return { ...pages, acknowledge, cancel };
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

/** What it is: of a notice, what it is about, in the words of whoever left it where there are no others. */
export function kindOf({ kind, category }: InboxEntry): string {
  const known: Readonly<Record<string, string>> = words.inbox.categories;
  return kind === 'NOTICE' ? (known[category] ?? `${words.inbox.kinds.NOTICE}: ${category}`) : words.inbox.kinds[kind];
}

/** In one line: what became of it, or will. */
export function fateOf({ kind, deliveredAt, expiresAt, run }: InboxEntry, tell: (at: string) => string): string {
  if (kind === 'RUN_ENDED') return run?.ending ? words.endings[run.ending.reason] : words.inbox.ended;
  if (deliveredAt !== null) return words.inbox.delivered(tell(deliveredAt));
  return expiresAt === null ? words.inbox.waits : words.inbox.waitsUntil(tell(expiresAt));
}

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Thread } from '../store/entities/thread.ts';
import { ThreadEntry } from '../store/entities/thread-entry.ts';
import { BadPageRequest, type Page, type PageRequest, pageSize } from '../store/page.ts';

/** Forwards from the first entry, or backwards from the last one. */
export interface EntryPageRequest extends PageRequest {
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

/** Entries are numbered without gaps, so that a page is a range of numbers. The newest come last either way. */
export async function pageOfEntries(
  em: EntityManager,
  { id, entryCount }: Pick<Thread, 'id' | 'entryCount'>,
  { first, after, last, before }: EntryPageRequest,
): Promise<Page<ThreadEntry>> {
  if (first && last) throw new BadPageRequest('Give first or last, not both.');
  const above = after ? numberOf(after, 'after') : 0;
  const below = before ? numberOf(before, 'before') : entryCount + 1;
  const size = pageSize(last ?? first);
  const start = last ? Math.max(above + 1, below - size) : above + 1;
  const end = Math.min(below - 1, start + size - 1);
  const where = { threadId: id, number: { $gte: start, $lte: end } };
  const found = start > end ? [] : await em.find(ThreadEntry, where, { orderBy: { number: 'asc' } });
  const edges = found.map((node) => ({ cursor: cursorOf(node.number), node }));
  return {
    edges,
    totalCount: entryCount,
    pageInfo: {
      hasNextPage: end < entryCount && end >= 0,
      hasPreviousPage: start > 1,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

function cursorOf(number: number): string {
  return Buffer.from(String(number)).toString('base64url');
}

function numberOf(cursor: string, name: string): number {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new BadPageRequest(`${name} must be a cursor from an earlier page.`);
}

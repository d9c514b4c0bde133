import type { EntityManager } from '@mikro-orm/postgresql';
import { type RankedRow, rankedSql, roundedScore } from '../search/ranked-sql.ts';
import { snippetOf } from '../search/snippet.ts';
import { asked } from '../search/words.ts';
import { Thread } from '../store/entities/thread.ts';
import { ThreadEntry } from '../store/entities/thread-entry.ts';
import type { EntryHit, SeekRequest } from './threads.ts';

/** Finds entries by a question in plain words, best first; the words of a thread's title count for all its entries. */
export async function seekEntries(
  em: EntityManager,
  projectId: string,
  { query, limit, kinds = [], threadId }: SeekRequest,
): Promise<readonly EntryHit[]> {
  const { text, words } = asked(query);
  const rows = await em.execute<RankedRow[]>(seekSql, [
    JSON.stringify(words),
    text,
    projectId,
    JSON.stringify(kinds),
    threadId ?? null,
    limit,
  ]);
  const entries = await byId(em.find(ThreadEntry, { id: { $in: rows.map(({ id }) => id) } }));
  const threadIds = [...new Set([...entries.values()].map((entry) => entry.threadId))];
  const threads = await byId(em.find(Thread, { id: { $in: threadIds } }));
  return rows.flatMap(({ id, passage, marked, score }) => {
    const entry = entries.get(id);
    const thread = entry && threads.get(entry.threadId);
    if (!thread) return [];
    const { text: snippet, highlights } = snippetOf(passage, marked);
    return [{ entry, thread, snippet, highlights, score: roundedScore(score) }];
  });
}

async function byId<Row extends { readonly id: string }>(found: Promise<Row[]>): Promise<ReadonlyMap<string, Row>> {
  return new Map((await found).map((row) => [row.id, row]));
}

const seekSql = rankedSql({
  table: 'thread_entries',
  text: 'text',
  scope: ', array(select json_array_elements_text(?::json)) as kinds, ?::uuid as only_thread',
  filter: '(kinds = array[]::text[] or kind = any (kinds)) and (only_thread is null or thread_id = only_thread)',
});

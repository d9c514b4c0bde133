import type { EntityManager } from '@mikro-orm/postgresql';
import { isIdentifier } from '../access/identifier.ts';
import { entryHash, entryProblems, tidyTitle, titleKey } from './entry-text.ts';
import type { AppendedEntries, NewEntry } from './threads.ts';

/** What became of an entry: its id and number, or nothing when the thread holds it already. */
interface Appended {
  /** Its place in what was given, counted from 1. */
  readonly ordinal: number;
  readonly id: string | null;
  readonly number: number | null;
}

/** Appends valid entries in one statement. Those of threads that do not exist are missing from the answer. */
export function appendEntries(
  em: EntityManager,
  projectId: string,
  entries: readonly NewEntry[],
  { once = false } = {},
): Promise<Appended[]> {
  return em.execute<Appended[]>('select * from append_entries(?, ?::json, ?)', [
    projectId,
    JSON.stringify(entries.map(rowOf)),
    once,
  ]);
}

/**
 * Appends what can be appended of many entries, to any number of threads, and reports the rest. What a thread holds
 * already, word for word, is passed over, so that an import can be repeated. All that is given is held in memory.
 */
export async function appendManyEntries(
  em: EntityManager,
  projectId: string,
  given: readonly NewEntry[],
): Promise<AppendedEntries> {
  const failures: { index: number; message: string }[] = [];
  const valid: { index: number; entry: NewEntry }[] = [];
  for (const [index, entry] of given.entries()) {
    const message = entryProblems(entry)
      .map((problem) => problem.message)
      .join(' ');
    if (message === '') valid.push({ index, entry });
    else failures.push({ index, message });
  }
  const entries = valid.map(({ entry }) => entry);
  const rows = entries.length === 0 ? [] : await appendEntries(em, projectId, entries, { once: true });
  const reached = new Set(rows.map(({ ordinal }) => ordinal));
  for (const [place, { index }] of valid.entries())
    if (!reached.has(place + 1)) failures.push({ index, message: 'There is no such thread.' });
  const added = rows.filter(({ id }) => id !== null);
  return {
    // A thread begins with its first entry.
    threadsCreated: added.filter(({ number }) => number === 1).length,
    appended: added.length,
    unchanged: rows.length - added.length,
    failures: failures.toSorted((one, other) => one.index - other.index),
  };
}

function rowOf(entry: NewEntry) {
  const { threadId, title, kind, author, runId, at } = entry;
  const text = entry.text.toWellFormed();
  return {
    // An id that none can have must not be taken for a title.
    thread: threadId === null || threadId === undefined ? null : isIdentifier(threadId) ? threadId : noThread,
    title: tidyTitle(title ?? ''),
    key: titleKey(title ?? ''),
    kind,
    text,
    author: author?.toWellFormed().replaceAll('\0', '') || null,
    run: runId ?? null,
    at: at?.toISOString() ?? null,
    hash: entryHash({ ...entry, text }),
  };
}

const noThread = '00000000-0000-0000-0000-000000000000';

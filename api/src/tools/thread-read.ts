import { z } from 'zod';
import type { EntryRecord } from '../threads/threads.ts';
import { didYouMean } from './did-you-mean.ts';
import { defineTool } from './tool.ts';

const entriesAtOnce = 30;
/** Below 4 000 tokens: what is longer goes to the Librarian first. */
const longestPart = 12_000;
const longestSnippet = 500;

export const threadRead = defineTool({
  name: 'thread_read',
  description: 'Read the newest entries of a thread, or those from a number on.',
  input: z.object({
    thread: z.string().min(1).max(300).describe('Its title.'),
    fromEntry: z.int().min(1).max(1_000_000).optional(),
  }),
  async run({ thread: wanted, fromEntry }, { projectId, threads, cite, describe }) {
    const outcome = await threads.read(projectId, wanted, { from: fromEntry, limit: entriesAtOnce });
    if (outcome.type === 'missing')
      throw new Error(`There is no thread "${wanted}". ${didYouMean(outcome.nearest, 'Use thread_list.')}`);
    const { title, entryCount } = outcome.thread;
    const entries = fitting(outcome.entries);
    const [first] = entries;
    if (!first) throw new Error(`The thread has only ${entryCount} entries.`);
    describe({ kind: 'entries', count: entries.length });
    cite({
      kind: 'THREAD',
      path: title,
      title,
      line: first.number,
      snippet: first.text.trim().slice(0, longestSnippet).toWellFormed(),
    });
    const next = (entries.at(-1)?.number ?? 0) + 1;
    return {
      thread: title,
      entriesInAll: entryCount,
      entries: entries.map(({ number, kind, text, author, createdAt }) => ({
        number,
        kind,
        text,
        ...(author ? { author } : {}),
        at: createdAt,
      })),
      ...(next <= entryCount ? { next: `Continue with fromEntry ${next}.` } : {}),
    };
  },
});

/** Whole entries as far as they fit; the first is cut when it does not. */
function fitting(entries: readonly EntryRecord[]): readonly EntryRecord[] {
  let room = longestPart;
  let count = 0;
  for (const { text } of entries) {
    room -= text.length;
    if (room < 0) break;
    count += 1;
  }
  const [first] = entries;
  if (count > 0 || !first) return entries.slice(0, count);
  return [{ ...first, text: `${first.text.slice(0, longestPart).toWellFormed()} [entry cut]` }];
}

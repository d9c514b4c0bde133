import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { counted } from '../agent/words.ts';
import { entryProblems } from '../threads/entry-text.ts';
import type { ThreadService } from '../threads/thread-service.ts';
import type { NewEntry } from '../threads/threads.ts';
import type { ImportJob } from './job.ts';
import { showProgress } from './progress.ts';
import { type LineEntry, readJsonLine, readMarkdown } from './thread-lines.ts';

const batchEntries = 500;
const batchCharacters = 2_000_000;

/** The entries of a file, appended to their threads in the order of the file; those that are there are passed over. */
export async function importThreads(job: ImportJob, threads: ThreadService): Promise<string> {
  const { root, projectId, tally, dryRun, signal } = job;
  const name = basename(root);
  const progress = showProgress(job.output, 'Threads (bytes)', (await stat(root)).size);
  let batch: { readonly line: number; readonly entry: NewEntry }[] = [];
  let characters = 0;
  let threadsMade = 0;
  const flush = async () => {
    const entries = batch;
    [batch, characters] = [[], 0];
    if (entries.length === 0) return;
    if (dryRun || projectId === undefined) return rehearse(entries);
    const added = await threads.appendMany(
      projectId,
      entries.map(({ entry }) => entry),
    );
    threadsMade += added.threadsCreated;
    tally.add('created', added.appended);
    tally.add('unchanged', added.unchanged);
    for (const { index, message } of added.failures) tally.fail(`${name}:${entries[index]?.line}`, message);
  };
  try {
    for await (const read of entriesOf(root, (bytes) => progress.advance(bytes))) {
      if (signal.aborted) break;
      if ('problem' in read) {
        tally.fail(`${name}:${read.line}`, read.problem);
        continue;
      }
      batch.push(read);
      characters += read.entry.text.length;
      if (batch.length >= batchEntries || characters >= batchCharacters) await flush();
    }
    await flush();
  } finally {
    progress.end();
  }
  return threadsMade > 0 ? `${counted(threadsMade, 'thread')} begun` : '';

  function rehearse(entries: readonly { readonly line: number; readonly entry: NewEntry }[]): void {
    for (const { line, entry } of entries) {
      const [problem] = entryProblems(entry);
      if (problem) tally.fail(`${name}:${line}`, problem.message);
      else tally.add('created');
    }
  }
}

async function* entriesOf(file: string, advance: (bytes: number) => void): AsyncGenerator<LineEntry> {
  const input = createReadStream(file);
  input.on('data', (bytes) => advance(bytes.length));
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  if (/\.(md|markdown)$/i.test(file)) yield* readMarkdown(lines);
  else {
    let number = 0;
    for await (const line of lines) {
      number += 1;
      const read = readJsonLine(line, number);
      if (read) yield read;
    }
  }
}

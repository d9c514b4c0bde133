import { randomUUID } from 'node:crypto';
import { AgentConfigSchema } from '../src/agent/config.ts';
import { createLogger } from '../src/logger.ts';
import type { StartedRun } from '../src/runs/run-store.ts';
import { createRuns, type Runs } from '../src/runs/runs.ts';
import { followChanges } from '../src/store/changes.ts';
import { openDatabase } from '../src/store/database.ts';
import { median, quantile } from './median.ts';

/** How much later a reader gets a chunk because it is stored first. */
export interface LogDelay {
  readonly streams: number;
  readonly medianMs: number;
  readonly p95Ms: number;
}

/** Real tokens come about so often. */
const paceMs = 20;
const chunksPerStream = 200;
/** The first ones are still being compiled, and connections opened. */
const warmUp = 80;
/** Chunks of a stream, half a second: the median of these windows counts, not the one in which the machine was busy. */
const windowChunks = 24;
const text = 'a word or two ';

/** Streams paced like real tokens, from the moment a chunk is appended to the moment its reader has it. */
export async function measureLogDelay(databaseUrl: string, streamCounts: readonly number[]): Promise<LogDelay[]> {
  const log = createLogger('error');
  const database = await openDatabase(databaseUrl);
  await database.migrate(async () => undefined);
  const changes = await followChanges(databaseUrl, log);
  const runs = await createRuns({ database, changes, log });
  try {
    const userId = randomUUID();
    const person = [userId, `${userId}@example.com`, 'Bench'];
    await database.fork().execute('insert into users (id, email, name) values (?, ?, ?)', person);
    const delays: LogDelay[] = [];
    for (const streams of streamCounts) {
      const started: StartedRun[] = [];
      for (let count = 0; count < streams; count += 1) started.push(await start(runs, userId));
      const measured = await Promise.all(started.map((run) => stream(runs, run)));
      const windows = windowsOf(measured);
      delays.push({
        streams,
        medianMs: median(windows.map(median)),
        p95Ms: median(windows.map((window) => quantile(window, 0.95))),
      });
    }
    return delays;
  } finally {
    await runs.stop();
    await changes.close();
    await database.close();
  }
}

/** The delays of all streams, by when they were measured. */
function windowsOf(measured: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const windows = Math.floor((chunksPerStream - warmUp) / windowChunks);
  return Array.from({ length: windows }, (_, window) =>
    measured.flatMap((delays) => delays.slice(window * windowChunks, (window + 1) * windowChunks)),
  );
}

/** One after the other, before anything is measured: starting runs is another matter. */
async function start(runs: Runs, userId: string): Promise<StartedRun> {
  const started = await runs.store.create({
    userId,
    question: 'Why?',
    model: 'bench',
    decisionTree: 'default',
    config: AgentConfigSchema.parse({}),
    mostAtOnce: 10_000,
  });
  if (started.type !== 'started') throw new Error(`The run did not start: ${started.type}`);
  return started;
}

async function stream(runs: Runs, started: StartedRun): Promise<readonly number[]> {
  const writer = runs.log.open(started);
  const appended: number[] = [];
  const measured: number[] = [];
  const append = () => {
    appended.push(performance.now());
    writer.append({ type: 'ContentChunk', text });
  };
  await new Promise((resolve) => setTimeout(resolve, Math.random() * paceMs)); // not all at the same moment
  const timer = setInterval(append, paceMs);
  for await (const { fromSeq, seq } of runs.log.follow(started.runId, 0)) {
    const now = performance.now();
    for (let each = fromSeq; each <= seq; each += 1) measured.push(now - (appended[each - 1] ?? now));
    if (seq >= chunksPerStream) break;
  }
  clearInterval(timer);
  return measured.slice(warmUp);
}

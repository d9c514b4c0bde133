import { randomUUID } from 'node:crypto';
import { type AgentConfig, AgentConfigSchema } from '../../src/agent/config.ts';
import { type Ending, endingOf } from '../../src/agent/ending.ts';
import { initialState } from '../../src/agent/state.ts';
import type { Decision } from '../../src/agent/steps.ts';
import type { TerminationReason } from '../../src/agent/termination.ts';
import { createLogger } from '../../src/logger.ts';
import type { FollowedChunk } from '../../src/runs/inbox.ts';
import type { LeaseTimes } from '../../src/runs/lease.ts';
import type { NewRun, StartedRun } from '../../src/runs/run-store.ts';
import type { AppendableBody } from '../../src/runs/run-writer.ts';
import { createRuns, type Runs } from '../../src/runs/runs.ts';
import { type ChangeFeed, followChanges } from '../../src/store/changes.ts';
import { openDatabase } from '../../src/store/database.ts';
import { decodeText } from '../../src/store/exact-text.ts';
import { createTestDatabase, type TestDatabase } from '../kit/test-database.ts';

export interface RunServer extends Runs {
  readonly changes: ChangeFeed;
}

/** A database with one person, and as many servers on it as a test wants. */
export interface RunKit {
  readonly database: TestDatabase;
  readonly userId: string;
  newUser(): Promise<string>;
  newServer(times?: Partial<LeaseTimes>): Promise<RunServer>;
  stop(): Promise<void>;
}

const never = 1_000_000;

/** Dead after a fifth of a second; for tests that wait for it. */
export const quickTimes: LeaseTimes = { heartbeatMs: 40, leaseMs: 200, sweepMs: 40, watchMs: 100, orphanMs: never };
/** One sign of life and no more: as good as killed, as soon as another server looks for the dead. */
export const doomedTimes: LeaseTimes = { ...quickTimes, heartbeatMs: never, sweepMs: never };
/** Nobody is ever found dead. */
const patientTimes = { heartbeatMs: 500, leaseMs: never, sweepMs: never, watchMs: never, orphanMs: never };
export const config: AgentConfig = AgentConfigSchema.parse({});

export async function startRunKit(): Promise<RunKit> {
  const database = await createTestDatabase();
  const log = createLogger('silent');
  const opened = await openDatabase(database.url);
  await opened.migrate(async () => undefined);
  const stops: (() => Promise<void>)[] = [];

  async function newUser(): Promise<string> {
    const id = randomUUID();
    await database.query('insert into users (id, email, name) values ($1, $2, $3)', [id, `${id}@example.com`, 'Ada']);
    return id;
  }

  return {
    database,
    userId: await newUser(),
    newUser,
    async newServer(times) {
      const changes = await followChanges(database.url, log);
      const runs = await createRuns({ database: opened, changes, log, times: { ...patientTimes, ...times } });
      const server = { ...runs, changes };
      stops.push(async () => {
        await server.stop();
        await changes.close();
      });
      return server;
    },
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
      await opened.close();
      await database.drop();
    },
  };
}

export function newRun(userId: string, more: Partial<NewRun> = {}): NewRun {
  return { userId, question: 'Why?', model: 'offline', decisionTree: 'default', config, mostAtOnce: 5, ...more };
}

/** Starts a run that the test takes for granted. */
export async function startRun(server: Runs, userId: string, more: Partial<NewRun> = {}): Promise<StartedRun> {
  const outcome = await server.store.create(newRun(userId, more));
  if (outcome.type !== 'started') throw new Error(`The run did not start: ${outcome.type}`);
  return outcome;
}

/** A conversation as it is stored. */
export async function conversationOf({ database }: RunKit, id: string) {
  const [row] = await database.query<{ title: string; headId: string | null }>(
    'select title, head_id as "headId" from conversations where id = $1',
    [id],
  );
  return row && { ...row, title: decodeText(row.title) };
}

/** All exchanges of a conversation, oldest first, with their tool calls and sources. */
export async function exchangesOf({ store }: Runs, conversationId: string) {
  const exchanges = await store.exchanges.page(conversationId, 100);
  return Promise.all(exchanges.map(async (exchange) => ({ ...exchange, ...(await store.exchanges.work(exchange)) })));
}

export function content(text: string): AppendableBody {
  return { type: 'ContentChunk', text };
}

export function endingWith(reason: TerminationReason): Ending {
  const state = { ...initialState({ userId: 'u', projectId: 'p', config, now: 0 }), turn: 1, now: 12 };
  return endingOf(state, { reason, unfinishedTools: [], saved: { contentCharacters: 0, toolCalls: 0, sources: 0 } });
}

export function decisionAt(turn: number, goesOn = true): Decision {
  const verdict: Decision['verdict'] = goesOn
    ? { continue: true }
    : { continue: false, reason: 'COMPLETED', detail: {} };
  return {
    turn,
    now: turn,
    tokens: 100 * turn,
    verdict,
    evaluations: [{ reason: 'TOKEN_BUDGET', value: 900, limit: 5_000, fired: false }],
  };
}

export async function collect(chunks: AsyncIterable<FollowedChunk>, most = Infinity): Promise<FollowedChunk[]> {
  const collected: FollowedChunk[] = [];
  for await (const chunk of chunks) {
    collected.push(chunk);
    if (collected.length >= most) break;
  }
  return collected;
}

export function textOf(chunks: readonly FollowedChunk[]): string {
  return chunks.map((chunk) => (chunk.type === 'ContentChunk' ? chunk.text : '')).join('');
}

export function seqsOf(chunks: readonly FollowedChunk[]): number[] {
  return chunks.flatMap(({ fromSeq, seq }) => Array.from({ length: seq - fromSeq + 1 }, (_, index) => fromSeq + index));
}

/** 1, 2, 3… */
export function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from './kit/client.ts';
import { countdown } from './kit/countdown.ts';
import type { TestUser } from './kit/kit.ts';
import { overSse, overWebSocket } from './kit/live.ts';
import { randomNumbers } from './kit/random-numbers.ts';
import { buildServer, ServerFolder } from './kit/server-process.ts';
import { createTestDatabase, type TestDatabase } from './kit/test-database.ts';
import { type Chunk, chunksOf } from './oracle/kit/chunks.ts';
import { askOver, followOver, type Stream } from './oracle/kit/stream.ts';
import { expectNumbered, expectReplayed, readConversation, readRun, textOf } from './oracle/kit/told.ts';

/** Fifty-two kills in all, each with five runs under way; a few end before it, or are not even begun. */
const kills = 13;
const models = ['simulated/long', 'simulated/think', 'simulated/busy', 'simulated/long', 'simulated/long'] as const;
/** Servers, each with a database of its own, that are killed side by side. */
const seeds = [1, 2, 3, 4];
const fewest = 100;
/** From the next start to the end of the runs that were broken off. */
const promise = 5_000;
/** So many chunks, of all runs together, are seen at most before a kill: about a second's worth. */
const mostSeen = 200;
const token = 'the-token-of-the-kill-test';

interface Reader {
  readonly stream: Stream;
  /** Settles when the connection ends, whichever way. */
  readonly ended: Promise<void>;
}

let folder: ServerFolder;
beforeAll(async () => {
  await buildServer();
  folder = new ServerFolder();
});
afterAll(() => folder.dispose());

describe(`servers that are killed ${kills * seeds.length} times with ${models.length} runs under way`, () => {
  let broken = 0;

  it.concurrent.for(seeds)(
    'have every chunk that a reader saw, and end what was broken off (seed %i)',
    { timeout: 600_000 },
    async (seed) => {
      const database = await createTestDatabase();
      const random = randomNumbers(seed);
      let readers: readonly Reader[] = [];
      let killed = 0;

      for (let kill = 0; kill <= kills; kill += 1) {
        const environment = { DATABASE_URL: database.url, ORACLE_ADMIN_TOKEN: token, ORACLE_LOG_LEVEL: 'error' };
        const server = folder.start(environment);
        const url = await server.ready;
        const user = userOf(url);
        const ends = await Promise.all(readers.map(({ stream }) => checkBroken(url, user, stream.chunks, killed)));
        if (kill === kills) {
          await expectNextWorks(
            url,
            user,
            ends.flatMap((end) => end?.conversationId ?? []),
          );
          expect(await server.end('SIGTERM')).toBe(0);
          break;
        }
        const seen = countdown(Math.floor(random() * mostSeen));
        readers = models.map((model, index) => read(url, user, model, ends[index]?.conversationId, index, seen.count));
        await Promise.race([seen.reached, Promise.all(readers.map(({ ended }) => ended))]);
        killed = Date.now();
        expect(await server.end('SIGKILL')).toBe('SIGKILL');
        await Promise.all(readers.map(({ ended }) => ended));
      }

      await expectWholeLogs(database);
      const interrupted = await database.query(`select 1 from runs where reason = 'INTERRUPTED'`);
      broken += interrupted.length;
      await database.drop();
    },
  );

  it(`at least ${fewest} of the runs were broken off`, () => {
    expect(broken).toBeGreaterThanOrEqual(fewest);
  });
});

/** Reads in the background until the connection breaks. Half of them over each transport. */
function read(
  url: string,
  user: TestUser,
  model: string,
  conversationId: string | undefined,
  index: number,
  onChunk: () => void,
): Reader {
  const transport = index % 2 === 0 ? overWebSocket : overSse;
  const stream = askOver({ url, user, transport }, { model, ...(conversationId ? { conversationId } : {}) });
  const readOn = async () => {
    while (await stream.next()) onChunk();
    await stream.stop();
  };
  const ended = readOn().catch(() => undefined);
  return { stream, ended };
}

/** What was seen is still there, unchanged; the run has one end, and what it had produced can be read. */
async function checkBroken(url: string, user: TestUser, streamed: readonly Chunk[], killed: number) {
  const started = Date.now();
  const last = streamed.at(-1)?.seq ?? 0;
  const runId = streamed[0]?.runId;
  if (runId === undefined) return undefined; // nobody saw anything of it
  const rest = await followOver({ url, user }, runId, last).toEnd();
  const replay = await followOver({ url, user }, runId, 0).toEnd();
  const done = replay.at(-1);
  if (done?.__typename !== 'DoneChunk') throw new Error(`Run ${runId} has no end.`);
  const { conversationId, nodeId, ending, at } = done;
  const conversation = await readConversation(user, conversationId);

  expectNumbered(replay);
  expectReplayed(
    streamed,
    replay.filter(({ seq }) => seq <= last),
  );
  expect(replay.filter(({ seq }) => seq > last)).toEqual(rest);
  expect(chunksOf(replay, 'DoneChunk')).toHaveLength(1);
  expect(await readRun(user, runId)).toMatchObject({ status: 'ENDED', ending, lastSeq: done.seq });
  expect(conversation.headId).toBe(nodeId);
  expect(conversation.path.at(-1)).toMatchObject({ runId, answer: textOf(replay), ending });
  expect(Date.parse(at) - started).toBeLessThanOrEqual(promise);
  if (Date.parse(at) > killed) expect(ending.reason).toBe('INTERRUPTED');
  return { conversationId };
}

async function expectNextWorks(url: string, user: TestUser, conversations: readonly string[]) {
  for (const conversationId of conversations) {
    const chunks = await askOver({ url, user }, { model: 'simulated/answer', conversationId }).toEnd();
    expect(chunks.at(-1)).toMatchObject({ terminationReason: 'COMPLETED', conversationId });
  }
}

/** Also of the runs of which nobody saw anything. */
async function expectWholeLogs(database: TestDatabase): Promise<void> {
  const faulty = await database.query(`
    select r.id, r.status, count(c.seq), max(c.seq) from runs r left join run_chunks c on c.run_id = r.id
    group by r.id, r.status
    having r.status <> 'ENDED' or count(c.seq) <> max(c.seq) or count(*) filter (where c.type = 'DoneChunk') <> 1
      or max(c.seq) <> max(c.seq) filter (where c.type = 'DoneChunk')`);
  expect(faulty).toEqual([]);
  const untold = await database.query(`
    select id, reason from runs where reason is distinct from (
      select payload::json ->> 'reason' from run_events
      where run_id = runs.id and name = 'session.end' and agent is null order by number desc limit 1)`);
  expect(untold).toEqual([]);
  const unfinished = await database.query(`
    select run_id, agent, turn from run_events group by run_id, agent, turn
    having count(*) filter (where name = 'agent.turn.start') <> count(*) filter (where name = 'agent.turn.end')
      or count(*) filter (where name = 'model.call.start') <> count(*) filter (where name = 'model.call.end')
      or count(*) filter (where name = 'tool.call.pending')
        <> count(*) filter (where name in ('tool.call.success', 'tool.call.failure', 'tool.call.timeout', 'tool.call.not_run'))`);
  expect(unfinished).toEqual([]);
}

function userOf(url: string): TestUser {
  return { ...createClient(url, token), id: '', email: '', token, tokenId: '' };
}

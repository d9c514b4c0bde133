import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunEnd, RunEnds } from '../../src/runs/run-ends.ts';
import type { StartedRun } from '../../src/runs/run-store.ts';
import { openSql, type Sql } from '../../src/store/sql.ts';
import { collect, conversationOf, endingWith, type RunKit, type RunServer, startRun, startRunKit } from './run-kit.ts';

let kit: RunKit;
let server: RunServer;
let sql: Sql;
beforeAll(async () => {
  kit = await startRunKit();
  server = await kit.newServer();
  sql = openSql(kit.database.url, 4);
});
afterAll(async () => {
  await sql.close();
  await kit.stop();
});

/** With the number of ends in each statement that it sends. */
function createEnds() {
  const statements: number[] = [];
  const counting: Sql = {
    query: (name, text, values) => {
      statements.push(JSON.parse(String(values[0])).length);
      return sql.query(name, text, values);
    },
    close: () => sql.close(),
  };
  return { ends: new RunEnds(counting, server.serverId, new AbortController().signal), statements };
}

function endOf({ runId }: StartedRun, more: Partial<RunEnd> = {}): RunEnd {
  const ending = endingWith('COMPLETED');
  return {
    runId,
    reason: 'COMPLETED',
    ending: JSON.stringify(ending),
    turns: 1,
    tokens: 2,
    at: new Date().toISOString(),
    seq: 1,
    doneBody: JSON.stringify({ type: 'DoneChunk', terminationReason: 'COMPLETED', ending }),
    answer: `Of ${runId}: "yes"\n`,
    partial: false,
    toolCalls: '[]',
    sources: '[]',
    durationMs: 12,
    warned: 0,
    course: { tokens: [0, 2], needed: [900, 918], elapsedMs: [0, 12], calls: [0] },
    ...more,
  };
}

const startSome = (count: number) =>
  Promise.all(Array.from({ length: count }, async () => startRun(server, await kit.newUser())));

describe('runs that end at the same time', () => {
  it('end in one statement, each with its own answer, chunk and HEAD', async () => {
    const { ends, statements } = createEnds();
    const runs = await startSome(3);
    const ended = await Promise.all(runs.map((run) => ends.end(endOf(run))));

    expect(ended).toEqual(runs.map(() => ({ ended: true, noted: true })));
    expect(statements).toEqual([3]);
    for (const run of runs) {
      expect(await collect(server.log.follow(run.runId, 0))).toMatchObject([{ type: 'DoneChunk', seq: 1 }]);
      expect(await conversationOf(kit, run.conversationId)).toMatchObject({ headId: run.nodeId });
      expect(await server.store.exchanges.page(run.conversationId, 1)).toMatchObject([
        { answer: `Of ${run.runId}: "yes"\n`, partial: false },
      ]);
    }
  });

  it('end without the one that another server has taken over, which is told so', async () => {
    const { ends } = createEnds();
    const runs = await startSome(2);
    await kit.database.query('update runs set owner = gen_random_uuid() where id = $1', [runs[0]?.runId]);
    const ended = await Promise.all(runs.map((run) => ends.end(endOf(run))));

    expect(ended.map((each) => each.ended)).toEqual([false, true]);
    expect(await server.store.lastSeqs(runs.map(({ runId }) => runId))).toEqual(
      new Map(runs.map(({ runId }, place) => [runId, place])),
    );
  });

  it('end without the one that the database refuses', async () => {
    const { ends } = createEnds();
    const runs = await startSome(3);
    await kit.database.query(
      `insert into run_chunks (run_id, seq, at, type, body) values ($1, 1, now(), 'ContentChunk', '{}')`,
      [runs[1]?.runId],
    );
    const ended = await Promise.allSettled(runs.map((run) => ends.end(endOf(run))));

    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('end by themselves when nobody reads them, and go into the inboxes of their people', async () => {
    const { ends, statements } = createEnds();
    const runs = await startSome(2);
    await Promise.all(runs.map((run) => ends.end(endOf(run, { unwatched: true }))));

    expect(statements).toEqual([1, 1]);
    const noted = await kit.database.query<{ run_id: string }>(
      `select run_id from notices where kind = 'RUN_ENDED' and run_id = any($1::uuid[])`,
      [runs.map(({ runId }) => runId)],
    );
    expect(noted).toHaveLength(2);
  });
});

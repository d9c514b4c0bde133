import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { announcements, insertEntries, type LogEntry } from '../../src/runs/log-statements.ts';
import { endRuns, type RunEnd } from '../../src/runs/run-ends.ts';
import type { StartedRun } from '../../src/runs/run-store.ts';
import { openSql, type Sql } from '../../src/store/sql.ts';
import { collect, endingWith, type RunKit, type RunServer, seqsOf, startRun, startRunKit, upTo } from './run-kit.ts';

let kit: RunKit;
let server: RunServer;
let sql: Sql;

beforeAll(async () => {
  kit = await startRunKit();
  server = await kit.newServer();
  sql = openSql(kit.database.url, 2);
});
afterAll(async () => {
  await sql.close();
  await kit.stop();
});

function entry(run: StartedRun, seq: number): LogEntry<StartedRun> {
  const { runId } = run;
  const at = new Date().toISOString();
  const chunk = { runId, seq, fromSeq: seq, at, type: 'ContentChunk', text: `${seq}` } as const;
  return { log: run, json: `{"type":"ContentChunk","text":"${seq}"}`, held: { chunk, size: 40 }, decision: undefined };
}

function endOf(run: StartedRun, seq: number): RunEnd {
  const ending = endingWith('COMPLETED');
  return {
    runId: run.runId,
    reason: 'COMPLETED',
    ending: JSON.stringify(ending),
    turns: 1,
    tokens: 2,
    at: new Date().toISOString(),
    seq,
    doneBody: JSON.stringify({ type: 'DoneChunk', terminationReason: 'COMPLETED', ending }),
    answer: '',
    partial: false,
    toolCalls: '[]',
    sources: '[]',
    durationMs: 12,
    warned: 0,
    course: { tokens: [0, 2], needed: [900, 918], elapsedMs: [0, 12], calls: [0] },
  };
}

describe('when the answer of the database was lost on the way', () => {
  it('storing again changes nothing', async () => {
    const run = await startRun(server, kit.userId);
    const entries = [1, 2, 3].map((seq) => entry(run, seq));
    const first = await insertEntries(sql, server.serverId, entries);
    const again = await insertEntries(sql, server.serverId, [...entries, entry(run, 4)]);

    expect(first).toMatchObject([{ id: run.runId, cancelled: false }]);
    expect(again).toEqual(first);
    expect(seqsOf(await collect(server.log.follow(run.runId, 0), 4))).toEqual(upTo(4));
  });

  it('ending again is still this server’s end, and nobody else’s', async () => {
    const run = await startRun(server, kit.userId);
    const end = endOf(run, 1);
    const endBy = async (serverId: string) => (await endRuns(sql, serverId, [end])).get(end)?.ended;
    const answers = [await endBy(server.serverId), await endBy(server.serverId), await endBy(randomUUID())];

    expect(answers).toEqual([true, true, false]);
    expect(seqsOf(await collect(server.log.follow(run.runId, 0)))).toEqual([1]);
  });

  it('starting again says again what was said', async () => {
    const run = await startRun(server, kit.userId);
    const [row] = await kit.database.query<{ outcome: string; run_id: string }>(
      `select * from start_run($1, gen_random_uuid(), gen_random_uuid(), $2, $3, null, null, null,
        'q', 't', 'm', 'd', '{}', null, 1, 'ASK')`,
      [run.runId, server.serverId, kit.userId],
    );

    expect(row).toMatchObject({ outcome: 'started', run_id: run.runId });
  });
});

describe('an announcement', () => {
  it('of many runs is split, because PostgreSQL refuses long ones', () => {
    const reaches = Array.from({ length: 1_000 }, (_, index) => [randomUUID(), 2_000_000_000 + index] as const);
    const texts = announcements(randomUUID(), reaches);

    expect(texts.every((text) => Buffer.byteLength(text) < 8_000)).toBe(true);
    expect(texts.flatMap((text) => JSON.parse(text).runs)).toEqual(reaches);
  });
});

describe('a takeover that has not committed yet', () => {
  it('makes chunks wait, and then turns them away', async () => {
    const run = await startRun(server, kit.userId);
    const other = new pg.Client({ connectionString: kit.database.url });
    await other.connect();
    await other.query('begin');
    await other.query('update runs set owner = gen_random_uuid() where id = $1', [run.runId]);
    const inserting = insertEntries(sql, server.serverId, [entry(run, 1)]);
    const waiting = `select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await other.query(waiting)).rowCount === 0);
    await other.query('commit');
    await other.end();

    expect(await inserting).toEqual([]);
    expect(await server.store.lastSeqs([run.runId])).toEqual(new Map([[run.runId, 0]]));
  });
});

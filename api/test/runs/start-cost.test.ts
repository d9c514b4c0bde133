import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentConfigSchema } from '../../src/agent/config.ts';
import { insertEntries } from '../../src/runs/log-statements.ts';
import { RunStarts } from '../../src/runs/run-starts.ts';
import type { Sql } from '../../src/store/sql.ts';
import { createTestDatabase, type TestDatabase } from '../kit/test-database.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('set plan_cache_mode = force_generic_plan'); // as after the first few runs
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

async function addPerson(): Promise<string> {
  const id = randomUUID();
  await client.query('insert into users (id, email, name) values ($1, $2, $3)', [id, `${id}@example.com`, 'Ada']);
  return id;
}

async function start(userId: string, { conversationId, key }: { conversationId?: string; key?: string } = {}) {
  const [runId, nodeId, newConversationId] = [randomUUID(), randomUUID(), randomUUID()];
  const { rows } = await client.query(
    `select outcome, run_id, conversation_id
     from start_run($1, $2, $3, $4, $5, $6, null, null, 'Why?', 'Why?', 'model', 'default', '{}', $7, 1000, 'ASK')`,
    [runId, nodeId, newConversationId, randomUUID(), userId, conversationId, key],
  );
  return rows[0] as { readonly outcome: string; readonly run_id: string; readonly conversation_id: string };
}

/** How many rows of the table of runs it looks at. */
async function rowsRead(work: () => Promise<unknown>): Promise<number> {
  await client.query('begin'); // what was counted before stays apart until the end
  const before = await readSoFar();
  await work();
  const after = await readSoFar();
  await client.query('commit');
  return after - before;
}

async function readSoFar(): Promise<number> {
  const { rows } = await client.query(
    `select seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_xact_user_tables where relname = 'runs'`,
  );
  return Number(rows[0]?.read);
}

describe('starting a run in a database that is new', () => {
  it('looks at none of the runs that the person has and at none that are under way elsewhere', async () => {
    const [person, others] = [await addPerson(), await addPerson()];
    for (let count = 0; count < 20; count += 1) await start(person);
    await client.query(`update runs set status = 'ENDED', reason = 'COMPLETED'`);
    for (let count = 0; count < 20; count += 1) await start(others);

    expect(await rowsRead(() => start(person))).toBe(0);
    expect(await rowsRead(() => start(person, { key: 'a key of its own' }))).toBeLessThanOrEqual(1);
  });

  it('looks at the one that is under way in the conversation, and at that with the same key', async () => {
    const person = await addPerson();
    const { conversation_id: conversationId, run_id: runId } = await start(person, { key: 'once' });

    expect(await start(person, { conversationId })).toMatchObject({ outcome: 'busy', run_id: runId });
    expect(await start(person, { key: 'once' })).toMatchObject({ outcome: 'joined', run_id: runId });
    expect(await start(await addPerson(), { key: 'once' })).toMatchObject({ outcome: 'started' });
  });
});

describe('waiting for the disk', () => {
  /** On the one connection, whose transaction can be looked at before it ends. */
  const sql: Sql = {
    query: async (name, text, values) => (await client.query({ name, text, values: [...values] })).rows,
    close: async () => undefined,
  };

  async function waitsAfter(work: () => Promise<unknown>): Promise<string> {
    await client.query('begin');
    await work();
    const { rows } = await client.query('show synchronous_commit');
    await client.query('commit');
    return rows[0]?.synchronous_commit;
  }

  it('is left by the start of a run to its first chunk, which nobody sees before it is there', async () => {
    const [userId, serverId, runId] = [await addPerson(), randomUUID(), randomUUID()];
    const starts = new RunStarts(sql, serverId, async () => undefined);
    const asked = { run_id: runId, node_id: randomUUID(), new_conversation_id: randomUUID(), user_id: userId };
    const nothing = { conversation_id: undefined, from_node_id: undefined, project_id: undefined, key: null };
    const unplanned = {
      agent_config_version: undefined,
      model_settings_version: undefined,
      organisation_version: undefined,
    };
    const question = { question: 'Why?', title: 'Why?', model: 'model', tree: 'default', kind: 'ASK' } as const;
    const config = AgentConfigSchema.parse({});
    const chunk = { type: 'ContentChunk', text: 'a', runId, seq: 1, fromSeq: 1, at: new Date().toISOString() } as const;
    const entry = { log: { runId }, json: '{}', held: { chunk, size: 2 }, decision: undefined };

    expect(
      await waitsAfter(() =>
        starts.start({ ...asked, ...nothing, ...unplanned, ...question, config, most_at_once: 5 }),
      ),
    ).toBe('off');
    expect(await waitsAfter(() => insertEntries(sql, serverId, [entry]))).toBe('on');
    expect((await client.query('select seq from run_chunks where run_id = $1', [runId])).rows).toEqual([{ seq: 1 }]);
  });
});

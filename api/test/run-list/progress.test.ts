import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { closing, reply, step } from '../kit/model-replies.ts';
import { createGate } from '../kit/model-server.ts';
import { createTestDatabase, type TestDatabase } from '../kit/test-database.ts';
import { calling, type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';
import { type RunRow, runRow } from './run-row.ts';

let database: TestDatabase;
let one: OracleKit;
let other: OracleKit;
let user: TestUser;
beforeAll(async () => {
  database = await createTestDatabase();
  one = await startOracleKit({ database });
  other = await startOracleKit({ database });
  user = await one.newUser({ name: 'Ada' });
});
afterAll(async () => {
  await one.stop();
  await other.stop();
  await database.drop();
});

async function rowOn(kit: OracleKit, id: string): Promise<RunRow> {
  const { run } = await kit.as(user.token).ask<{ run: RunRow }>(runRow, { id });
  return run;
}

describe('how far a run has come', () => {
  it('is told while it is under way and after, the same on every server', async () => {
    const gate = createGate();
    one.script(
      calling('first', { usage: { input: 300, output: 40 } }),
      calling('second', { usage: { input: 500, output: 60 } }),
      reply.stream([step.text('Here '), step.wait(gate.opened), step.text('it is.'), ...closing('stop')]),
    );
    const asked = one.open(user);
    const { runId } = await asked.until((chunk) => chunk.__typename === 'ContentChunk');
    const [here, there] = await Promise.all([rowOn(one, runId), rowOn(other, runId)]);

    expect(here).toMatchObject({ status: 'RUNNING', turns: 3, user: { id: user.id, name: 'Ada' }, endedAt: null });
    expect(here.tokens).toBeGreaterThan(900); // what was told, and what the third call was sent
    expect(Date.parse(here.lastActivityAt)).toBeGreaterThanOrEqual(Date.parse(here.startedAt));
    expect({ ...there, durationMs: 0 }).toEqual({ ...here, durationMs: 0 });
    gate.open();
    const { ending } = await one.settle(user, asked);
    const after = await rowOn(other, runId);
    expect(after).toMatchObject({ status: 'ENDED', turns: 3, tokens: ending.usage.totalTokens, ending: { turns: 3 } });
    expect(after.durationMs).toBe(after.ending?.durationMs);
    expect(after.endedAt).toBe(after.lastActivityAt);
  });

  it('is told of a run that waits for the first word of its model', async () => {
    const gate = createGate();
    const script = one.script(reply.stream([step.wait(gate.opened), step.text('Yes.'), ...closing('stop')]));
    const asked = one.open(user);
    const { runId } = (await asked.next()) ?? { runId: '' };
    await script.request(1);
    await expect.poll(async () => (await rowOn(other, runId)).turns).toBe(1);
    const row = await rowOn(other, runId);

    expect(row.tokens).toBeGreaterThan(0);
    expect(row.tokens).toBeLessThan(1_500);
    gate.open();
    await one.settle(user, asked);
  });

  it('is told of runs whose decisions were recorded by an earlier version', async () => {
    const gate = createGate();
    one.script(calling('first'), reply.stream([step.text('A'), step.wait(gate.opened), ...closing('stop')]));
    const asked = one.open(user);
    const { runId } = await asked.until((chunk) => chunk.__typename === 'ContentChunk');
    await database.query(
      `update run_decisions set trace = (trace::jsonb - 'at' - 'seq' - 'tokens')::text where run_id = $1`,
      [runId],
    );
    const row = await rowOn(other, runId);

    expect(row).toMatchObject({ turns: 2 });
    expect(row.tokens).toBeGreaterThan(30);
    const { run } = await user.ask<{ run: { decisions: object[] } }>(
      'query ($id: ID!) { run(id: $id) { decisions { turn at tokens } } }',
      { id: runId },
    );
    expect(run.decisions[0]).toEqual({ turn: 0, at: null, tokens: null });
    gate.open();
    await one.settle(user, asked);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { reply } from '../kit/model-replies.ts';
import { calling, type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';
import { plantRun } from './plant.ts';

let kit: OracleKit;
beforeAll(async () => {
  kit = await startOracleKit({ defaultModel: 'offline' });
});
afterAll(() => kit.stop());

interface Row {
  readonly id: string;
  readonly reason: string;
  readonly turns: number;
  readonly tokens: number;
  readonly duration_ms: number;
  readonly warned: number;
  readonly course_tokens: readonly number[];
  readonly course_needed: readonly number[];
  readonly course_ms: readonly number[];
  readonly course_calls: readonly number[];
}

async function rowsOf(userId: string): Promise<Row[]> {
  return kit.database.query<Row>(
    `select id, reason, turns, tokens, duration_ms, warned, course_tokens, course_needed, course_ms, course_calls
    from runs where user_id = $1 order by started_at, id`,
    [userId],
  );
}

describe('what a run leaves in its row', () => {
  it('is its duration, its warnings and its course, as its log tells them; older rows get it from there', async () => {
    const user = await kit.newUser();
    const ask = (model: string, config = {}) => kit.ask(user, { question: 'What now? \0', model, config });
    await ask('simulated/answer');
    await ask('simulated/busy', { maxIterations: 4 });
    await ask('simulated/loop');
    await ask('simulated/alternating', { maxIterations: 9 });
    await ask('simulated/errors');
    await ask('simulated/fan-out', { maxIterations: 2 });
    await ask('simulated/burn', { tokenBudget: 6_000 });
    await ask('simulated/failing');
    kit.script(...['a', 'b', 'a', 'c', 'a', 'd'].map((topic) => calling(topic)), reply.text('Done.'));
    await ask('openai/scripted');
    const recorded = await rowsOf(user.id);

    for (const row of recorded) {
      expect(row.course_ms.toSorted((one, other) => one - other)).toEqual(row.course_ms);
      expect(row.course_tokens.toSorted((one, other) => one - other)).toEqual(row.course_tokens);
      expect(row.course_tokens.at(-1)).toBe(row.tokens);
      expect(row.course_calls).toHaveLength(row.turns);
      expect(row.course_tokens).toHaveLength(row.turns + 1);
    }
    const of = (reason: string) => recorded.find((row) => row.reason === reason);
    expect(of('MAX_ITERATIONS')).toMatchObject({ warned: 1, turns: 4, course_calls: [1, 1, 1, 1] });
    expect(of('COMPLETED')).toMatchObject({ warned: 0, course_calls: [0] });
    expect(recorded.some((row) => (row.warned & 8) !== 0)).toBe(true);
    expect(Math.max(...recorded.flatMap((row) => row.course_calls))).toBeGreaterThan(1);

    await undoMigration();
    const filled = await rowsOf(user.id);

    await kit.database.query(`update run_decisions set trace = regexp_replace(trace, '"tokens":[0-9]+,', '')`);
    await undoMigration();
    const derived = await rowsOf(user.id);

    expect(filled).toEqual(recorded);
    for (const row of derived) {
      expect(row.course_tokens.at(-1)).toBe(row.tokens);
      expect(row.course_tokens.every((tokens) => tokens >= 0 && tokens <= row.tokens)).toBe(true);
    }
    const exact = ({ course_tokens, ...row }: Row) => ({ ...row, points: course_tokens.length });
    expect(derived.map(exact)).toEqual(recorded.map(exact));
  }, 60_000);

  it('stays empty where there is no log to tell it', async () => {
    const user = await kit.newUser();
    const id = await plantRun(kit.database, { userId: user.id, at: '2026-01-01T00:00:00Z' });
    await kit.database.query(`update runs set ended_at = started_at + interval '3 seconds' where id = $1`, [id]);

    await undoMigration();

    expect(await rowsOf(user.id)).toMatchObject([{ duration_ms: 3_000, warned: 0, course_tokens: null }]);
  });
});

/** As if this server were new to the database: what stands in the rows is gone, and made again from the logs. */
async function undoMigration(): Promise<void> {
  await kit.database.query('drop index runs_usage');
  await kit.database.query(`alter table runs drop column duration_ms, drop column warned, drop column course_tokens,
    drop column course_needed, drop column course_ms, drop column course_calls`);
  await kit.database.query(`delete from mikro_orm_migrations where name = '0013-usage'`);
  const database = await openDatabase(kit.database.url);
  await database.migrate(async () => undefined);
  await database.close();
}

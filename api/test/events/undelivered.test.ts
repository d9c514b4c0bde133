import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { reply, step } from '../kit/model-replies.ts';
import { calling, noticesOf, type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';

let kit: OracleKit;
beforeAll(async () => {
  kit = await startOracleKit();
});
afterAll(() => kit.stop());

const remind = (given: object) => calling([{ name: 'notify_self', arguments: given }]);

/** Somebody for whom a reminder waits. */
async function reminded(message: string): Promise<TestUser> {
  const user = await kit.newUser();
  kit.script(remind({ message, persist: true }), reply.text('Done.'));
  await kit.ask(user);
  return user;
}

/** What the model is told in the next session. */
async function toldNext(user: TestUser): Promise<string> {
  const script = kit.script(reply.text('Next.'));
  await kit.ask(user);
  return script.requests().flatMap(noticesOf).join();
}

describe('a reminder', () => {
  it('that went unheard because the provider failed is told in the next session, and then no more', async () => {
    const user = await reminded('After the failure.');
    kit.script(reply.error(400, { message: 'Not today.' }));
    const failed = await kit.ask(user);

    expect(failed.reason).toBe('MODEL_ERROR');
    expect(await toldNext(user)).toContain('After the failure.');
    expect(await toldNext(user)).toBe('');
  });

  it('that went unheard because the run was stopped before a word came is told in the next session', async () => {
    const user = await reminded('After the stop.');
    const script = kit.script([{ do: 'hang' }]);
    const stream = kit.open(user);
    const { runId } = await stream.until(() => true);
    await script.request(1);
    await kit.cancel(user, runId);
    await kit.settle(user, stream);

    expect(await toldNext(user)).toContain('After the stop.');
  });

  it('counts as heard when the run was stopped in the middle of the answer', async () => {
    const user = await reminded('Heard.');
    kit.script(reply.stream([step.text('It is'), { do: 'hang' }]));
    const stream = kit.open(user);
    const { runId } = await stream.until(({ __typename }) => __typename === 'ContentChunk');
    await kit.cancel(user, runId);
    await kit.settle(user, stream);

    expect(await toldNext(user)).toBe('');
  });
});

describe('notices for the next session', () => {
  interface Row {
    readonly id: string;
    readonly message: string;
    readonly waits: boolean;
    readonly minutes: number;
  }

  const rowsOf = (user: TestUser) =>
    kit.database.query<Row>(
      `select id, message, delivered_at is null as waits,
         round(extract(epoch from expires_at - now()) / 60)::int as minutes
       from notices where user_id = $1 and kind = 'NOTICE' order by message`,
      [user.id],
    );

  /** As if the server had died when the run had left its notices, and had not said its last word yet. */
  async function dieBeforeLastWord(runId: string): Promise<void> {
    await kit.database.query(`delete from run_chunks where run_id = $1 and type = 'DoneChunk'`, [runId]);
    await kit.database.query(
      `update runs set status = 'RUNNING', owner = null, reason = null, ended_at = null, ending = null where id = $1`,
      [runId],
    );
    const reasons = () => kit.database.query(`select reason from runs where id = $1`, [runId]);
    await expect.poll(reasons, { timeout: 10_000 }).toEqual([{ reason: 'INTERRUPTED' }]);
  }

  it('that a run claimed in vain are the same as before: neither a second one nor another day to live', async () => {
    const user = await reminded('Once.');
    await kit.database.query(`update notices set expires_at = now() + interval '1 hour' where user_id = $1`, [user.id]);
    const [before] = await rowsOf(user);
    kit.script(reply.error(400, { message: 'Not today.' }));
    const failed = await kit.ask(user);
    const after = await rowsOf(user);
    await dieBeforeLastWord(failed.runId);

    expect(after).toEqual([{ id: before?.id, message: 'Once.', waits: true, minutes: 60 }]);
    expect(await rowsOf(user)).toEqual(after);
  });

  it('wait for as long as their person has reminders switched off, and are shown as waiting', async () => {
    const user = await reminded('When I listen again.');
    const listen = (enabled: boolean) =>
      user.ask(
        'mutation ($enabled: Boolean!) { setNotification(id: "self-notice", enabled: $enabled) { __typename } }',
        {
          enabled,
        },
      );
    await listen(false);
    const whileOff = await toldNext(user);
    const rows = await rowsOf(user);
    await listen(true);

    expect(whileOff).toBe('');
    expect(rows).toMatchObject([{ message: 'When I listen again.', waits: true }]);
    expect(await toldNext(user)).toContain('When I listen again.');
  });

  it('are left once, although the server died after it had left them and another did so again', async () => {
    const user = await kit.newUser();
    const later = { name: 'notify_self', arguments: { message: 'For later.', after_turns: 20 } };
    kit.script(
      calling([
        { ...later, id: 'a' },
        { ...later, id: 'b' },
      ]),
      remind({ message: 'For later.', after_turns: 1 }),
      reply.text('Done.'),
    );
    const { runId } = await kit.ask(user);
    const left = await rowsOf(user);
    await dieBeforeLastWord(runId);

    expect(left).toMatchObject([{ message: 'For later.', waits: true }]);
    expect(await rowsOf(user)).toEqual(left);
    expect((await toldNext(user)).split('For later.')).toHaveLength(2);
  });
});

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

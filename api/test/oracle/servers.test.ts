import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { transportsAndWays } from '../kit/live.ts';
import { closing, reply, step } from '../kit/model-replies.ts';
import { createGate } from '../kit/model-server.ts';
import { createTestDatabase, type TestDatabase } from '../kit/test-database.ts';
import type { Chunk } from './kit/chunks.ts';
import { expectToGoOn } from './kit/go-on.ts';
import { calling, type OracleKit, startOracleKit } from './kit/oracle-kit.ts';
import { expectReplayed, settle } from './kit/told.ts';

const isContent = (chunk: Chunk) => chunk.__typename === 'ContentChunk';

let database: TestDatabase;
let one: OracleKit;
let other: OracleKit;
let user: TestUser;
beforeEach(async () => {
  database = await createTestDatabase();
  one = await startOracleKit({ database });
  other = await startOracleKit({ database });
  user = await one.newUser();
});
afterEach(async () => {
  await one.stop();
  await other.stop();
  await database.drop();
});

/** The same person, asking the other server. */
const there = (): TestUser => ({ ...user, ...other.as(user.token) });

describe('a second server on the same database', () => {
  it.each(transportsAndWays)(
    'follows a run of the first, live, over %s, and takes over a reader',
    async (_name, transport) => {
      const gate = createGate();
      one.script(
        calling('welcome'),
        reply.stream([step.text('Here '), step.wait(gate.opened), step.text('and there.'), ...closing('stop')]),
      );
      const asked = one.open(user, {}, transport);
      const { runId, seq } = await asked.until(isContent);
      const follower = other.follow(there(), runId, 0, transport);
      const latecomer = other.follow(there(), runId, seq - 1, transport);
      await Promise.all([follower.until(isContent), latecomer.until(isContent)]);
      gate.open();
      const told = await one.settle(user, asked);
      const followed = await other.settle(there(), follower);

      expect(told).toMatchObject({ reason: 'COMPLETED', text: 'Here and there.' });
      expect(followed.done).toEqual(told.done);
      expectReplayed(
        await latecomer.toEnd(),
        told.chunks.filter((chunk) => chunk.seq >= seq),
      );
    },
  );

  it('cancels a run of the first', async () => {
    one.script(reply.stream([step.text('On and on. '), step.hang()]));
    const asked = one.open(user);
    const { runId } = await asked.until(isContent);
    const ended = await other.cancel(there(), runId);
    const told = await one.settle(user, asked);

    expect(ended).toBe(true);
    expect(told).toMatchObject({ reason: 'CANCELLED', text: 'On and on. ' });
    await expectToGoOn(other, there(), told);
  });

  it('knows that the conversation is busy at the first, and can put an end to that', async () => {
    one.script(reply.stream([step.text('Busy. '), step.hang()]));
    other.script(reply.text('Mine now.'));
    const asked = one.open(user);
    const { runId } = await asked.until(isContent);
    const { run } = await user.ask<{ run: { conversationId: string } }>(
      'query ($runId: ID!) { run(id: $runId) { conversationId } }',
      { runId },
    );
    const { conversationId } = run;
    const refused = await other.ask(there(), { conversationId }).catch(String);
    const next = await other.ask(there(), { conversationId, whenBusy: 'CANCEL_PREVIOUS' });
    const done = (await asked.toEnd()).at(-1);

    expect(refused).toContain('CONVERSATION_BUSY');
    expect(next).toMatchObject({ reason: 'COMPLETED', text: 'Mine now.' });
    expect(done).toMatchObject({ terminationReason: 'CANCELLED', nodeId: next.exchange.parentId });
  });
});

describe('a server that is stopped', () => {
  it.each(transportsAndWays)(
    'ends its runs as INTERRUPTED, tells their readers over %s, and all of it is there elsewhere',
    async (_name, transport) => {
      one.script(reply.stream([step.text('Half '), step.text('done'), step.hang()]));
      const asked = one.open(user, {}, transport);
      const { runId } = await asked.until((chunk) => isContent(chunk) && 'text' in chunk && chunk.text === 'done');
      const follower = other.follow(there(), runId);
      await follower.until(isContent);
      const reading = asked.toEnd();
      await one.stop();
      const chunks = await reading;
      const told = await settle({ url: other.url, user: there() }, await follower.toEnd());

      expect(told).toMatchObject({ reason: 'INTERRUPTED', text: 'Half done', exchange: { partial: true } });
      expect(told.of('ErrorChunk')).toMatchObject([{ code: 'INTERRUPTED', retryable: true }]);
      expect(chunks.at(-1)).toEqual(told.done);
      await expectToGoOn(other, there(), told);
    },
  );
});

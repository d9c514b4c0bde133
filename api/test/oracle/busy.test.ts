import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codesOf } from '../kit/client.ts';
import type { TestUser } from '../kit/kit.ts';
import { overWebSocket } from '../kit/live.ts';
import { closing, reply, step } from '../kit/model-replies.ts';
import { createGate } from '../kit/model-server.ts';
import { type Chunk, oracleQuery } from './kit/chunks.ts';
import { expectToGoOn } from './kit/go-on.ts';
import { type OracleKit, startOracleKit } from './kit/oracle-kit.ts';
import type { Asked, Stream } from './kit/stream.ts';

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit();
});
beforeEach(async () => {
  user = await kit.newUser();
});
afterAll(() => kit.stop());

const isContent = (chunk: Chunk) => chunk.__typename === 'ContentChunk';
const hanging = () => reply.stream([step.text('On and on. '), step.hang()]);

async function refusal(asked: Asked) {
  const live = overWebSocket({ url: kit.url, token: user.token }, oracleQuery, {
    input: { question: 'Now?', ...asked },
  });
  const answer = await live.next();
  await live.stop();
  return answer ?? {};
}

describe('a conversation that is busy', () => {
  async function busy(): Promise<{ stream: Stream; runId: string; conversationId: string }> {
    const stream = kit.open(user);
    const { runId } = await stream.until(isContent);
    const { run } = await user.ask<{ run: { conversationId: string } }>(
      'query ($runId: ID!) { run(id: $runId) { conversationId } }',
      { runId },
    );
    return { stream, runId, conversationId: run.conversationId };
  }

  it('refuses another question, naming the run under way, which goes on', async () => {
    const gate = createGate();
    kit.script(reply.stream([step.text('Wait '), step.wait(gate.opened), step.text('for it.'), ...closing('stop')]));
    const { stream, runId, conversationId } = await busy();
    const refused = await refusal({ conversationId });
    gate.open();
    const told = await kit.settle(user, stream);

    expect(codesOf(refused)).toEqual(['CONVERSATION_BUSY']);
    expect(refused.errors?.[0]?.extensions).toMatchObject({ runId });
    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'Wait for it.' });
    await expectToGoOn(kit, user, told);
  });

  it('cancels what is under way when told to, and answers the new question after it', async () => {
    const script = kit.script(hanging(), reply.text('Sooner.'));
    const { stream, conversationId } = await busy();
    const next = await kit.ask(user, { conversationId, question: 'Faster?', whenBusy: 'CANCEL_PREVIOUS' });
    const cancelled = await stream.toEnd();
    const [done] = cancelled.slice(-1);

    expect(done).toMatchObject({
      __typename: 'DoneChunk',
      terminationReason: 'CANCELLED',
      nodeId: next.exchange.parentId,
    });
    expect(next).toMatchObject({ reason: 'COMPLETED', text: 'Sooner.', conversationId });
    expect(script.requests()[1]?.body.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
    ]);
    expect(script.requests()[1]?.body.messages[2]?.content).toMatch(/^On and on\..*cut off/s);
  });
});

describe('questions at the same moment', () => {
  it('in one conversation: one is answered, the others are told by which run', async () => {
    kit.script(reply.text('Ready.'));
    const { conversationId } = await kit.ask(user);
    const gate = createGate();
    kit.script().always(reply.stream([step.text('Me'), step.wait(gate.opened), step.text('.'), ...closing('stop')]));
    const streams = [1, 2, 3, 4].map((number) => kit.open(user, { conversationId, question: `Me ${number}?` }));
    const firsts = await Promise.all(streams.map((stream) => stream.next().then((chunk) => chunk?.runId, String)));
    gate.open();
    const refused = firsts.filter((first) => first?.includes('CONVERSATION_BUSY'));
    const [taken = ''] = firsts.filter((first) => !refused.includes(first));
    const asked = streams.filter(({ chunks }) => chunks.length > 0);
    const told = await Promise.all(asked.map((stream) => kit.settle(user, stream)));

    expect(told).toMatchObject([{ runId: taken, reason: 'COMPLETED', text: 'Me.' }]);
    expect(refused).toHaveLength(3);
    expect(refused.every((error) => error?.includes(taken))).toBe(true);
  });

  it('that all replace what is under way: each has its turn, and the last one stays', async () => {
    kit.script(reply.text('Ready.'));
    const { conversationId } = await kit.ask(user);
    kit.script().always(hanging());
    const asked: Asked = { conversationId, whenBusy: 'CANCEL_PREVIOUS' };
    const streams = Array.from({ length: 8 }, () => kit.open(user, asked));
    const runIds = await Promise.all(streams.map((stream) => stream.next().then((chunk) => chunk?.runId, String)));
    const { conversation } = await user.ask<{ conversation: { activeRunId: string } }>(
      'query ($id: ID!) { conversation(id: $id) { activeRunId } }',
      { id: conversationId },
    );
    await kit.cancel(user, conversation.activeRunId);
    const lasts = await Promise.all(streams.map(async (stream) => (await stream.toEnd()).at(-1)));

    expect(lasts).toMatchObject(runIds.map((runId) => ({ runId, terminationReason: 'CANCELLED' })));
    expect(runIds).toContain(conversation.activeRunId);
  });

  it('with one key: one run, told to all', async () => {
    const script = kit.script(reply.text('Once.'));
    const told = await Promise.all([1, 2, 3, 4].map(() => kit.ask(user, { idempotencyKey: 'at once' })));

    expect(new Set(told.map(({ runId }) => runId)).size).toBe(1);
    expect(script.requests()).toHaveLength(1);
  });
});

describe('asking again', () => {
  it('with the same key joins the first run, during it and after it', async () => {
    const gate = createGate();
    const script = kit.script(
      reply.stream([step.text('Once '), step.wait(gate.opened), step.text('only.'), ...closing('stop')]),
    );
    const first = kit.open(user, { idempotencyKey: 'the same' });
    await first.until(isContent);
    const second = kit.open(user, { idempotencyKey: 'the same', question: 'Again?' });
    await second.until(isContent);
    gate.open();
    const [one, two] = await Promise.all([kit.settle(user, first), kit.settle(user, second)]);
    const three = await kit.ask(user, { idempotencyKey: 'the same' });

    expect([two.runId, three.runId]).toEqual([one.runId, one.runId]);
    expect(two.chunks.map(({ seq }) => seq).at(-1)).toBe(one.done.seq);
    expect(script.requests()).toHaveLength(1);
  });

  it('with the same key, somebody else starts a run of their own', async () => {
    kit.script().always(reply.text('Yours.'));
    const other = await kit.newUser();
    const mine = await kit.ask(user, { idempotencyKey: 'shared' });
    const theirs = await kit.ask(other, { idempotencyKey: 'shared' });

    expect(theirs.runId).not.toBe(mine.runId);
  });

  it('for a sixth answer at once is refused; when one has ended, there is room again', async () => {
    kit.script().always(hanging());
    const streams = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const stream = kit.open(user);
        await stream.until(isContent);
        return stream;
      }),
    );
    const sixth = await refusal({});
    const other = kit.open(await kit.newUser());
    const elsewhere = await other.until(isContent);
    const [first, ...rest] = streams;
    await kit.cancel(user, first?.chunks[0]?.runId ?? '');
    const again = kit.open(user);
    await again.until(isContent);
    for (const { chunks } of [...rest, again]) await kit.cancel(user, chunks[0]?.runId ?? '');
    await kit.cancel(kit.admin, elsewhere.runId);
    const told = await Promise.all([...streams, again].map((stream) => kit.settle(user, stream)));

    expect(codesOf(sixth)).toEqual(['TOO_MANY_RUNS']);
    expect(sixth.errors?.[0]?.extensions).toMatchObject({ limit: 5 });
    expect(told.map(({ reason }) => reason)).toEqual(Array(6).fill('CANCELLED'));
  });
});

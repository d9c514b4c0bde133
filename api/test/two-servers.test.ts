import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transports } from './kit/live.ts';
import { closing, reply, step } from './kit/model-replies.ts';
import { createGate } from './kit/model-server.ts';
import { createServerPair, type RunningServer, type ServerPair } from './kit/server-pair.ts';
import type { Chunk } from './oracle/kit/chunks.ts';
import { askOver, followOver } from './oracle/kit/stream.ts';
import { expectNumbered, readConversation, settle, textOf } from './oracle/kit/told.ts';

let servers: ServerPair;
let one: RunningServer;
let other: RunningServer;
beforeAll(async () => {
  servers = await createServerPair();
  [one, other] = await Promise.all([servers.start(), servers.start()]);
});
afterAll(() => servers.dispose());

const isText = (text: string) => (chunk: Chunk) => chunk.__typename === 'ContentChunk' && chunk.text === text;
const isDone = ({ __typename }: Chunk) => __typename === 'DoneChunk';

describe('a run that was started on one of two servers', () => {
  it.each(transports)('is followed live on the other over %s, chunk for chunk', async (_name, transport) => {
    const gates = [createGate(), createGate(), createGate()];
    const steps = gates.flatMap(({ opened }, index) => [step.text(`piece ${index} `), step.wait(opened)]);
    servers.models.script(reply.stream([...steps, ...closing('stop')]));
    const asking = askOver(one, {});
    const { runId } = await asking.until(isText('piece 0 '));
    const following = followOver({ ...other, transport }, runId, 0);

    for (const [index, gate] of gates.entries()) {
      await following.until(isText(`piece ${index} `)); // before the next has been said
      gate.open();
    }
    const [streamed, followed] = await Promise.all([asking.toEnd(), following.toEnd()]);
    expect(followed).toEqual(streamed);
    expect((await settle(other, followed)).reason).toBe('COMPLETED');
  });

  it('is cancelled from the other', async () => {
    servers.models.script(reply.stream([step.text('begun '), step.hang()]));
    const asking = askOver(one, {});
    const { runId } = await asking.until(isText('begun '));
    const { cancelRun } = await other.user.ask<{ cancelRun: boolean }>(
      'mutation ($runId: ID!) { cancelRun(runId: $runId) }',
      { runId },
    );
    const told = await settle(one, await asking.toEnd());

    expect(cancelRun).toBe(true);
    expect(told).toMatchObject({ reason: 'CANCELLED', text: 'begun ' });
  });

  it('is read on from the last seq on the other, during the run and after it', async () => {
    const gate = createGate();
    const pieces = (from: number) => Array.from({ length: 20 }, (_, index) => step.text(`${from + index} `));
    servers.models.script(reply.stream([...pieces(0), step.wait(gate.opened), ...pieces(20), ...closing('stop')]));
    const asking = askOver(one, {});
    await asking.until(isText('19 '));
    await asking.stop();
    const seen = [...asking.chunks];
    const { runId, seq } = seen.at(-1) ?? { runId: '', seq: 0 };
    const during = followOver(other, runId, seq);
    const first = during.next();
    gate.open();
    await first;
    const rest = await during.toEnd();

    expectNumbered([...seen, ...rest]);
    expect(textOf([...seen, ...rest])).toBe(Array.from({ length: 40 }, (_, index) => `${index} `).join(''));
    expect(await followOver(other, runId, seq).toEnd()).toEqual(rest);
    expect((await settle(other, [...seen, ...rest])).reason).toBe('COMPLETED');
  });

  it('keeps its conversation to itself on the other, too', async () => {
    servers.models.script(reply.stream([step.text('first '), step.hang()]));
    const asking = askOver(one, {});
    const { runId } = await asking.until(isText('first '));
    const { run } = await one.user.ask<{ run: { conversationId: string } }>(
      'query ($runId: ID!) { run(id: $runId) { conversationId } }',
      { runId },
    );
    servers.models.script(reply.text('second'));
    const next = askOver(other, { conversationId: run.conversationId, whenBusy: 'CANCEL_PREVIOUS' });

    expect((await settle(other, await next.toEnd())).text).toBe('second');
    expect((await asking.toEnd()).at(-1)).toMatchObject({ terminationReason: 'CANCELLED' });
  });
});

describe('a server that dies', () => {
  it('has its runs ended by the other, whose readers see the end', async () => {
    const doomed = await servers.start();
    servers.models.script(reply.stream([step.text('half an answer'), step.hang()]));
    const asking = askOver(doomed, {});
    const { runId } = await asking.until(isText('half an answer'));
    const following = followOver(other, runId, 0);
    await following.until(isText('half an answer'));
    const broken = asking.toEnd().catch(() => asking.chunks);
    await doomed.end('SIGKILL');
    const streamed = await broken;
    const followed = await following.toEnd();
    const done = followed.at(-1);

    expectNumbered(followed);
    expect(followed.slice(0, streamed.length)).toEqual(streamed);
    expect(followed.filter(isDone)).toHaveLength(1);
    expect(done).toMatchObject({ terminationReason: 'INTERRUPTED' });
    const { conversationId } = done as Extract<Chunk, { __typename: 'DoneChunk' }>;
    expect((await readConversation(other.user, conversationId)).path).toMatchObject([
      { runId, answer: 'half an answer', partial: true },
    ]);
    servers.models.script(reply.text('the rest'));
    const next = await askOver(other, { conversationId }).toEnd();
    expect((await settle(other, next)).reason).toBe('COMPLETED');
  });
});

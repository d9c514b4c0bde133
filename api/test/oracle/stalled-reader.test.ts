import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { eventsOf } from '../kit/live.ts';
import { closing, reply, step } from '../kit/model-replies.ts';
import { createGate } from '../kit/model-server.ts';
import { openRawSocket } from '../kit/raw-socket.ts';
import { type Chunk, oracleRun } from './kit/chunks.ts';
import { type OracleKit, startOracleKit } from './kit/oracle-kit.ts';
import { expectNumbered, type Told, textOf } from './kit/told.ts';

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit();
});
beforeEach(async () => {
  user = await kit.newUser();
});
afterAll(() => kit.stop());

const paragraph = 'A paragraph that fills buffers. '.repeat(30);
const deltas = Array.from({ length: 600 }, (_, index) => step.text(`${index} ${paragraph}`));

/** A run with much to say, which waits for the gate before it says it. */
async function begin() {
  const gate = createGate();
  kit.script(reply.stream([step.text('Start. '), step.wait(gate.opened), ...deltas, ...closing('stop')]));
  const stream = kit.open(user, { config: { tokenBudget: 200_000 } });
  const { runId } = await stream.until((chunk) => chunk.__typename === 'ContentChunk');
  return { gate, stream, runId };
}

function expectAll(heard: readonly Chunk[], told: Told): void {
  expect(told.reason).toBe('COMPLETED');
  expect(told.text.length).toBeGreaterThan(500_000);
  expectNumbered(heard);
  expect(textOf(heard)).toBe(told.text);
  expect(heard.at(-1)).toEqual(told.done);
}

describe('a reader that stalls delays nobody, and gets everything when it reads again', () => {
  it('over WebSocket', async () => {
    const { gate, stream, runId } = await begin();
    const stalled = await openRawSocket(kit.url, { params: { authorization: `Bearer ${user.token}` } });
    const first = await stalled.answer(oracleRun, { runId, after: 0 });
    stalled.socket.pause();
    gate.open();
    const told = await kit.settle(user, stream);
    stalled.socket.resume();
    const heard = [chunkOf(first?.payload)];
    while (heard.at(-1)?.__typename !== 'DoneChunk') heard.push(chunkOf((await stalled.next())?.payload));
    await stalled.close();

    expectAll(heard, told);
  });

  it('over server-sent events', async () => {
    const { gate, stream, runId } = await begin();
    const unread = await subscribe(runId);
    gate.open();
    const told = await kit.settle(user, stream);
    const heard: Chunk[] = [];
    for await (const { event, data } of eventsOf(unread)) if (event === 'next') heard.push(chunkOf(JSON.parse(data)));

    expectAll(heard, told);
  });
});

function chunkOf(payload: unknown): Chunk {
  return (payload as { readonly data: { readonly chunk: Chunk } }).data.chunk;
}

/** The answer's head is in and nothing of its body has been asked for. */
function subscribe(runId: string): Promise<IncomingMessage> {
  const body = JSON.stringify({ query: oracleRun, variables: { runId, after: 0 } });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    accept: 'text/event-stream',
    authorization: `Bearer ${user.token}`,
  };
  return new Promise((resolve, reject) => {
    httpRequest(`${kit.url}/graphql`, { method: 'POST', headers }, resolve).on('error', reject).end(body);
  });
}

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SeenSocket, startTestServer, type TestServer } from '../test/test-server.ts';
import { createOracleClient } from './client.ts';

const lastSeq = 5_000;
let server: TestServer;
let subscriptions: number[];
let sent: number;

/** Sends the chunks of a long run as fast as the client takes them, until it has enough of them. */
beforeEach(async () => {
  server = await startTestServer();
  subscriptions = [];
  sent = 0;
  const stopped = new Set<string>();
  server.onMessage(({ type, id = '', payload }, socket) => {
    if (type === 'connection_init') socket.send({ type: 'connection_ack' });
    if (type === 'complete') stopped.add(id);
    if (type !== 'subscribe') return;
    const { after = 0 } = (payload as { variables: { after?: number } }).variables;
    subscriptions.push(after);
    send(id, after + 1, socket);
  });

  function send(id: string, from: number, socket: SeenSocket): void {
    for (let seq = from; seq < from + 50 && seq <= lastSeq; seq++) {
      sent += 1;
      const place = { runId: 'r', seq, fromSeq: seq, at: '' };
      const chunk =
        seq === lastSeq
          ? { __typename: 'DoneChunk', ...place, ending: {}, conversationId: 'c', nodeId: 'n' }
          : { __typename: 'ContentChunk', ...place, text: 'x' };
      socket.send({ type: 'next', id, payload: { data: { oracleRun: chunk } } });
    }
    if (from + 50 > lastSeq) socket.send({ type: 'complete', id });
    else if (!stopped.has(id)) setImmediate(() => send(id, from + 50, socket));
  }
});
afterEach(() => server[Symbol.asyncDispose]());

describe('a slow reader', () => {
  it('is not flooded: the subscription is ended and taken up again where the reader stands', async () => {
    const oracle = createOracleClient({ url: server.url, token: 't', transport: 'ws' });
    const loop = oracle.follow('r')[Symbol.asyncIterator]();
    const result = oracle.follow('r').result();
    const seen = [(await loop.next()).value?.seq];
    await result; // the reader has stalled meanwhile, with five thousand chunks behind it
    const before = sent;

    for (let next = await loop.next(); !next.done; next = await loop.next()) {
      seen.push(next.value.seq);
      if (next.value.seq % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }

    expect(seen).toEqual(Array.from({ length: lastSeq }, (_, index) => index + 1));
    expect(subscriptions.length).toBeGreaterThan(2); // one each, and at least one more
    expect(sent - before).toBeLessThan(3 * lastSeq);
    oracle.close();
  });
});

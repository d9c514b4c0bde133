import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withContenders } from '../bench/contenders.ts';
import { type DeliveryCost, measureDeliveries } from '../bench/delivery.ts';
import { measurePaced } from '../bench/paced.ts';
import { createTestDatabase, type TestDatabase } from './kit/test-database.ts';

/** Half of what is promised, in the best of a few rounds: only a real loss of speed fails. */
const tolerance = 2;
const promised = { overWebSocket: 5, asEvents: 8, whole: 4, paced: 2 };
const timeout = 300_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A whole run of each: others cut theirs into other events than ours. */
function cheaper(than: DeliveryCost, ours: DeliveryCost): number {
  return than.perStream / ours.perStream;
}

describe('all chunks at once', () => {
  it('delivery and the whole stay several times cheaper than the usual servers', { timeout }, async () => {
    const streams = 20;
    const names = [
      'graphql-ws',
      'Yoga SSE',
      'AI SDK, loop and UI stream',
      'Oracle Agent, delivery over ws',
      'Oracle Agent, delivery as SSE',
      'Oracle Agent, whole, over ws',
      'Oracle Agent, whole, as SSE',
    ] as const;
    const costs = await withContenders(database.url, names, streams, (contenders) =>
      measureDeliveries(contenders, { streams, warmUpMs: 1_500, rounds: 4 }),
    );

    const overWebSocket = cheaper(costs['graphql-ws'], costs['Oracle Agent, delivery over ws']);
    expect(overWebSocket).toBeGreaterThan(promised.overWebSocket / tolerance);
    const asEvents = cheaper(costs['Yoga SSE'], costs['Oracle Agent, delivery as SSE']);
    expect(asEvents).toBeGreaterThan(promised.asEvents / tolerance);
    const loop = costs['AI SDK, loop and UI stream'];
    expect(cheaper(loop, costs['Oracle Agent, whole, over ws'])).toBeGreaterThan(promised.whole / tolerance);
    expect(cheaper(loop, costs['Oracle Agent, whole, as SSE'])).toBeGreaterThan(promised.whole / tolerance);
  });
});

describe('chunks one at a time', () => {
  it('delivery stays near raw sockets', { timeout }, async () => {
    const names = [
      'raw ws, one send per chunk',
      'raw SSE, one write per chunk',
      'Oracle Agent, delivery over ws',
      'Oracle Agent, delivery as SSE',
    ] as const;
    const streams = 100;
    const costs = await withContenders(database.url, names, streams, (contenders) =>
      measurePaced(contenders, { streams, chunks: 150 }),
    );

    const dearer = (ours: DeliveryCost, than: DeliveryCost) => ours.perChunk / than.perChunk;
    const overWebSocket = dearer(costs['Oracle Agent, delivery over ws'], costs['raw ws, one send per chunk']);
    expect(overWebSocket).toBeLessThan(promised.paced * tolerance);
    const asEvents = dearer(costs['Oracle Agent, delivery as SSE'], costs['raw SSE, one write per chunk']);
    expect(asEvents).toBeLessThan(promised.paced * tolerance);
  });
});

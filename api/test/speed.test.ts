import { expect, it } from 'vitest';
import { withContenders } from '../bench/contenders.ts';
import { type DeliveryCost, measureDeliveries } from '../bench/delivery.ts';
import { createTestDatabase } from './kit/test-database.ts';

/** Half of what is promised, in the best of a few rounds: only a real loss of speed fails. */
const tolerance = 2;
const promised = { overWebSocket: 5, asEvents: 8 };
const streams = 20;

it('delivery stays several times cheaper than the usual servers', { timeout: 300_000 }, async () => {
  const database = await createTestDatabase();
  try {
    const names = [
      'graphql-ws',
      'Yoga SSE',
      'Oracle Agent, delivery over ws',
      'Oracle Agent, delivery as SSE',
    ] as const;
    const costs = await withContenders(database.url, names, streams, (contenders) =>
      measureDeliveries(contenders, { streams, warmUps: 2, rounds: 4 }),
    );
    const cheaper = (than: DeliveryCost, ours: DeliveryCost) => than.bestPerChunk / ours.bestPerChunk;

    expect(cheaper(costs['graphql-ws'], costs['Oracle Agent, delivery over ws'])).toBeGreaterThan(
      promised.overWebSocket / tolerance,
    );
    expect(cheaper(costs['Yoga SSE'], costs['Oracle Agent, delivery as SSE'])).toBeGreaterThan(
      promised.asEvents / tolerance,
    );
  } finally {
    await database.drop();
  }
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureConfigReads } from '../bench/config-reads.ts';
import { benchToken, withContenders } from '../bench/contenders.ts';
import { type DeliveryCost, measureDeliveries } from '../bench/delivery.ts';
import { measureLoop, slopeOf } from '../bench/loop-sections.ts';
import { benchMemory } from '../bench/memory.ts';
import { measurePaced } from '../bench/paced.ts';
import { isBroken } from '../bench/report.ts';
import { createTestDatabase, type TestDatabase } from './kit/test-database.ts';

/** Half of what is promised, in the best of a few rounds: only a real loss of speed fails. */
const tolerance = 2;
const promised = { overWebSocket: 5, asEvents: 8, whole: 4, log: 1, paced: 2, firstPercent: 10, loop: 3, settings: 2 };
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
  it('delivery and the whole stay several times cheaper than the usual servers, and sooner', { timeout }, async () => {
    const names = [
      'graphql-ws',
      'Yoga SSE',
      'AI SDK, loop and UI stream',
      'Oracle Agent, delivery over ws',
      'Oracle Agent, delivery as SSE',
      'Oracle Agent, whole, over ws',
      'Oracle Agent, whole, as SSE',
      'Oracle Agent, whole but nothing stored, over ws',
    ] as const;
    const many = 200;
    const [costs, crowded] = await withContenders(database.url, names, many, async (contenders) => {
      const few = await measureDeliveries(contenders, { streams: 20, warmUpMs: 1_500, rounds: 4 });
      const { 'graphql-ws': usual, 'Oracle Agent, whole, over ws': whole } = contenders;
      return [few, await measureDeliveries({ usual, whole }, { streams: many, warmUpMs: 0, rounds: 1 })] as const;
    });

    const overWebSocket = cheaper(costs['graphql-ws'], costs['Oracle Agent, delivery over ws']);
    expect(overWebSocket).toBeGreaterThan(promised.overWebSocket / tolerance);
    const asEvents = cheaper(costs['Yoga SSE'], costs['Oracle Agent, delivery as SSE']);
    expect(asEvents).toBeGreaterThan(promised.asEvents / tolerance);
    const loop = costs['AI SDK, loop and UI stream'];
    const whole = costs['Oracle Agent, whole, over ws'];
    expect(cheaper(loop, whole)).toBeGreaterThan(promised.whole / tolerance);
    expect(cheaper(loop, costs['Oracle Agent, whole, as SSE'])).toBeGreaterThan(promised.whole / tolerance);
    const addedByLog = cheaper(whole, costs['Oracle Agent, whole but nothing stored, over ws']) - 1;
    expect(addedByLog).toBeLessThan(promised.log * tolerance);
    const firstPercent = (100 * crowded.whole.firstMs.p99) / crowded.usual.firstMs.p99;
    expect(firstPercent).toBeLessThan(promised.firstPercent * tolerance);
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
      measurePaced(contenders, { streams, chunks: 100, rounds: 2 }),
    );

    const dearer = (ours: DeliveryCost, than: DeliveryCost) => ours.perChunk / than.perChunk;
    const overWebSocket = dearer(costs['Oracle Agent, delivery over ws'], costs['raw ws, one send per chunk']);
    expect(overWebSocket).toBeLessThan(promised.paced * tolerance);
    const asEvents = dearer(costs['Oracle Agent, delivery as SSE'], costs['raw SSE, one write per chunk']);
    expect(asEvents).toBeLessThan(promised.paced * tolerance);
  });
});

describe('the loop', () => {
  it('stays near a bare one, however many turns', { timeout }, async () => {
    const costs = await measureLoop();

    for (const { bare, runner } of costs) expect(runner / bare).toBeLessThan(promised.loop * tolerance);
    expect(slopeOf(costs)).toBeLessThan(1.5); // twice the turns would take four times as long at 2
  });
});

describe('a subscription that waits', () => {
  it('holds little more than a connection', { timeout }, async () => {
    const { goals } = await benchMemory(database.url);

    expect(goals.filter(isBroken)).toEqual([]);
  });
});

describe('reading settings', () => {
  it('stays cheaper than the usual way', { timeout }, async () => {
    const { stock, product } = await measureConfigReads(database.url, benchToken);

    expect(stock / product).toBeGreaterThan(promised.settings / tolerance);
  });
});

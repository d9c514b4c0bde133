import type { Contender, ContenderName, Contenders } from './contenders.ts';
import { type DeliveryCost, measureDeliveries } from './delivery.ts';
import type { Section } from './report.ts';

const streams = 200;
const everyMs = 20;
/** Without a pace, as for burst, where that was not measured before; then with it, all servers at the same time. */
const warmUpMs = 3_000;
const warmUpChunks = [25, 25, 50];
/** Long enough for beginnings to matter little: of server-sent events, one costs as much as fifty chunks. */
const chunks = 120;
const rounds = 2;
const names = [
  'raw ws, one send per chunk',
  'raw SSE, one write per chunk',
  'Oracle Agent, delivery over ws',
  'Oracle Agent, delivery as SSE',
] as const satisfies readonly ContenderName[];

/** As real tokens come: nothing can leave together, so each chunk pays for its own system call. */
export async function benchPaced(_databaseUrl: string, contenders: Contenders): Promise<Section> {
  const costs = await measurePaced(await contenders.get(names), { streams, chunks, rounds });
  const ws = costs['raw ws, one send per chunk'].perChunk;
  const sse = costs['raw SSE, one write per chunk'].perChunk;
  return {
    title: `Paced: ${streams} streams, one chunk each ${everyMs} ms`,
    rows: Object.fromEntries(
      names.map((name) => {
        const { perChunk, chunks: events } = costs[name];
        const row = { 'CPU µs per chunk': perChunk, '× raw ws': perChunk / ws, '× raw SSE': perChunk / sse };
        return [name, { ...row, 'events of a stream': Math.round(events) }];
      }),
    ),
    goals: [
      {
        what: 'Delivery over ws, paced, against raw ws',
        measured: costs['Oracle Agent, delivery over ws'].perChunk / ws,
        atMost: 2,
      },
      {
        what: 'Delivery as SSE, paced, against raw SSE',
        measured: costs['Oracle Agent, delivery as SSE'].perChunk / sse,
        atMost: 2,
      },
    ],
  };
}

/**
 * So many streams of so many chunks each, of servers that have been at work before, without a pace and with it: one chunk
 * at a time goes through other code than many at once. From then on they keep the pace.
 */
export async function measurePaced<Name extends ContenderName>(
  contenders: Readonly<Record<Name, Contender>>,
  { streams, chunks, rounds }: { readonly streams: number; readonly chunks: number; readonly rounds: number },
): Promise<Readonly<Record<Name, DeliveryCost>>> {
  await measureDeliveries(contenders, { streams: 50, warmUpMs, rounds: 1 });
  const all = Object.values<Contender>(contenders);
  const keepPace = (count: number) => {
    for (const { server } of all) server.send({ pace: { everyMs, chunks: count } });
  };
  const one = { streams, warmUpMs: 0, rounds: 1, spreadMs: everyMs };
  for (const count of warmUpChunks) {
    keepPace(count);
    await Promise.all(all.map((contender) => measureDeliveries({ contender }, one)));
  }
  keepPace(chunks);
  return measureDeliveries(contenders, { ...one, rounds });
}

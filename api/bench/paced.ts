import type { Contender, ContenderName, Contenders } from './contenders.ts';
import { type DeliveryCost, measureDeliveries } from './delivery.ts';
import type { Section } from './report.ts';

const streams = 200;
const everyMs = 20;
const warmUpChunks = 25;
/** Long enough for beginnings to matter little: of server-sent events, one costs as much as fifty chunks. */
const chunks = 150;
const names = [
  'raw ws, one send per chunk',
  'raw SSE, one write per chunk',
  'graphql-ws',
  'Oracle Agent, delivery over ws',
  'Oracle Agent, delivery as SSE',
] as const satisfies readonly ContenderName[];

/** As real tokens come: nothing can leave together, so each chunk pays for its own system call. */
export async function benchPaced(_databaseUrl: string, contenders: Contenders): Promise<Section> {
  const costs = await measurePaced(await contenders.get(names), { streams, chunks });
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

/** So many streams of so many chunks each, after a shorter round to warm up. From then on these servers keep the pace. */
export async function measurePaced<Name extends ContenderName>(
  contenders: Readonly<Record<Name, Contender>>,
  { streams, chunks }: { readonly streams: number; readonly chunks: number },
): Promise<Readonly<Record<Name, DeliveryCost>>> {
  const measure = (count: number) => {
    for (const { server } of Object.values<Contender>(contenders)) server.send({ pace: { everyMs, chunks: count } });
    return measureDeliveries(contenders, { streams, warmUpMs: 0, rounds: 1, spreadMs: everyMs });
  };
  await measure(warmUpChunks);
  return measure(chunks);
}

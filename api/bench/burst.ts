import { type ContenderName, type Contenders, contenderNames } from './contenders.ts';
import { type DeliveryCost, measureDeliveries } from './delivery.ts';
import type { Section } from './report.ts';

const streams = 50;
const warmUpMs = 3_000;
const rounds = 3;

/** All chunks at once: what a chunk costs when nothing but the server is in its way. */
export async function benchBurst(_databaseUrl: string, contenders: Contenders): Promise<Section> {
  const costs = await measureDeliveries(await contenders.get(contenderNames), { streams, warmUpMs, rounds });
  const chunks = costs['raw ws, one send per chunk'].chunks;
  for (const name of ['Oracle Agent, delivery over ws', 'Oracle Agent, delivery as SSE'] as const)
    if (costs[name].chunks !== chunks) throw new Error(`${name}: a stream had ${costs[name].chunks} events.`);
  // Others cut a run into other events than ours: what a whole run costs is compared.
  const perChunk = (name: ContenderName) => costs[name].perStream / chunks;
  const cheaper = (than: ContenderName, ours: ContenderName) => perChunk(than) / perChunk(ours);
  return {
    title: `Burst: ${streams} streams at once, ${Math.round(chunks)} chunks each, no delay. "Delivery" is everything of the product but loop and log, from memory, as the servers above it; "whole" is with both, stored before delivered.`,
    rows: Object.fromEntries(
      Object.entries(costs).map(([name, cost]) => [name, row(cost, cost.perStream / chunks, costs)]),
    ),
    goals: [
      {
        what: 'Delivery over ws, burst, against graphql-ws',
        measured: cheaper('graphql-ws', 'Oracle Agent, delivery over ws'),
        atLeast: 5,
      },
      {
        what: 'Delivery as SSE, burst, against Yoga SSE',
        measured: cheaper('Yoga SSE', 'Oracle Agent, delivery as SSE'),
        atLeast: 8,
      },
      {
        what: 'Whole pipeline as SSE, against the AI SDK',
        measured: cheaper('AI SDK, loop and UI stream', 'Oracle Agent, whole, as SSE'),
        atLeast: 4,
      },
      {
        what: 'Whole pipeline over ws, against the AI SDK',
        measured: cheaper('AI SDK, loop and UI stream', 'Oracle Agent, whole, over ws'),
        atLeast: 4,
      },
      {
        what: 'The log over ws: what storing adds to the CPU of not storing',
        measured:
          costs['Oracle Agent, whole, over ws'].perStream /
            costs['Oracle Agent, whole but nothing stored, over ws'].perStream -
          1,
        atMost: 1,
      },
    ],
  };
}

function row(
  { firstMs, chunks }: DeliveryCost,
  perChunk: number,
  costs: Readonly<Record<ContenderName, DeliveryCost>>,
) {
  return {
    'CPU µs per chunk': perChunk,
    '× raw ws': perChunk / costs['raw ws, one send per chunk'].perChunk,
    '× graphql-ws': perChunk / costs['graphql-ws'].perChunk,
    'events of a stream': Math.round(chunks),
    'first event ms': firstMs.median,
  };
}

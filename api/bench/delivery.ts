import type { Contender } from './contenders.ts';
import { median, quantile } from './median.ts';
import type { Connection, Streamed } from './streams.ts';

/** In the best of the rounds: what else the machine does only adds to what a thing costs. */
export interface DeliveryCost {
  /** Microseconds of the server's processor time for each frame that a client got. */
  readonly perChunk: number;
  /** The same for each stream. */
  readonly perStream: number;
  /** The same in each round. */
  readonly perStreamOf: readonly number[];
  readonly firstMs: { readonly median: number; readonly p99: number };
  /** Frames of a stream. */
  readonly chunks: number;
}

export interface Rounds {
  readonly streams: number;
  /** So long each server works before it is measured, unless it has done so already; see `warmUp`. */
  readonly warmUpMs: number;
  readonly rounds: number;
  /** Streams begin spread over so many milliseconds. */
  readonly spreadMs?: number;
}

/** All streams of a server at once, the servers in turn, several times, forwards and backwards. */
export async function measureDeliveries<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  { streams, warmUpMs, rounds, spreadMs = 0 }: Rounds,
): Promise<Readonly<Record<Name, DeliveryCost>>> {
  const names = Object.keys(contenders) as Name[];
  const measured = new Map(names.map((name) => [name, [] as Round[]]));
  const open = await Promise.all(
    names.map(async (name) => [name, await connectAll(contenders[name], streams)] as const),
  );
  for (const [name, connections] of open) await warmUp(contenders[name], connections.slice(0, warmUpStreams), warmUpMs);
  const all = process.argv.includes('--quick') ? Math.min(rounds, 2) : rounds;
  for (let round = 0; round < all; round += 1) {
    for (const [name, connections] of round % 2 === 0 ? open : open.toReversed()) {
      const { server, request } = contenders[name];
      const before = await server.cpu();
      const streamed = await Promise.all(
        connections.map(async (connection, stream) => {
          if (spreadMs > 0) await new Promise((resolve) => setTimeout(resolve, (spreadMs * stream) / streams));
          return connection.stream(request(round, stream));
        }),
      );
      measured.get(name)?.push({ cpu: (await server.cpu()) - before, streamed });
    }
  }
  for (const [, connections] of open) for (const connection of connections) connection.close();
  const costs = names.map((name) => [name, costOf(measured.get(name) ?? [])] as const);
  return Object.fromEntries(costs) as Record<Name, DeliveryCost>;
}

const warmUpStreams = 50;
const warm = new WeakSet<Contender>();

/**
 * The same time for all of them, however many streams they manage in it: what is compared are servers that have been up
 * for a while, and a program is compiled for speed only after it has been at work.
 */
async function warmUp(contender: Contender, connections: readonly Connection[], milliseconds: number): Promise<void> {
  if (warm.has(contender)) return;
  warm.add(contender);
  const until = performance.now() + milliseconds * (contender.warmth ?? 1);
  for (let round = -1; performance.now() < until; round -= 1)
    await Promise.all(connections.map((connection, stream) => connection.stream(contender.request(round, stream))));
}

interface Round {
  readonly cpu: number;
  readonly streamed: readonly Streamed[];
}

function costOf(measured: readonly Round[]): DeliveryCost {
  const framesOf = ({ streamed }: Round) => streamed.reduce((sum, { frames }) => sum + frames, 0);
  const perStreamOf = measured.map((round) => round.cpu / round.streamed.length);
  const firsts = measured.flatMap(({ streamed }) => streamed.map(({ firstMs }) => firstMs));
  return {
    perChunk: Math.min(...measured.map((round) => round.cpu / framesOf(round))),
    perStream: Math.min(...perStreamOf),
    perStreamOf,
    firstMs: { median: median(firsts), p99: quantile(firsts, 0.99) },
    chunks: median(measured.map((round) => framesOf(round) / round.streamed.length)),
  };
}

function connectAll(contender: Contender, streams: number) {
  return Promise.all(Array.from({ length: streams }, (_, stream) => contender.connect(stream)));
}

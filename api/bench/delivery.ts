import type { Contender } from './contenders.ts';
import { median, quantile } from './median.ts';
import type { Streamed } from './streams.ts';

export interface DeliveryCost {
  /** Microseconds of the server's processor time for each frame that a client got. */
  readonly perChunk: number;
  /** The same, in the best of the rounds: the least that other work on the machine can be blamed for. */
  readonly bestPerChunk: number;
  /** The same for each stream. */
  readonly perStream: number;
  readonly firstMs: { readonly median: number; readonly p99: number };
  /** Frames of a stream. */
  readonly chunks: number;
}

export interface Rounds {
  readonly streams: number;
  readonly warmUps: number;
  /** Fewer will do to warm up; all of them where nothing else is said. */
  readonly warmUpStreams?: number;
  readonly rounds: number;
  /** Streams begin spread over so many milliseconds. */
  readonly spreadMs?: number;
}

/** All streams of a server at once, the servers in turn, several times; the median of the rounds counts. */
export async function measureDeliveries<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  { streams, warmUps, warmUpStreams = streams, rounds, spreadMs = 0 }: Rounds,
): Promise<Readonly<Record<Name, DeliveryCost>>> {
  const names = Object.keys(contenders) as Name[];
  const measured = new Map(names.map((name) => [name, [] as Round[]]));
  const open = await Promise.all(
    names.map(async (name) => [name, await connectAll(contenders[name], streams)] as const),
  );
  const all = warmUps + (process.argv.includes('--quick') ? Math.min(rounds, 2) : rounds);
  for (let round = 0; round < all; round += 1) {
    for (const [name, connections] of open) {
      const { server, request } = contenders[name];
      const before = await server.cpu();
      const asking = round < warmUps ? connections.slice(0, warmUpStreams) : connections;
      const streamed = await Promise.all(
        asking.map(async (connection, stream) => {
          if (spreadMs > 0) await new Promise((resolve) => setTimeout(resolve, (spreadMs * stream) / streams));
          return connection.stream(request(round, stream));
        }),
      );
      measured.get(name)?.push({ cpu: (await server.cpu()) - before, streamed });
    }
  }
  for (const [, connections] of open) for (const connection of connections) connection.close();
  const costs = names.map((name) => [name, costOf((measured.get(name) ?? []).slice(warmUps))] as const);
  return Object.fromEntries(costs) as Record<Name, DeliveryCost>;
}

interface Round {
  readonly cpu: number;
  readonly streamed: readonly Streamed[];
}

function costOf(measured: readonly Round[]): DeliveryCost {
  const framesOf = ({ streamed }: Round) => streamed.reduce((sum, { frames }) => sum + frames, 0);
  const firsts = measured.flatMap(({ streamed }) => streamed.map(({ firstMs }) => firstMs));
  return {
    perChunk: median(measured.map((round) => round.cpu / framesOf(round))),
    bestPerChunk: Math.min(...measured.map((round) => round.cpu / framesOf(round))),
    perStream: median(measured.map((round) => round.cpu / round.streamed.length)),
    firstMs: { median: median(firsts), p99: quantile(firsts, 0.99) },
    chunks: median(measured.map((round) => framesOf(round) / round.streamed.length)),
  };
}

function connectAll(contender: Contender, streams: number) {
  return Promise.all(Array.from({ length: streams }, (_, stream) => contender.connect(stream)));
}

import type { MeasuredProcess } from './measured-process.ts';
import { median, quantile } from './median.ts';
import { type Connection, connect, type Streamed } from './streams.ts';

export interface DeliveryCost {
  /** Microseconds of the server's processor time for each frame that a client got. */
  readonly perChunk: number;
  readonly firstMs: { readonly median: number; readonly p99: number };
  readonly chunks: number;
}

export const streams = 50;
const warmUps = 3;
const rounds = 8;

export interface Delivery {
  readonly server: MeasuredProcess;
  /** One for each stream. */
  readonly connections: readonly Connection[];
  request(round: number, stream: number): string;
}

/** All streams of a server at once, the servers in turn, several times; the median of the rounds counts. */
export async function measureDeliveries<Name extends string>(
  deliveries: Readonly<Record<Name, Delivery>>,
): Promise<Readonly<Record<Name, DeliveryCost>>> {
  const names = Object.keys(deliveries) as Name[];
  const measured = new Map(names.map((name) => [name, [] as Round[]]));
  for (let round = 0; round < warmUps + rounds; round += 1) {
    for (const name of names) measured.get(name)?.push(await measureRound(deliveries[name], round));
  }
  const costs = names.map((name) => [name, costOf((measured.get(name) ?? []).slice(warmUps))] as const);
  return Object.fromEntries(costs) as Record<Name, DeliveryCost>;
}

interface Round {
  readonly cpu: number;
  readonly streamed: readonly Streamed[];
}

async function measureRound({ server, connections, request }: Delivery, round: number): Promise<Round> {
  const before = await server.cpu();
  const streamed = await Promise.all(
    connections.map((connection, stream) => connection.stream(request(round, stream))),
  );
  return { cpu: (await server.cpu()) - before, streamed };
}

function costOf(measured: readonly Round[]): DeliveryCost {
  const framesOf = ({ streamed }: Round) => streamed.reduce((sum, { frames }) => sum + frames, 0);
  const firsts = measured.flatMap(({ streamed }) => streamed.map(({ firstMs }) => firstMs));
  return {
    perChunk: median(measured.map((round) => round.cpu / framesOf(round))),
    firstMs: { median: median(firsts), p99: quantile(firsts, 0.99) },
    chunks: median(measured.map((round) => framesOf(round) / streams)),
  };
}

export function connectAll(url: string, tokens: readonly (string | undefined)[]): Promise<readonly Connection[]> {
  return Promise.all(Array.from({ length: streams }, (_, stream) => connect(url, tokens[stream % tokens.length])));
}

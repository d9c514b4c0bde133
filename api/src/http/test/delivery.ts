import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GraphQLInt, GraphQLNonNull, GraphQLObjectType, GraphQLSchema, GraphQLString, GraphQLUnionType } from 'graphql';
import { createYoga, type MaskError } from 'graphql-yoga';
import type { OracleContext } from '../../graphql/context.ts';
import { createLogger } from '../../logger.ts';
import { Follower } from '../../runs/follower.ts';
import type { FollowedChunk, HeldChunk } from '../../runs/inbox.ts';
import { deliverDirectly } from '../direct-delivery.ts';
import { DirectEvents, type EndWatch } from '../direct-events.ts';
import type { SocketContext } from '../graphql-endpoint.ts';
import { serveWebSockets } from '../websocket.ts';

export const query = 'subscription { run { ... on ContentChunk { seq slow } } }';

/** A run of chunks delivered over real connections, with a field that the test answers when it likes. */
export interface Delivery {
  readonly url: string;
  /** Chunks fresh from their commit. */
  offer(...chunks: readonly HeldChunk[]): void;
  /** As when the server stops. */
  closeSource(): void;
  /** As when a token is revoked. */
  endToken(): void;
  /** Resolves when the reader is gone. */
  readonly left: Promise<void>;
  stop(): Promise<void>;
}

export interface DeliveryOptions {
  /** What the field says of a chunk; text goes the short way, a promise to the executor. */
  slow(seq: number): string | Promise<string>;
  mask?: MaskError;
}

export function contentAt(seq: number): HeldChunk {
  const place = { runId: 'run', seq, fromSeq: seq, at: '2026-11-16T00:00:00.000Z' };
  return { chunk: { ...place, type: 'ContentChunk', text: '' }, size: 1 };
}

export function doneAt(seq: number): HeldChunk {
  return { chunk: { ...contentAt(seq).chunk, type: 'DoneChunk' } as FollowedChunk, size: 1 };
}

export async function startDelivery({ slow, mask = (error) => error as Error }: DeliveryOptions): Promise<Delivery> {
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  const follower = new Follower({ readPage: async () => undefined, onClose: () => leave() }, 0, true);
  const ends: (() => void)[] = [];
  const endpoint = createYoga<SocketContext, OracleContext>({
    schema: schemaOf(follower, slow),
    maskedErrors: { maskError: mask },
    logging: false,
    plugins: [
      deliverDirectly(mask),
      {
        onSubscribe: () => ({
          onSubscribeResult({ result }: { readonly result: unknown }) {
            if (result instanceof DirectEvents) result.endWhen(endedBy(ends));
          },
        }),
      },
    ],
  });
  const server = createServer((request, response) => void endpoint(request, response));
  const sockets = serveWebSockets(server, endpoint, createLogger('silent'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    offer: (...chunks) => follower.offer(chunks),
    closeSource: () => follower.close(),
    endToken: () => {
      for (const end of ends) end();
    },
    left,
    async stop() {
      await sockets.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

function endedBy(ends: (() => void)[]): EndWatch {
  return {
    begin: (events) => void ends.push(() => events.endWith({ data: { run: 'The token has ended.' } })),
    stop: () => undefined,
  };
}

function schemaOf(follower: Follower, slow: DeliveryOptions['slow']): GraphQLSchema {
  const seq = { type: new GraphQLNonNull(GraphQLInt) };
  const ContentChunk = new GraphQLObjectType<FollowedChunk>({
    name: 'ContentChunk',
    fields: { seq, slow: { type: GraphQLString, resolve: (chunk) => slow(chunk.seq) } },
  });
  const DoneChunk = new GraphQLObjectType({ name: 'DoneChunk', fields: { seq } });
  const Chunk = new GraphQLUnionType({
    name: 'Chunk',
    types: [ContentChunk, DoneChunk],
    resolveType: (chunk: FollowedChunk) => chunk.type,
  });
  return new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: { nothing: { type: GraphQLString } } }),
    subscription: new GraphQLObjectType({
      name: 'Subscription',
      fields: { run: { type: Chunk, subscribe: () => follower, resolve: (chunk) => chunk } },
    }),
  });
}

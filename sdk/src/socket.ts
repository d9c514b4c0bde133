import { createClient } from 'graphql-ws/client';
import { readCredentials, type TokenSource } from './credentials.ts';
import type { Endpoint } from './endpoint.ts';
import { iterate, type Sink } from './iterate.ts';
import { isServerErrors, OracleError, serverFailure } from './oracle-error.ts';
import { readerIsBehind, type Transport } from './transport.ts';

/** Anything with the shape of the standard `WebSocket`, such as the class of the `ws` package. */
export type WebSocketConstructor = new (url: string, protocol: string) => object;

/** Where to connect, as whom, and by what. */
export interface SocketOptions {
  readonly endpoint: Endpoint;
  readonly token: TokenSource;
  readonly WebSocket: WebSocketConstructor;
}

interface Answer {
  readonly data?: object | null | undefined;
  readonly errors?: unknown;
}

const pingEveryMs = 15_000;
const pongWithinMs = 5_000;
const connectWithinMs = 8_000;
/** A WebSocket cannot be told to wait: beyond so many unread events its subscription is ended, and taken up again later. */
const mostUnread = 512;

/** All subscriptions over one WebSocket that lives from the first to the last of them. */
export function makeSocketTransport({ endpoint, token, WebSocket }: SocketOptions): Transport {
  const listeners = new Set<Sink<Answer>>();
  let redact = (text: string) => text;
  let refused = false;
  let connection = 0;
  let refusedConnection = -1;
  let patience: ReturnType<typeof setTimeout> | undefined;

  function wait(milliseconds: number) {
    clearTimeout(patience);
    patience = setTimeout(() => client.terminate(), milliseconds);
  }

  const client = createClient({
    url: endpoint.socket,
    webSocketImpl: withQuietErrors(WebSocket),
    keepAlive: pingEveryMs,
    retryAttempts: 0,
    async connectionParams() {
      const credentials = await readCredentials(token, refused);
      redact = credentials.redact;
      refused = false;
      return { ...(credentials.authorization && { authorization: credentials.authorization }) };
    },
    on: {
      connecting() {
        connection += 1;
        wait(connectWithinMs);
      },
      connected: () => clearTimeout(patience),
      ping: (received) => received || wait(pongWithinMs),
      pong: (received) => received && clearTimeout(patience),
      closed(event) {
        clearTimeout(patience);
        // Told here, since for some close codes the client would silently start the same subscription again.
        for (const sink of listeners) sink.error(event);
      },
    },
  });

  return {
    name: 'ws',
    async *listen({ query, variables }, attempt) {
      // A connection has the token it was opened with: another token needs another connection.
      refused = attempt.refused;
      if (refused && connection === refusedConnection) client.terminate();
      const room = { items: mostUnread, failure: readerIsBehind };
      const answers = iterate<Answer>(
        (sink) => {
          listeners.add(sink);
          const forget = client.on('connected', attempt.onContact);
          const stop = client.subscribe<object>({ query, variables: variables as Record<string, unknown> }, sink);
          return () => {
            listeners.delete(sink);
            forget();
            stop();
          };
        },
        attempt.signal,
        room,
      );
      try {
        for await (const { data, errors } of answers) {
          attempt.onContact();
          if (isServerErrors(errors)) throw errors;
          if (data) yield data;
        }
      } catch (failure) {
        if (failure === readerIsBehind) throw failure;
        const explained = explain(failure, endpoint, redact);
        if (explained.code === 'UNAUTHENTICATED') refusedConnection = connection;
        throw explained;
      }
    },
  };
}

/** The `ws` package throws what nobody listens to, such as the end of an attempt that was given up. */
function withQuietErrors(WebSocket: WebSocketConstructor): WebSocketConstructor {
  return class extends WebSocket {
    constructor(url: string, protocol: string) {
      super(url, protocol);
      (this as { on?: (event: string, listener: () => void) => void }).on?.('error', () => {});
    }
  };
}

function explain(failure: unknown, endpoint: Endpoint, redact: (text: string) => string): OracleError {
  if (failure instanceof OracleError) return failure;
  if (isServerErrors(failure)) return serverFailure(failure, redact);
  if (isCloseEvent(failure)) {
    const { code, reason } = failure;
    // graphql-ws servers turn a caller away with 4403; 4401 is what others use.
    if (code === 4401 || code === 4403) return new OracleError('UNAUTHENTICATED', 'The server refused the token.');
    if (code >= 4000 && code !== 4499) {
      return new OracleError('SERVER_ERROR', `${endpoint.label} closed the connection: ${redact(reason)}`);
    }
  }
  return new OracleError('NETWORK', `The connection to ${endpoint.label} failed.`);
}

function isCloseEvent(value: unknown): value is { readonly code: number; readonly reason: string } {
  if (typeof value !== 'object' || value === null || !('code' in value) || !('reason' in value)) return false;
  return typeof value.code === 'number' && typeof value.reason === 'string';
}

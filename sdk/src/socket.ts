import { createClient } from 'graphql-ws/client';
import { readCredentials, type TokenSource } from './credentials.ts';
import type { Endpoint } from './endpoint.ts';
import type { Sink } from './iterate.ts';
import { isServerErrors, OracleError, serverFailure } from './oracle-error.ts';

/** Anything with the shape of the standard `WebSocket`, such as the class of the `ws` package. */
export type WebSocketConstructor = new (url: string, protocol: string) => object;

/** Where to connect, as whom, and by what. */
export interface SocketOptions {
  readonly endpoint: Endpoint;
  readonly token: TokenSource;
  readonly WebSocket: WebSocketConstructor | undefined;
}

/** A connection that is open while anybody listens. */
export interface Socket {
  /** Starts a subscription; the function it returns stops it. */
  listen(payload: { readonly query: string; readonly variables: unknown }, sink: Sink<Answer>): () => void;
  /** What a failure handed to a sink means. */
  explain(failure: unknown): OracleError;
}

/** One event of a subscription, as the server sends it. */
export interface Answer {
  readonly data?: object | null | undefined;
  readonly errors?: unknown;
}

const attemptsBeforeFirstContact = 5;
const pingEveryMs = 15_000;
const pongWithinMs = 5_000;
const longestPauseMs = 15_000;

/** Connects on the first `listen`. Once there was contact it reconnects for ever; before that, a few times only. */
export function openSocket({ endpoint, token, WebSocket }: SocketOptions): Socket {
  const webSocketImpl = WebSocket ?? globalThis.WebSocket;
  if (!webSocketImpl) throw new OracleError('NETWORK', 'This runtime has no WebSocket: pass one as an option.');

  let attempts = 0;
  let everConnected = false;
  let acknowledged = false;
  let redact = (text: string) => text;
  let endPause = () => {};
  let pongTimer: ReturnType<typeof setTimeout> | undefined;

  const client = createClient({
    url: endpoint.socket,
    webSocketImpl,
    keepAlive: pingEveryMs,
    retryAttempts: Number.POSITIVE_INFINITY,
    async connectionParams() {
      const credentials = await readCredentials(token);
      redact = credentials.redact;
      return { ...(credentials.authorization && { authorization: credentials.authorization }) };
    },
    shouldRetry(failure) {
      if (failure instanceof OracleError) return false;
      // A token that ran out while connected may be replaced by a fresh one; one refused at the door may not.
      if (isRefusal(failure)) return acknowledged && typeof token === 'function';
      return everConnected || attempts < attemptsBeforeFirstContact;
    },
    retryWait: (retries) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, pauseMs(retries));
        endPause = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    on: {
      connecting() {
        attempts += 1;
        acknowledged = false;
      },
      connected() {
        everConnected = acknowledged = true;
      },
      ping(received) {
        if (!received) pongTimer = setTimeout(() => client.terminate(), pongWithinMs);
      },
      pong(received) {
        if (received) clearTimeout(pongTimer);
      },
      closed: () => clearTimeout(pongTimer),
    },
  });

  return {
    listen({ query, variables }, sink) {
      const stop = client.subscribe<object>({ query, variables: variables as Record<string, unknown> }, sink);
      return () => {
        stop();
        endPause(); // else a program that stopped listening would linger until the next attempt
      };
    },
    explain: (failure) => explain(failure, endpoint, redact),
  };
}

/** Doubles from a quarter of a second; the jitter keeps a crowd of clients from returning all at once. */
function pauseMs(retries: number): number {
  return Math.min(250 * 2 ** retries, longestPauseMs) * (0.75 + Math.random() / 2);
}

function explain(failure: unknown, endpoint: Endpoint, redact: (text: string) => string): OracleError {
  if (failure instanceof OracleError) return failure;
  if (isServerErrors(failure)) return serverFailure(failure, redact);
  if (isRefusal(failure)) return new OracleError('UNAUTHENTICATED', 'The server refused the token.');
  if (isCloseEvent(failure) && failure.code >= 4000) {
    return new OracleError('SERVER_ERROR', `${endpoint.label} closed the connection: ${redact(failure.reason)}`);
  }
  return new OracleError('NETWORK', `The connection to ${endpoint.label} failed.`);
}

/** graphql-ws servers turn a caller away with 4403; 4401 is what others use. */
function isRefusal(failure: unknown): boolean {
  return isCloseEvent(failure) && (failure.code === 4401 || failure.code === 4403);
}

function isCloseEvent(value: unknown): value is { readonly code: number; readonly reason: string } {
  if (typeof value !== 'object' || value === null || !('code' in value) || !('reason' in value)) return false;
  return typeof value.code === 'number' && typeof value.reason === 'string';
}

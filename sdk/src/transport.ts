import type { OracleError } from './oracle-error.ts';

/** What is sent to start a subscription. */
export interface Operation {
  readonly query: string;
  readonly variables: unknown;
}

/** One try of one subscription. */
export interface Attempt {
  readonly signal: AbortSignal;
  /** The token used before was refused: ask for another. */
  readonly refused: boolean;
  /** To be called once the server has taken the connection. */
  readonly onContact: () => void;
}

/**
 * A way for subscriptions to travel. It yields the data of each event and ends when the server completes the
 * subscription; anything else is thrown as an `OracleError`. Each call is one try: reconnecting is not its business.
 */
export interface Transport {
  readonly name: 'ws' | 'sse';
  listen(operation: Operation, attempt: Attempt): AsyncGenerator<object, void, void>;
}

/** Which way subscriptions travel: `auto` is a WebSocket, or server-sent events where WebSockets are blocked. */
export type TransportChoice = 'ws' | 'sse' | 'auto';

/** Thrown when the reader is too slow for what has arrived: what it has not read is asked for again, later. */
export const readerIsBehind = Symbol('readerIsBehind');

/** How an attempt failed. */
export type AttemptFailure = OracleError | typeof readerIsBehind;

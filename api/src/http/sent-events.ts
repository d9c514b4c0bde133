import type { ExecutionResult } from 'graphql';
import type { BatchingWebSocket } from './batching-socket.ts';
import type { DirectEvents, EventSink } from './direct-events.ts';

type Result = IteratorResult<ExecutionResult, undefined>;
const done: Result = { done: true, value: undefined };

/**
 * Sends results over a socket as messages of the operation. For the protocol's own code this is a stream that yields
 * nothing and ends when the last result was sent: it begins, completes and closes it as any other.
 */
export class SentEvents implements AsyncIterableIterator<ExecutionResult, undefined>, EventSink {
  readonly #socket: BatchingWebSocket;
  readonly #events: DirectEvents;
  readonly #before: string;
  readonly #ended: Promise<Result>;
  #resolve: ((result: Result) => void) | undefined;
  #begun = false;

  constructor(socket: BatchingWebSocket, id: string, events: DirectEvents) {
    this.#socket = socket;
    this.#events = events;
    this.#before = `{"id":${JSON.stringify(id)},"type":"next","payload":`;
    this.#ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result> {
    if (!this.#begun) {
      this.#begun = true;
      this.#events.sendTo(this);
    }
    return this.#ended;
  }

  async return(): Promise<Result> {
    this.#events.close();
    this.end();
    return done;
  }

  send(text: string): boolean {
    return this.#socket.sendText(`${this.#before}${text}}`, this.#events);
  }

  end(): void {
    this.#resolve?.(done);
  }
}

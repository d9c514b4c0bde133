import type { ExecutionResult } from 'graphql';
import type { BatchingWebSocket } from './batching-socket.ts';
import type { DirectEvents } from './direct-events.ts';

type Result = IteratorResult<ExecutionResult, undefined>;
const done: Result = { done: true, value: undefined };

/**
 * Sends results over a socket as messages of the operation. For the protocol's own code this is a stream that yields
 * nothing and ends when the last result was sent: it begins, completes and closes it as any other.
 */
export function sentOver(
  socket: BatchingWebSocket,
  id: string,
  events: DirectEvents,
): AsyncIterableIterator<ExecutionResult, undefined> {
  const before = `{"id":${JSON.stringify(id)},"type":"next","payload":`;
  const resume = () => events.resume();
  let end: (result: Result) => void = () => undefined;
  const ended = new Promise<Result>((resolve) => {
    end = resolve;
  });
  let begun = false;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next() {
      if (!begun) {
        begun = true;
        events.sendTo({ send: (text) => socket.sendText(`${before}${text}}`, resume), end: () => end(done) });
      }
      return ended;
    },
    async return() {
      events.close();
      end(done);
      return done;
    },
  };
}

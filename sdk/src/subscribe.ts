import { iterate } from './iterate.ts';
import { isServerErrors } from './oracle-error.ts';
import type { RequestArguments } from './request.ts';
import { type Answer, openSocket, type Socket, type SocketOptions } from './socket.ts';
import type { TypedDocument } from './typed-document.ts';

/**
 * Listens to a subscription. Aborting the signal, or leaving the loop, stops listening. A lost connection is made
 * again, with growing pauses, and the subscription starts anew on it.
 */
export type Subscribe = <Result, Variables>(
  document: TypedDocument<Result, Variables>,
  ...rest: RequestArguments<Variables>
) => AsyncGenerator<Result, void, void>;

interface Subscriptions {
  readonly subscribe: Subscribe;
  /** Ends every subscription; a later one opens a new connection. */
  close(): void;
}

/** All subscriptions of a client, over one WebSocket that lives from the first to the last of them. */
export function makeSubscriptions(options: SocketOptions): Subscriptions {
  let socket: Socket | undefined;
  let closing = new AbortController();

  return {
    async *subscribe<Result, Variables>(
      document: TypedDocument<Result, Variables>,
      ...[variables, { signal: aborted } = {}]: RequestArguments<Variables>
    ) {
      const signal = aborted ? AbortSignal.any([aborted, closing.signal]) : closing.signal;
      if (signal.aborted) return;
      socket ??= openSocket(options);
      const { listen, explain } = socket;
      try {
        const answers = iterate<Answer>((sink) => listen({ query: document, variables }, sink), signal);
        for await (const { data, errors } of answers) {
          if (isServerErrors(errors)) throw errors;
          yield data as Result;
        }
      } catch (failure) {
        throw explain(failure);
      }
    },

    close() {
      closing.abort();
      closing = new AbortController();
      socket = undefined;
    },
  };
}

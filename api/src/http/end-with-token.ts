import { Repeater } from '@repeaterjs/repeater';
import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { unauthenticated } from '../access/access-error.ts';
import type { TokenWatch } from '../access/token-watch.ts';
import type { Viewer } from '../access/viewer.ts';
import type { OracleContext } from '../graphql/context.ts';

/** A live subscription ends, saying why, when the token that opened it expires or is revoked. */
export function endWithToken(watch: TokenWatch): Plugin<OracleContext> {
  return {
    onSubscribe: () => ({
      onSubscribeResult({ result, setResult, args }) {
        const { viewer } = args.contextValue;
        if (viewer && isStream(result)) setResult(untilTokenEnds(result, viewer, watch));
      },
    }),
  };
}

function untilTokenEnds(stream: AsyncIterable<ExecutionResult>, viewer: Viewer, watch: TokenWatch) {
  const ended = new Repeater<ExecutionResult>(async (push, stop) => {
    const stopWatching = watch.onEnd(viewer, () => {
      void push({ errors: [unauthenticated('The token of this subscription has ended.')] });
      stop();
    });
    await stop;
    stopWatching();
  });
  return raceToEnd(stream, ended);
}

/** Passes both on; when either is through, the other is let go of. */
function raceToEnd(...streams: readonly AsyncIterable<ExecutionResult>[]): AsyncIterableIterator<ExecutionResult> {
  return new Repeater<ExecutionResult>(async (push, stop) => {
    const iterators = streams.map((stream) => stream[Symbol.asyncIterator]());
    void stop.then(() => Promise.all(iterators.map((iterator) => iterator.return?.())));
    await Promise.race(
      iterators.map(async (iterator) => {
        for (let next = await iterator.next(); !next.done; next = await iterator.next()) await push(next.value);
      }),
    );
    stop();
  });
}

function isStream(result: unknown): result is AsyncIterable<ExecutionResult> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}

import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { unauthenticated } from '../access/access-error.ts';
import type { TokenWatch } from '../access/token-watch.ts';
import type { Viewer } from '../access/viewer.ts';
import type { OracleContext } from '../graphql/context.ts';
import { EndableStream } from './endable-stream.ts';

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
  return new EndableStream(stream[Symbol.asyncIterator](), (end) =>
    watch.onEnd(viewer, () => end({ errors: [unauthenticated('The token of this subscription has ended.')] })),
  );
}

function isStream(result: unknown): result is AsyncIterable<ExecutionResult> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}

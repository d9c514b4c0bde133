import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { unauthenticated } from '../access/access-error.ts';
import type { TokenWatch } from '../access/token-watch.ts';
import type { Viewer } from '../access/viewer.ts';
import type { OracleContext } from '../graphql/context.ts';
import { DirectEvents, type WatchForEnd } from './direct-events.ts';
import { EndableStream } from './endable-stream.ts';

/** A live subscription ends, saying why, when the token that opened it expires or is revoked. */
export function endWithToken(watch: TokenWatch): Plugin<OracleContext> {
  return {
    onSubscribe: () => ({
      onSubscribeResult({ result, setResult, args }) {
        const { viewer } = args.contextValue;
        if (!viewer) return;
        if (result instanceof DirectEvents) result.endWhen(tokenEnd(viewer, watch));
        else if (isStream(result))
          setResult(new EndableStream(result[Symbol.asyncIterator](), tokenEnd(viewer, watch)));
      },
    }),
  };
}

function tokenEnd(viewer: Viewer, watch: TokenWatch): WatchForEnd {
  return (end) =>
    watch.onEnd(viewer, () => end({ errors: [unauthenticated('The token of this subscription has ended.')] }));
}

function isStream(result: unknown): result is AsyncIterable<ExecutionResult> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}

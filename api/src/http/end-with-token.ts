import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { unauthenticated } from '../access/access-error.ts';
import type { TokenUser, TokenWatch } from '../access/token-watch.ts';
import type { Viewer } from '../access/viewer.ts';
import type { OracleContext } from '../graphql/context.ts';
import type { Watch } from '../watchers.ts';
import { isStream } from './close-for-the-gone.ts';
import { DirectEvents, type EndWatch } from './direct-events.ts';
import { EndableStream } from './endable-stream.ts';

/** A live subscription ends, saying why, when the token that opened it expires or is revoked. */
export function endWithToken(tokens: TokenWatch): Plugin<OracleContext> {
  return {
    onSubscribe: () => ({
      onSubscribeResult({ result, setResult, args }) {
        const { viewer } = args.contextValue;
        if (!viewer) return;
        if (result instanceof DirectEvents) result.endWhen(new TokenEnd(tokens, viewer));
        else if (isStream(result))
          setResult(
            new EndableStream<ExecutionResult>(result[Symbol.asyncIterator](), (end) => {
              const user = { tokenEnded: () => end(lastWord()) };
              const watch = tokens.watch(user, viewer);
              return () => watch.end();
            }),
          );
      },
    }),
  };
}

/** Between the subscription and the token: there is one for each subscription that waits, hence no closures. */
class TokenEnd implements EndWatch, TokenUser {
  readonly #tokens: TokenWatch;
  readonly #viewer: Viewer;
  #events: DirectEvents | undefined;
  #watch: Watch | undefined;

  constructor(tokens: TokenWatch, viewer: Viewer) {
    this.#tokens = tokens;
    this.#viewer = viewer;
  }

  begin(events: DirectEvents): void {
    this.#events = events;
    this.#watch = this.#tokens.watch(this, this.#viewer);
  }

  stop(): void {
    this.#watch?.end();
  }

  tokenEnded(): void {
    this.#events?.endWith(lastWord());
  }
}

function lastWord(): ExecutionResult {
  return { errors: [unauthenticated('The token of this subscription has ended.')] };
}

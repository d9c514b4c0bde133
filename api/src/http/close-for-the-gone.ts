import type { ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { DirectEvents } from './direct-events.ts';

/**
 * Closes a subscription whose client left while it was being opened. Its answer is never sent, so nothing would close
 * it later, and a run would count it as a reader. Once the head is sent, closing the response closes the subscription.
 */
export function closeForTheGone(): Plugin {
  const hooks = {
    onSubscribeResult({
      result,
      args,
    }: {
      readonly result: unknown;
      readonly args: { readonly contextValue: unknown };
    }) {
      const { res: response } = args.contextValue as { readonly res?: ServerResponse };
      if (!response?.destroyed) return;
      if (result instanceof DirectEvents) result.close();
      else if (isStream(result)) void result[Symbol.asyncIterator]().return?.();
    },
  };
  return { onSubscribe: () => hooks };
}

export function isStream(result: unknown): result is AsyncIterable<ExecutionResult> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}

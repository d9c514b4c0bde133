import type { Readable } from 'node:stream';
import { RequestCache } from '@pothos/plugin-scope-auth';
import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, execute, type GraphQLError } from 'graphql';
import type { FetchAPI, MaskError, Plugin } from 'graphql-yoga';
import { leanContext, type OracleContext } from '../graphql/context.ts';
import { Follower } from '../runs/follower.ts';
import { compileAnswers } from './compiled-answers.ts';
import type { WriteText } from './compiled-selection.ts';
import { DirectEvents, type EventExecutor } from './direct-events.ts';
import { EventStreamBody } from './event-stream-body.ts';

const eventStream = 'text/event-stream';
const headers = {
  'content-type': eventStream,
  connection: 'keep-alive',
  'cache-control': 'no-cache',
  'content-encoding': 'none',
};

/** The one underneath takes bodies that are streams of Node's own as they are, which the standard does not know. */
interface StreamingFetchApi {
  readonly Response: new (body: Readable, init: ResponseInit) => Response;
}

/**
 * Delivers runs on a short way, over WebSocket and as server-sent events: the selection is looked through once, and
 * each chunk is written as text straight from its commit. Whatever is out of the ordinary, in a subscription or in one
 * event, goes the usual way, so that nothing is different but the time it takes.
 */
export function deliverDirectly(mask: MaskError): Plugin {
  return {
    onSubscribe({ args, setSubscribeFn }) {
      const request = (args.contextValue as { readonly request?: Request }).request;
      if (request && !request.headers.get('accept')?.includes(eventStream)) return;
      const answer = compileAnswers(args);
      if (answer) setSubscribeFn(() => subscribe(args, answer, mask));
    },
    onResultProcess({ result, setResultProcessor }) {
      if (!(result instanceof DirectEvents)) return;
      const process = (_result: unknown, fetchApi: FetchAPI) =>
        new (fetchApi as FetchAPI & StreamingFetchApi).Response(new EventStreamBody(result), { headers });
      setResultProcessor(process, eventStream);
    },
  };
}

async function subscribe(
  args: ExecutionArgs,
  answer: WriteText,
  mask: MaskError,
): Promise<ExecutionResult | AsyncIterable<ExecutionResult>> {
  const source = await createSourceEventStream(args);
  // It refers to the request that it is known by, and both would count as alive until a full collection of garbage.
  RequestCache.clearForContext(args.contextValue as OracleContext);
  if (!(Symbol.asyncIterator in source)) return source;
  const executor = new Executor(args, mask);
  return source instanceof Follower ? new DirectEvents(source, answer, executor) : each(source, executor);
}

/** Holds of a subscription's arguments what its events need, for as long as it lasts. */
class Executor implements EventExecutor {
  readonly #args: ExecutionArgs;
  readonly #mask: MaskError;

  constructor({ schema, document, operationName, variableValues, contextValue }: ExecutionArgs, mask: MaskError) {
    const lean = leanContext(contextValue as OracleContext);
    this.#args = { schema, document, operationName, variableValues, contextValue: lean };
    this.#mask = mask;
  }

  async execute(event: unknown): Promise<ExecutionResult> {
    return masked(await execute({ ...this.#args, rootValue: event }), this.#mask);
  }

  lastWord(error: unknown): ExecutionResult {
    return { errors: [this.#mask(error, String(error)) as GraphQLError] };
  }
}

async function* each(source: AsyncIterable<unknown>, executor: EventExecutor) {
  for await (const event of source) yield await executor.execute(event);
}

function masked(result: ExecutionResult, mask: MaskError): ExecutionResult {
  if (!result.errors) return result;
  return { ...result, errors: result.errors.map((error) => mask(error, error.message) as typeof error) };
}

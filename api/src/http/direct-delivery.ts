import type { Readable } from 'node:stream';
import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import type { FetchAPI, MaskError, Plugin } from 'graphql-yoga';
import { leanContext, type OracleContext } from '../graphql/context.ts';
import { Follower } from '../runs/follower.ts';
import { compileAnswers } from './compiled-answers.ts';
import type { WriteText } from './compiled-selection.ts';
import { DirectEvents } from './direct-events.ts';
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
  if (!(Symbol.asyncIterator in source)) return source;
  const contextValue = leanContext(args.contextValue as OracleContext);
  const { schema, document, operationName, variableValues } = args;
  const later: ExecutionArgs = { schema, document, operationName, variableValues, contextValue };
  const executed = async (event: unknown) => masked(await execute({ ...later, rootValue: event }), mask);
  return source instanceof Follower ? new DirectEvents(source, answer, executed) : each(source, executed);
}

async function* each(source: AsyncIterable<unknown>, executed: (event: unknown) => Promise<ExecutionResult>) {
  for await (const event of source) yield await executed(event);
}

function masked(result: ExecutionResult, mask: MaskError): ExecutionResult {
  if (!result.errors) return result;
  return { ...result, errors: result.errors.map((error) => mask(error, error.message) as typeof error) };
}

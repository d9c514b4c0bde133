import { makeCursor } from './cursor.ts';
import type { Connect } from './reconnect.ts';
import type { RequestArguments } from './request.ts';
import type { TypedDocument } from './typed-document.ts';

/**
 * Listens to a subscription. Aborting the signal, or leaving the loop, stops listening. A lost connection is made
 * again, with growing pauses, and the subscription starts anew on it. The chunks of a run are still handed out once and
 * in order, where the document asks for `seq` and `fromSeq`; a question that is asked by it is asked once.
 */
export type Subscribe = <Result, Variables>(
  document: TypedDocument<Result, Variables>,
  ...rest: RequestArguments<Variables>
) => AsyncGenerator<Result, void, void>;

/** Subscriptions to any document. */
export function makeSubscribe(connect: Connect, until: () => AbortSignal): Subscribe {
  return <Result, Variables>(
    document: TypedDocument<Result, Variables>,
    ...[variables, { signal } = {}]: RequestArguments<Variables>
  ) => {
    const cursor = makeCursor();
    const operation = { query: document, variables: askedOnce(document, variables) };
    return connect<Result>(
      {
        operation: () => operation,
        receive(data) {
          const verdict = cursor.judge(Object.values(data)[0]);
          if (verdict === 'gap') return 'gap';
          return verdict === 'seen' ? 'nothing' : { item: data as Result };
        },
        ended: (completed) => completed,
      },
      signal ? AbortSignal.any([signal, until()]) : until(),
    );
  };
}

/** With a key a question that is sent again on a new connection joins its first run. */
function askedOnce(document: string, variables: unknown): unknown {
  if (!/\b(oracleQuery|continueRun|answerNow)\b/.test(document) || !isObject(variables)) return variables;
  const { input } = variables;
  return isObject(input) ? { ...variables, input: { idempotencyKey: crypto.randomUUID(), ...input } } : variables;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

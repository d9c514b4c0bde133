import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  getNullableType,
  getOperationAST,
  isAbstractType,
  isObjectType,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { compileSelection, type Selected, type WriteValue } from './compiled-selection.ts';

/** What is sent for an event; undefined when the general executor has to say. */
type Answer = (event: unknown) => ExecutionResult | undefined;

/**
 * Answers the events of a subscription to a union, as runs are, without going through the general executor for each:
 * the selection is looked through once. Whatever is out of the ordinary, in a subscription or in one event, goes the
 * usual way, so that nothing is different but the time it takes.
 */
export function answerEventsFast(): Plugin {
  return {
    onSubscribe({ args, setSubscribeFn }) {
      const answer = compileAnswers(args);
      if (answer) setSubscribeFn(() => subscribe(args, answer));
    },
  };
}

async function subscribe(args: ExecutionArgs, answer: Answer): Promise<ExecutionResult | AnsweredEvents> {
  const source = await createSourceEventStream(args);
  return Symbol.asyncIterator in source ? new AnsweredEvents(source[Symbol.asyncIterator](), args, answer) : source;
}

export function compileAnswers(args: ExecutionArgs): Answer | undefined {
  const operation = getOperationAST(args.document, args.operationName);
  const [field, ...others] = operation?.selectionSet.selections ?? [];
  const root = args.schema.getSubscriptionType();
  if (!operation || !root || field?.kind !== 'Field' || others.length > 0) return undefined;
  const type = getNullableType(root.getFields()[field.name.value]?.type);
  if (!isAbstractType(type) || !type.resolveType || (field.directives?.length ?? 0) > 0) return undefined;
  const selected: Selected = { args, operation, field, root };
  const key = field.alias?.value ?? field.name.value;
  const writers = new Map<string, WriteValue | undefined>();
  const nameOf = type.resolveType as (event: unknown, context: unknown) => unknown;

  function writerFor(name: string): WriteValue | undefined {
    const known = args.schema.getType(name);
    const writer = isObjectType(known) ? compileSelection(selected, known) : undefined;
    writers.set(name, writer);
    return writer;
  }

  return (event) => {
    const name = nameOf(event, args.contextValue);
    if (typeof name !== 'string') return undefined;
    const written = (writers.has(name) ? writers.get(name) : writerFor(name))?.(event);
    return written && { data: { [key]: written } };
  };
}

/** By hand rather than as a generator: one promise for each event, and a `return()` that does not wait for one. */
class AnsweredEvents implements AsyncIterableIterator<ExecutionResult, undefined> {
  constructor(
    private readonly source: AsyncIterator<unknown>,
    private readonly args: ExecutionArgs,
    private readonly answer: Answer,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<ExecutionResult, undefined>> {
    return this.source.next().then((event) => {
      if (event.done) return { done: true, value: undefined };
      const answered = this.answer(event.value);
      return answered ? { done: false, value: answered } : this.#executed(event.value);
    });
  }

  async return(): Promise<IteratorResult<ExecutionResult, undefined>> {
    await this.source.return?.();
    return { done: true, value: undefined };
  }

  async #executed(event: unknown): Promise<IteratorResult<ExecutionResult, undefined>> {
    return { done: false, value: await execute({ ...this.args, rootValue: event }) };
  }
}

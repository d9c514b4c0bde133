import { setTimeout as pause } from 'node:timers/promises';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { Attempt } from './attempt.ts';
import { explainFailure, type FailedAttempt } from './explain-failure.ts';
import { type ModelEvent, ModelFailure, type ModelRequest } from './model-port.ts';
import { Aborted } from './reply-guard.ts';
import { type RetryPolicy, retryDelayMs, usualRetries } from './retry-after.ts';

/** Timers count whole milliseconds and may fire that much early. */
const timerSlack = 2;

/**
 * Asks the model once and tells what it replies, as it comes. Throws only `ModelFailure`, after everything that was
 * understood before it. An aborted signal is no failure: the events just end, without a `finish`.
 * Tool calls that a model wrote as text are told like all others.
 */
export function callModel(
  model: LanguageModelV4,
  request: ModelRequest,
  retries: RetryPolicy = usualRetries,
): AsyncIterableIterator<ModelEvent, undefined, undefined> {
  return new ModelReply(model, request, retries);
}

type Given = IteratorResult<ModelEvent, undefined>;
const over: Given = { done: true, value: undefined };

/** A reply, whatever attempts it takes. Written by hand: a generator makes twice as many promises for each delta. */
class ModelReply implements AsyncIterableIterator<ModelEvent, undefined, undefined> {
  #attempt: Attempt | undefined;
  /** How many of the attempt's events were given, and whether it has more of them. */
  #given = 0;
  #more = true;
  #begun = false;
  #failures = 0;
  #ended = false;
  #resolve: (given: Given) => void = () => undefined;
  #reject: (reason: unknown) => void = () => undefined;

  constructor(
    private readonly model: LanguageModelV4,
    private readonly request: ModelRequest,
    private readonly retries: RetryPolicy,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Asked for one after the other. */
  next(): Promise<Given> {
    const event = this.#attempt?.events[this.#given];
    if (event === undefined || this.#ended) return new Promise(this.#wait);
    this.#given += 1;
    return Promise.resolve({ done: false, value: event });
  }

  async return(): Promise<Given> {
    this.#ended = true;
    this.#attempt?.close();
    return over;
  }

  readonly #wait = (resolve: (given: Given) => void, reject: (reason: unknown) => void): void => {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#goOn();
  };

  #goOn(): void {
    if (this.#ended) {
      this.#resolve(over);
      return;
    }
    this.#attempt ??= new Attempt(this.model, this.request);
    if (this.#more) this.#attempt.read(this.#heard);
    else this.#conclude(this.#attempt);
  }

  readonly #heard = (more: boolean): void => {
    this.#more = more;
    this.#given = 0;
    const event = this.#attempt?.events[0];
    if (event === undefined) {
      this.#goOn();
      return;
    }
    this.#begun = true;
    this.#given = 1;
    this.#resolve({ done: false, value: event });
  };

  #conclude(attempt: Attempt): void {
    attempt.close();
    if (attempt.error === undefined) this.#end();
    else
      this.#mayTryAgain(attempt.error.reported)
        .then((may) => this.#begin(may))
        .catch((failure: unknown) => {
          this.#ended = true;
          this.#reject(failure);
        });
  }

  #begin(another: boolean): void {
    if (!another) {
      this.#end();
      return;
    }
    this.#attempt = undefined;
    this.#more = true;
    this.#goOn();
  }

  #end(): void {
    this.#ended = true;
    this.#resolve(over);
  }

  /** Once it is time to; false when nobody wants the reply any more. Throws what it failed of for good. */
  async #mayTryAgain(error: unknown): Promise<boolean> {
    const { request, retries } = this;
    if (request.signal.aborted || error instanceof Aborted) return false;
    const failed = explainFailure(error, request.messages);
    if (this.#begun || !failed.tryAgain || ++this.#failures >= retries.tries)
      throw withTries(failed.failure, this.#failures);
    return patience(request, retryDelayMs(retries, this.#failures, failed.retryAfterMs), failed);
  }
}

/** Waits before the next try, never past the deadline. False when the run was stopped meanwhile. */
async function patience(request: ModelRequest, delayMs: number, { failure }: FailedAttempt): Promise<boolean> {
  const left = Math.max(0, request.deadline - performance.now());
  // A timer may fire a fraction early; the deadline must have passed when it is given as the reason.
  await pause(Math.min(delayMs, left + timerSlack), undefined, { signal: request.signal }).catch(() => undefined);
  if (request.signal.aborted) return false;
  if (delayMs < left) return true;
  throw new ModelFailure(
    'TIMEOUT',
    `${failure.message} The time for this query ran out while waiting to try again.`,
    true,
  );
}

function withTries(failure: ModelFailure, tries: number): ModelFailure {
  if (tries < 2) return failure;
  return new ModelFailure(failure.code, `${failure.message} Tried ${tries} times.`, failure.retryable);
}

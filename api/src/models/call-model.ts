import { setTimeout as pause } from 'node:timers/promises';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { Attempt } from './attempt.ts';
import { explainFailure, type FailedAttempt } from './explain-failure.ts';
import { type Hear, ModelFailure, type ModelRequest } from './model-port.ts';
import { Aborted } from './reply-guard.ts';
import { type RetryPolicy, retryDelayMs, usualRetries } from './retry-after.ts';

/** Timers count whole milliseconds and may fire that much early. */
const timerSlack = 2;

/**
 * Asks the model once and tells what it replies, as it comes. Throws only `ModelFailure`, after everything that was
 * understood before it, and what `hear` throws. An aborted signal is no failure: the events just end, without a `finish`.
 * Tool calls that a model wrote as text are told like all others.
 */
export async function callModel(
  model: LanguageModelV4,
  request: ModelRequest,
  hear: Hear,
  retries: RetryPolicy = usualRetries,
): Promise<void> {
  for (let failures = 0; ; ) {
    const attempt = new Attempt(model, request, hear);
    const error = await attempt.run();
    if (error === undefined || request.signal.aborted || error.reported instanceof Aborted) return;
    const failed = explainFailure(error.reported, request.messages);
    if (attempt.begun || !failed.tryAgain || ++failures >= retries.tries) throw withTries(failed.failure, failures);
    if (!(await patience(request, retryDelayMs(retries, failures, failed.retryAfterMs), failed))) return;
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

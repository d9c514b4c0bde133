import { setTimeout as pause } from 'node:timers/promises';
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { explainFailure, type FailedAttempt } from './explain-failure.ts';
import { type ModelEvent, ModelFailure, type ModelRequest } from './model-port.ts';
import { translatePrompt, translateTools } from './prompt-translation.ts';
import { isQuoting } from './quoting-model.ts';
import { Aborted, outOfTime, ReplyGuard } from './reply-guard.ts';
import { ReplyReader } from './reply-reader.ts';
import { type RetryPolicy, retryDelayMs, usualRetries } from './retry-after.ts';

/** Timers count whole milliseconds and may fire that much early. */
const timerSlack = 2;

/**
 * Asks the model once and tells what it replies, as it comes. Throws only `ModelFailure`, after everything that was
 * understood before it. An aborted signal is no failure: the events just end, without a `finish`.
 * Tool calls that a model wrote as text are told like all others.
 */
export async function* callModel(
  model: LanguageModelV4,
  request: ModelRequest,
  retries: RetryPolicy = usualRetries,
): AsyncGenerator<ModelEvent, void, undefined> {
  for (let failures = 0; ; ) {
    const attempt = new Attempt(model, request);
    let begun = false;
    try {
      try {
        for (let more = true; more; ) {
          more = await attempt.read();
          for (const event of attempt.events) {
            begun = true;
            yield event;
          }
        }
      } finally {
        attempt.close();
      }
      if (attempt.error !== undefined) throw attempt.error.reported;
      return;
    } catch (error) {
      if (request.signal.aborted || error instanceof Aborted) return;
      const failed = explainFailure(error, request.messages);
      if (begun || !failed.tryAgain || ++failures >= retries.tries) throw withTries(failed.failure, failures);
      if (!(await patience(request, retryDelayMs(retries, failures, failed.retryAfterMs), failed))) return;
    }
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

/** One request to the provider. */
class Attempt {
  /** What the last part of the reply came to. */
  readonly events: ModelEvent[] = [];
  readonly #guard: ReplyGuard;
  readonly #reply: ReplyReader;
  #reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined;

  constructor(
    private readonly model: LanguageModelV4,
    private readonly request: ModelRequest,
  ) {
    this.#guard = new ReplyGuard(request);
    this.#reply = new ReplyReader(isQuoting(model) ? { messages: request.messages, tools: [] } : request);
  }

  /** What went wrong first. */
  get error(): ReplyReader['error'] {
    return this.#reply.error;
  }

  /** Waits for the next part. False when it was the last; never rejects. */
  async read(): Promise<boolean> {
    this.events.length = 0;
    try {
      const { done, value } = await this.#guard.wait((this.#reader ?? (await this.#open())).read());
      if (done || value === undefined)
        throw new ModelFailure('UNAVAILABLE', 'The model broke off before its reply was complete.', true);
      if (isSign(value)) this.#guard.sign();
      else if (value.type === 'ping') this.#guard.alive();
      const hadError = this.error !== undefined;
      this.#reply.read(value, this.events);
      if (this.error !== undefined && !hadError) this.#guard.hurry();
      return !this.#reply.finished;
    } catch (error) {
      // After an error that was reported, trouble while waiting for the rest adds nothing: the first stands.
      this.#reply.breakOff(error, this.events);
      return false;
    }
  }

  close(): void {
    this.#guard.close();
    void this.#reader?.cancel().catch(() => undefined);
  }

  async #open(): Promise<ReadableStreamDefaultReader<LanguageModelV4StreamPart>> {
    if (performance.now() >= this.request.deadline) throw outOfTime();
    const opening = Promise.resolve(this.model.doStream(this.#options())).then(({ stream }) => {
      this.#reader = stream.getReader();
      if (this.#guard.end !== undefined) this.close(); // too late: nobody waits for it any more
      return this.#reader;
    });
    return await this.#guard.wait(opening);
  }

  #options(): LanguageModelV4CallOptions {
    const { messages, tools, maxOutputTokens, thinking } = this.request;
    return {
      prompt: translatePrompt(messages),
      ...(tools.length === 0 ? {} : { tools: translateTools(tools), toolChoice: { type: 'auto' } }),
      maxOutputTokens,
      reasoning: thinking ? 'medium' : 'none',
      abortSignal: this.#guard.signal,
    };
  }
}

/** Announcements that come before the model has said anything, and keep-alives, do not count as a reply. */
function isSign(part: LanguageModelV4StreamPart): boolean {
  return (
    part.type !== 'stream-start' && part.type !== 'response-metadata' && part.type !== 'ping' && part.type !== 'raw'
  );
}

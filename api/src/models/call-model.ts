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
      for await (const event of attempt.events()) {
        begun = true;
        yield event;
      }
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
  readonly #guard: ReplyGuard;
  #reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined;

  constructor(
    private readonly model: LanguageModelV4,
    private readonly request: ModelRequest,
  ) {
    this.#guard = new ReplyGuard(request);
  }

  async *events(): AsyncGenerator<ModelEvent, void, undefined> {
    const reply = new ReplyReader(
      isQuoting(this.model) ? { messages: this.request.messages, tools: [] } : this.request,
    );
    const events: ModelEvent[] = [];
    try {
      const reader = await this.#open();
      while (!reply.finished) {
        const { done, value } = await this.#next(reader, reply);
        if (done || value === undefined) break;
        if (isSign(value)) this.#guard.sign();
        else if (value.type === 'ping') this.#guard.alive();
        const hadError = reply.error !== undefined;
        reply.read(value, events);
        if (reply.error !== undefined && !hadError) this.#guard.hurry();
        for (const event of events) yield event;
        events.length = 0;
      }
      if (!reply.finished)
        throw new ModelFailure('UNAVAILABLE', 'The model broke off before its reply was complete.', true);
    } catch (error) {
      reply.breakOff(error, events);
      for (const event of events) yield event;
    } finally {
      this.#close();
    }
    if (reply.error !== undefined) throw reply.error.reported;
  }

  /** After a reported error, trouble while waiting for the rest adds nothing. */
  async #next(reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>, reply: ReplyReader) {
    try {
      return await this.#guard.wait(reader.read());
    } catch (error) {
      if (reply.error === undefined || error instanceof Aborted) throw error;
      return { done: true, value: undefined };
    }
  }

  async #open(): Promise<ReadableStreamDefaultReader<LanguageModelV4StreamPart>> {
    if (performance.now() >= this.request.deadline) throw outOfTime();
    const opening = Promise.resolve(this.model.doStream(this.#options())).then(({ stream }) => {
      this.#reader = stream.getReader();
      if (this.#guard.end !== undefined) this.#close(); // too late: nobody waits for it any more
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

  #close(): void {
    this.#guard.close();
    void this.#reader?.cancel().catch(() => undefined);
  }
}

/** Announcements that come before the model has said anything, and keep-alives, do not count as a reply. */
function isSign(part: LanguageModelV4StreamPart): boolean {
  return (
    part.type !== 'stream-start' && part.type !== 'response-metadata' && part.type !== 'ping' && part.type !== 'raw'
  );
}

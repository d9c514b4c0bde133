import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { type ModelEvent, ModelFailure, type ModelRequest } from './model-port.ts';
import { translatePrompt, translateTools } from './prompt-translation.ts';
import { isQuoting } from './quoting-model.ts';
import { outOfTime, ReplyGuard } from './reply-guard.ts';
import { ReplyReader } from './reply-reader.ts';

/** One request to the provider. What waits for a part is called back: a promise of our own for each would be waste. */
export class Attempt {
  /** What the last part of the reply came to. */
  readonly events: ModelEvent[] = [];
  readonly #guard: ReplyGuard;
  readonly #reply: ReplyReader;
  #reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined;
  /** Who waits for the next part. */
  #told: ((more: boolean) => void) | undefined;

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

  /** Waits for the next part, then tells whether there is more. */
  read(told: (more: boolean) => void): void {
    this.events.length = 0;
    this.#told = told;
    const { end } = this.#guard;
    if (end !== undefined) this.#break(end);
    else if (this.#reader) this.#reader.read().then(this.#take, this.#break);
    else this.#open().then((reader) => reader.read().then(this.#take, this.#break), this.#break);
  }

  close(): void {
    this.#guard.close();
    void this.#reader?.cancel().catch(() => undefined);
  }

  readonly #take = ({ value }: { readonly value?: LanguageModelV4StreamPart | undefined }): void => {
    const told = this.#told;
    if (told === undefined) return; // it came too late
    this.#told = undefined;
    told(this.#understand(value));
  };

  readonly #break = (reason: unknown): void => {
    const told = this.#told;
    if (told === undefined) return;
    this.#told = undefined;
    // After an error that was reported, trouble while waiting for the rest adds nothing: the first stands.
    this.#reply.breakOff(reason, this.events);
    told(false);
  };

  #understand(part: LanguageModelV4StreamPart | undefined): boolean {
    try {
      if (part === undefined)
        throw new ModelFailure('UNAVAILABLE', 'The model broke off before its reply was complete.', true);
      if (isSign(part)) this.#guard.sign();
      else if (part.type === 'ping') this.#guard.alive();
      const hadError = this.error !== undefined;
      this.#reply.read(part, this.events);
      if (this.error !== undefined && !hadError) this.#guard.hurry();
      return !this.#reply.finished;
    } catch (error) {
      this.#reply.breakOff(error, this.events);
      return false;
    }
  }

  async #open(): Promise<ReadableStreamDefaultReader<LanguageModelV4StreamPart>> {
    if (performance.now() >= this.request.deadline) throw outOfTime();
    const opening = Promise.resolve(this.model.doStream(this.#options())).then(({ stream }) => {
      this.#reader = stream.getReader();
      if (this.#guard.end !== undefined) this.close(); // too late: nobody waits for it any more
      return this.#reader;
    });
    const reader = await this.#guard.wait(opening);
    this.#guard.onStop(this.#break);
    if (this.#guard.end !== undefined) throw this.#guard.end;
    return reader;
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

import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { type Hear, type ModelEvent, ModelFailure, type ModelRequest } from './model-port.ts';
import { translatePrompt, translateTools } from './prompt-translation.ts';
import { isQuoting } from './quoting-model.ts';
import { outOfTime, ReplyGuard } from './reply-guard.ts';
import { ReplyReader } from './reply-reader.ts';

/** What went wrong first. */
type Failed = ReplyReader['error'];

/** One request to the provider, and its reply as it is heard. */
export class Attempt {
  /** Something of the reply was heard. */
  begun = false;
  readonly #guard: ReplyGuard;
  readonly #reply: ReplyReader;
  readonly #outcome: PromiseWithResolvers<Failed> = Promise.withResolvers();
  #reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined;
  /** Whoever hears it wants this to be waited for. */
  #pause: Promise<unknown> | undefined;
  #telling = false;
  #over = false;

  constructor(
    private readonly model: LanguageModelV4,
    private readonly request: ModelRequest,
    private readonly hear: Hear,
  ) {
    this.#guard = new ReplyGuard(request);
    const { messages } = request;
    this.#reply = new ReplyReader(isQuoting(model) ? { messages, tools: [] } : request, (event) => this.#tell(event));
  }

  /** Reads the reply to its end, whatever that is. Throws what `hear` throws. */
  run(): Promise<Failed> {
    this.#guard.onStop((reason) => {
      if (!this.#telling) this.#breakOff(reason); // else once all of the part in hand is told
    });
    if (this.#guard.end === undefined) void this.#read().catch((error: unknown) => this.#breakOff(error));
    else this.#breakOff(this.#guard.end);
    return this.#outcome.promise;
  }

  /** One loop for the whole reply: waiting for a part in it takes no promise but the reader's own. */
  async #read(): Promise<void> {
    if (performance.now() >= this.request.deadline) throw outOfTime();
    const { stream } = await this.model.doStream(this.#options());
    const reader = stream.getReader();
    this.#reader = reader;
    if (this.#over) this.#close(); // too late: nobody waits for it any more
    while (!this.#over) {
      const { value } = await reader.read();
      if (this.#over) return; // it came too late
      this.#understand(value);
      if (this.#pause) await this.#pause;
      this.#pause = undefined;
    }
  }

  #understand(part: LanguageModelV4StreamPart | undefined): void {
    if (part === undefined)
      throw new ModelFailure('UNAVAILABLE', 'The model broke off before its reply was complete.', true);
    if (isSign(part)) this.#guard.sign();
    else if (part.type === 'ping') this.#guard.alive();
    const hadError = this.#reply.error !== undefined;
    this.#telling = true;
    this.#reply.read(part);
    this.#telling = false;
    if (this.#reply.finished) this.#end(this.#reply.error);
    else if (this.#guard.end !== undefined) this.#breakOff(this.#guard.end);
    else if (this.#reply.error !== undefined && !hadError) this.#guard.hurry();
  }

  /** After an error that was reported, trouble while waiting for the rest adds nothing: the first stands. */
  #breakOff(reason: unknown): void {
    if (this.#over) return;
    this.#reply.breakOff(reason);
    this.#end(this.#reply.error);
  }

  #tell(event: ModelEvent): void {
    if (this.#over) return;
    this.begun = true;
    try {
      const answer = this.hear(event);
      if (answer === false) this.#end(undefined);
      else if (answer) this.#pause = answer;
    } catch (error) {
      this.#outcome.reject(error);
      this.#end(undefined);
    }
  }

  #end(failed: Failed): void {
    if (this.#over) return;
    this.#over = true;
    this.#close();
    const pause = this.#reply.finished ? this.#pause : undefined;
    this.#outcome.resolve(pause ? pause.then(() => failed) : failed);
  }

  #close(): void {
    this.#guard.close(this.#reply.finished);
    void this.#reader?.cancel().catch(() => undefined);
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

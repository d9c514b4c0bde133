import { APICallError, type LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { ChatReply } from './chat-reply.ts';
import { EventStream } from './event-stream.ts';

/** A server that has told its finish reason and then neither ends nor says more is not waited for any longer. */
const graceAfterFinishMs = 2_000;

/** The parts of a streamed reply, read only as fast as they are asked for. */
export function replyStream(response: Response, modelId: string): ReadableStream<LanguageModelV4StreamPart> {
  const source = new ReplySource(response, modelId);
  return new ReadableStream<LanguageModelV4StreamPart>(
    {
      async pull(controller) {
        for (const part of await source.next()) controller.enqueue(part);
        if (!source.ended) return;
        controller.close();
        await source.cancel();
      },
      cancel: () => source.cancel(),
    },
    { highWaterMark: 0 },
  );
}

export function connectionFailed(url: string, cause: unknown): APICallError {
  return new APICallError({ message: 'No connection.', url, requestBodyValues: {}, cause, isRetryable: true });
}

class ReplySource {
  readonly #bytes: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #reply: ChatReply;
  readonly #events = new EventStream();
  readonly #decoder = new TextDecoder();
  readonly #url: string;
  /** Servers that know no streaming answer with one JSON object; its pieces wait here. */
  readonly #json: string[] | undefined;
  #failed = false;

  constructor(response: Response, modelId: string) {
    this.#bytes = response.body?.getReader();
    this.#reply = new ChatReply(modelId);
    this.#url = response.url;
    this.#json = response.headers.get('content-type')?.includes('application/json') ? [] : undefined;
  }

  get ended(): boolean {
    return this.#reply.ended;
  }

  async cancel(): Promise<void> {
    await this.#bytes?.cancel().catch(() => undefined);
  }

  /** At least one part. A failure is a part too, so that usage which came before it is not lost. */
  async next(): Promise<readonly LanguageModelV4StreamPart[]> {
    const parts: LanguageModelV4StreamPart[] = [];
    while (parts.length === 0) {
      try {
        const { done, value } = await this.#nextBytes();
        this.#read(this.#decoder.decode(value, { stream: !done }), done, parts);
      } catch (error) {
        this.#reply.fail(error instanceof RangeError ? error : connectionFailed(this.#url, error), parts);
      }
      this.#failed ||= parts.some((part) => part.type === 'error');
      if (this.#reply.ended) this.#reply.end(parts, this.#failed);
    }
    return parts;
  }

  #read(text: string, last: boolean, parts: LanguageModelV4StreamPart[]): void {
    const payloads: string[] = [];
    if (this.#json !== undefined) {
      this.#json.push(text);
      if (last) payloads.push(this.#json.join(''));
    } else {
      this.#events.push(text, payloads);
      if (last) this.#events.end(payloads);
    }
    for (const payload of payloads) if (!this.#reply.ended) this.#reply.read(payload, parts);
    if (parts.length === 0 && this.#events.sawComment) parts.push({ type: 'ping' });
    this.#events.sawComment = false;
    if (last) this.#reply.close(parts);
  }

  async #nextBytes(): Promise<Bytes> {
    if (this.#bytes === undefined) return { done: true };
    if (!this.#reply.hasFinishReason) return await this.#bytes.read();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const enough = new Promise<Bytes>((resolve) => {
      timer = setTimeout(() => resolve({ done: true }), graceAfterFinishMs);
    });
    return await Promise.race([this.#bytes.read(), enough]).finally(() => clearTimeout(timer));
  }
}

type Bytes = { readonly done: boolean; readonly value?: Uint8Array | undefined };

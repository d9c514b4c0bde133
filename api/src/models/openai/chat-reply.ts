import {
  APICallError,
  EmptyResponseBodyError,
  JSONParseError,
  type LanguageModelV4FinishReason,
  type LanguageModelV4StreamPart,
  type LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { CallAssembly } from './call-assembly.ts';
import { type ChatChunk, contentText, isLoose, type Loose, textOf } from './chat-chunk.ts';
import { readUsage, unknownUsage } from './chat-usage.ts';
import { ReasoningMarks } from './reasoning-marks.ts';

/** Reads one streamed chat completion, payload by payload. */
export class ChatReply {
  readonly #calls = new CallAssembly();
  readonly #marks: ReasoningMarks;
  #usage: LanguageModelV4Usage | undefined;
  #finish: string | undefined;
  #any = false;
  /** True when nothing more is to be expected: the end marker, or something unreadable. */
  ended = false;

  constructor(modelId: string) {
    this.#marks = new ReasoningMarks(modelId);
  }

  get hasFinishReason(): boolean {
    return this.#finish !== undefined;
  }

  read(payload: string, parts: LanguageModelV4StreamPart[]): void {
    if (payload === '[DONE]') {
      this.ended = true;
      return;
    }
    this.#any = true;
    let chunk: ChatChunk;
    try {
      chunk = JSON.parse(payload) ?? {};
    } catch (cause) {
      this.fail(new JSONParseError({ text: '', cause }), parts); // without the text: it may quote the prompt
      return;
    }
    this.#usage = readUsage(chunk.usage) ?? this.#usage;
    if (chunk.error !== undefined && chunk.error !== null)
      parts.push({ type: 'error', error: reportedError(chunk.error) });
    const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    if (isLoose(choice)) this.#readChoice(choice, parts);
  }

  /** The body is at its end, with or without a marker. */
  close(parts: LanguageModelV4StreamPart[]): void {
    if (!this.#any) this.fail(new EmptyResponseBodyError(), parts);
    this.ended = true;
  }

  fail(error: unknown, parts: LanguageModelV4StreamPart[]): void {
    this.ended = true;
    parts.push({ type: 'error', error });
  }

  /** The calls are told at the end, when they are certainly whole; after a failure they are not told at all. */
  end(parts: LanguageModelV4StreamPart[], failed: boolean): void {
    this.#marks.end(parts);
    if (!failed) this.#calls.end(parts);
    parts.push({ type: 'finish', usage: this.#usage ?? unknownUsage, finishReason: finishReason(this.#finish) });
  }

  #readChoice(choice: Loose, parts: LanguageModelV4StreamPart[]): void {
    const delta = choice.delta ?? choice.message;
    if (isLoose(delta)) this.#readDelta(delta, parts);
    // The first real one stands: providers send null, or another one, after it.
    this.#finish ??= textOf(choice.finish_reason) || undefined;
  }

  #readDelta(delta: Loose, parts: LanguageModelV4StreamPart[]): void {
    const content = delta.content;
    const reasoning = this.#marks.read(delta) || (Array.isArray(content) ? contentText(content, 'thinking') : '');
    if (reasoning !== '') parts.push({ type: 'reasoning-delta', id: 'reasoning', delta: reasoning });
    const text = (typeof content === 'string' ? content : contentText(content, 'text')) || textOf(delta.refusal);
    if (text !== '') parts.push({ type: 'text-delta', id: 'text', delta: text });
    const calls = delta.tool_calls;
    if (Array.isArray(calls)) for (const call of calls) this.#calls.add(call, parts);
  }
}

function reportedError(error: unknown): APICallError {
  return new APICallError({
    message: 'The stream reported an error.',
    url: '',
    requestBodyValues: {},
    data: { error },
  });
}

/** Words differ: llama.cpp, older vLLM and gateways to other providers each have their own. */
const unifiedReasons: Readonly<Record<string, LanguageModelV4FinishReason['unified']>> = {
  stop: 'stop',
  end_turn: 'stop',
  eos: 'stop',
  length: 'length',
  max_tokens: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
  error: 'error',
};

function finishReason(raw: string | undefined): LanguageModelV4FinishReason {
  return { raw, unified: (raw !== undefined && unifiedReasons[raw.toLowerCase()]) || 'other' };
}

import type { ChunkBody } from '../agent/chunk.ts';
import type { UnfinishedTool } from '../agent/ending.ts';
import { warningOf } from '../agent/warned.ts';
import type { ExchangeSource, ExchangeToolCall } from '../store/entities/exchange.ts';

/** What of a run is kept in its exchange. */
export interface Recorded {
  readonly answer: string;
  readonly toolCalls: readonly ExchangeToolCall[];
  readonly sources: readonly ExchangeSource[];
}

/**
 * The exchange as its chunks tell it. The writer keeps one as it appends and recovery makes one from the stored log,
 * so what is saved is what was streamed, whatever ended the run.
 */
export class Transcript implements Recorded {
  answer = '';
  readonly toolCalls: ExchangeToolCall[] = [];
  readonly sources: ExchangeSource[] = [];
  /** The bits of the warnings that were given. */
  warned = 0;
  /** Where in `toolCalls` the calls without a result are. A model may repeat an id in a later turn. */
  readonly #open = new Map<string, number>();

  /** What a sub-agent does on the way is seen in the log, and is no part of the exchange. */
  add(body: ChunkBody): void {
    if (body.agent !== undefined) return;
    switch (body.type) {
      case 'ContentChunk':
        this.answer += body.text;
        return;
      case 'SourceChunk': {
        const { kind, path, title, line, snippet, score, note } = body;
        this.sources.push(
          withoutUndefined({ kind, path, title, line, snippet, score, note } satisfies Loose<ExchangeSource>),
        );
        return;
      }
      case 'ToolCallChunk':
        this.#call(body);
        return;
      case 'ToolResultChunk':
        this.#result(body);
        return;
      case 'SystemChunk':
        this.warned |= warningOf(body);
        return;
    }
  }

  /** Calls that may be under way: asked for, neither answered nor refused. */
  get openCalls(): readonly ExchangeToolCall[] {
    return this.toolCalls.filter((call) => call.fate === 'unknown');
  }

  /** Tools that were still at work when the run ended: what they were answered with was not their own result. */
  markUnfinished(tools: readonly UnfinishedTool[]): void {
    for (const { callId, fate } of tools) {
      const index = this.toolCalls.findLastIndex((call) => call.callId === callId);
      const call = this.toolCalls[index];
      if (call && fate !== 'finished') this.toolCalls[index] = { ...call, fate };
    }
  }

  #call(body: Extract<ChunkBody, { readonly type: 'ToolCallChunk' }>): void {
    const { callId, name, turn, status } = body;
    const index = this.#open.get(callId);
    const known = index === undefined ? undefined : this.toolCalls[index];
    const repeated = known?.turn === turn;
    const call: ExchangeToolCall = {
      callId,
      name,
      arguments: body.arguments,
      turn,
      fate: status === 'NOT_RUN' ? 'not-run' : 'unknown',
      answerLength: repeated ? known.answerLength : this.answer.length,
    };
    const place = repeated && index !== undefined ? index : this.toolCalls.length;
    this.toolCalls[place] = call;
    this.#open.set(callId, place);
  }

  /** A call that was not run may still be answered with the reason; it stays not run. */
  #result(body: Extract<ChunkBody, { readonly type: 'ToolResultChunk' }>): void {
    const index = this.#open.get(body.callId);
    const call = index === undefined ? undefined : this.toolCalls[index];
    if (index === undefined || call === undefined) return;
    const { ok, result, error, durationMs } = body;
    const fate = call.fate === 'not-run' ? 'not-run' : ok ? 'succeeded' : 'failed';
    const answered: Writable<ExchangeToolCall> = { ...call, fate };
    if (result !== undefined) answered.result = result;
    if (error !== undefined) answered.error = error;
    if (durationMs !== undefined) answered.durationMs = durationMs;
    this.toolCalls[index] = answered;
    this.#open.delete(body.callId);
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Loose<T> = { readonly [K in keyof T]: T[K] | undefined };

function withoutUndefined<T extends object>(value: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}

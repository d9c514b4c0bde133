import type { ChunkBody, ToolCallStatus } from '../agent/chunk.ts';
import type { AgentConfig } from '../agent/config.ts';
import type { ResultShape } from '../agent/delegation.ts';
import type { UnfinishedTool } from '../agent/ending.ts';
import type { Json } from '../agent/json.ts';
import type { ToolCall, ToolOutcome } from '../agent/tool-call.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { Source, ToolScope } from '../tools/tool.ts';

/** A call as the model made it. */
export interface RequestedCall {
  readonly callId: string;
  readonly name: string;
  /** Undefined when what the model wrote is no JSON. */
  readonly arguments: Json | undefined;
  /** What the model wrote, when it is no JSON. */
  readonly rawArguments?: string | undefined;
  /** What is wrong with it, when that is known: a sentence for the model. */
  readonly problem?: string | undefined;
}

export interface ToolExecution {
  readonly calls: readonly RequestedCall[];
  readonly tools: Pick<ToolRegistry, 'names' | 'find' | 'nearest'>;
  readonly scope: ToolScope;
  readonly limits: Pick<AgentConfig, 'maxToolCallsPerTurn' | 'maxParallelTools'>;
  /** False on a wrap-up turn: then nothing runs and every call is told so. */
  readonly offered: boolean;
  /** Stops everything: cancelled, or out of time. */
  readonly signal: AbortSignal;
  /** When the run's time is up, on the clock of `performance.now()`; acts like the signal. */
  readonly deadline: number;
  /** What the model gets of a result that may be too long for it. Its own result when there is none; must not reject. */
  readonly digest?: ((finished: FinishedCall, signal: AbortSignal) => Promise<Json>) | undefined;
  /** Told of everything as it happens. Must not throw. */
  readonly report: (progress: ToolProgress) => void;
}

/** A call that worked, before anybody is told of its result. */
export interface FinishedCall {
  readonly call: ToolCall;
  readonly result: Json;
  readonly shape: ResultShape | undefined;
  readonly sources: readonly Source[];
}

/**
 * What happens to calls: each is pending, then either running and answered, or not run. Answers come in call order;
 * one that is ready early waits for those before it.
 */
export type ToolProgress =
  | { readonly type: 'call-pending'; readonly call: ToolCall }
  | { readonly type: 'call-running'; readonly call: ToolCall }
  | { readonly type: 'call-answered'; readonly answer: ToolAnswer }
  /** Follows the answer of the first call that ran the tool; sources of failed calls are dropped. */
  | { readonly type: 'source-cited'; readonly call: ToolCall; readonly source: Source };

export interface ToolAnswer {
  readonly outcome: ToolOutcome;
  /** What the model is told: the result, the error, or why the call was not run. */
  readonly reply: Json;
  readonly durationMs: number;
  /** It failed because its own time was up. */
  readonly timedOut?: boolean;
}

export interface ToolExecutionResult {
  /** One for each call, in call order, whatever happened. */
  readonly answers: readonly ToolAnswer[];
  /** Tools that had to be told to stop, by the run's end or by their own timeout, and what became of them. */
  readonly unfinished: readonly UnfinishedTool[];
  /** How many calls were not run because of maxToolCallsPerTurn. */
  readonly overLimit: number;
}

/** The call as it is remembered: text that is no JSON stands for itself, and nothing at all for no arguments. */
export function toolCallOf({ callId, name, arguments: given, rawArguments = '' }: RequestedCall): ToolCall {
  const written = rawArguments.trim() === '' ? {} : shorten(rawArguments);
  return { callId, name, arguments: (given === undefined ? written : given) ?? {} };
}

type ToolChunk = Extract<ChunkBody, { type: 'ToolCallChunk' | 'ToolResultChunk' | 'SourceChunk' }>;

/** What the person sees of it. A call that was not run has no result: its last word is NOT_RUN. */
export function toolChunk(progress: ToolProgress, turn: number): ToolChunk {
  switch (progress.type) {
    case 'call-pending':
      return callChunk(progress.call, turn, 'PENDING');
    case 'call-running':
      return callChunk(progress.call, turn, 'RUNNING');
    case 'call-answered':
      return answerChunk(progress.answer, turn);
    case 'source-cited':
      return { type: 'SourceChunk', ...progress.source };
  }
}

function callChunk(call: ToolCall, turn: number, status: ToolCallStatus): ToolChunk {
  return { type: 'ToolCallChunk', callId: call.callId, name: call.name, arguments: call.arguments, turn, status };
}

function answerChunk({ outcome, durationMs }: ToolAnswer, turn: number): ToolChunk {
  const { callId, name } = outcome;
  switch (outcome.status) {
    case 'succeeded':
      return { type: 'ToolResultChunk', callId, name, ok: true, result: outcome.result, durationMs };
    case 'failed':
      return { type: 'ToolResultChunk', callId, name, ok: false, error: outcome.error, durationMs };
    case 'not-run':
      return callChunk(outcome, turn, 'NOT_RUN');
  }
}

const rememberedText = 2_000;

function shorten(text: string): string {
  return text.length <= rememberedText ? text : `${text.slice(0, rememberedText - 1)}…`;
}

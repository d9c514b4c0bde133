import type { Ending } from './ending.ts';
import type { Json } from './json.ts';
import type { TerminationReason } from './termination.ts';

export type SystemType =
  | 'LIMIT_WARNING'
  | 'LIMIT_REACHED'
  | 'NO_PROGRESS'
  | 'ERROR_LIMIT'
  | 'TOOL_LIMIT'
  | 'LOOP_DETECTED'
  | 'CONTEXT_WARNING'
  | 'NOTIFICATION';
export type Severity = 'INFO' | 'WARNING' | 'ERROR';
export type LimitType = 'ITERATIONS' | 'TOKENS' | 'TIME' | 'TOOL_CALLS' | 'CONTEXT';
export type ToolCallStatus = 'PENDING' | 'RUNNING' | 'NOT_RUN';
export type SourceKind = 'VAULT' | 'CODE' | 'THREAD';

/** Something the person should know, shown in the run's log and never part of the conversation. */
export interface Notice {
  readonly systemType: SystemType;
  readonly severity: Severity;
  readonly message: string;
  readonly limitType?: LimitType;
  readonly currentValue?: number;
  readonly limitValue?: number;
  readonly advice?: string;
}

/** Who did it, when it was not the oracle itself: a sub-agent that works for it. */
export interface ByAgent {
  readonly agent?: string;
}

/** Which note a source is, and its text then by its hash: to tell when it has changed. Not shown to anybody. */
export interface CitedNote {
  readonly id: string;
  readonly hash: string;
}

/** What happened, as the runner tells it. `type` is the name of the GraphQL type. */
export type ChunkBody = ByAgent & Happening;

type Happening =
  | { readonly type: 'ContentChunk'; readonly text: string }
  | { readonly type: 'ThinkingChunk'; readonly text: string }
  | {
      readonly type: 'ToolCallChunk';
      readonly callId: string;
      readonly name: string;
      readonly arguments: Json;
      readonly turn: number;
      readonly status: ToolCallStatus;
    }
  | {
      readonly type: 'ToolResultChunk';
      readonly callId: string;
      readonly name: string;
      readonly ok: boolean;
      readonly result?: Json;
      readonly error?: string;
      readonly durationMs: number;
    }
  | {
      readonly type: 'SourceChunk';
      readonly kind: SourceKind;
      readonly path: string;
      readonly title?: string;
      readonly line?: number;
      readonly snippet?: string;
      readonly score?: number;
      readonly note?: CitedNote;
    }
  | ({ readonly type: 'SystemChunk' } & Notice)
  | { readonly type: 'ContextChunk'; readonly tokens: number; readonly windowSize: number }
  | { readonly type: 'ErrorChunk'; readonly code: string; readonly message: string; readonly retryable: boolean }
  | {
      readonly type: 'DoneChunk';
      readonly terminationReason: TerminationReason;
      readonly ending: Ending;
      readonly conversationId: string;
      readonly nodeId: string;
    };

/** A chunk's place in its run: `seq` counts 1, 2, 3… without gaps, `at` is an ISO 8601 time. */
export interface ChunkPlace {
  readonly runId: string;
  readonly seq: number;
  readonly at: string;
}

export type Chunk = ChunkPlace & ChunkBody;

export function systemChunk(notice: Notice): Extract<ChunkBody, { readonly type: 'SystemChunk' }> {
  return { type: 'SystemChunk', ...notice };
}

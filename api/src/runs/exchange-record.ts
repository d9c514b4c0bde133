import type { ChunkBody } from '../agent/chunk.ts';
import type { Json } from '../agent/json.ts';

export type ExchangeSource = Omit<Extract<ChunkBody, { readonly type: 'SourceChunk' }>, 'type'>;

/** A tool call as it is kept. One whose end was never heard of has the fate `unknown`: none is left dangling. */
export interface ExchangeToolCall {
  readonly callId: string;
  readonly name: string;
  readonly arguments: Json;
  readonly turn: number;
  readonly fate: 'succeeded' | 'failed' | 'not-run' | 'unknown';
  readonly result?: Json;
  readonly error?: string;
  readonly durationMs?: number;
  /** How many characters of the answer had been written when it was asked for. */
  readonly answerLength: number;
}

import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ChunkBody } from '../../agent/chunk.ts';
import type { Ending } from '../../agent/ending.ts';
import type { Json } from '../../agent/json.ts';
import { ExactText, JsonText } from '../exact-text.ts';

export type ExchangeSource = Omit<Extract<ChunkBody, { readonly type: 'SourceChunk' }>, 'type'>;

/** A tool call as it is kept. One whose end was never heard of has the fate `unknown`: none is left dangling. */
export interface ExchangeToolCall {
  readonly callId: string;
  readonly name: string;
  readonly arguments: Json;
  readonly turn: number;
  readonly fate: 'succeeded' | 'failed' | 'not-run' | 'stopped' | 'unknown';
  readonly result?: Json;
  readonly error?: string;
  readonly durationMs?: number;
  /** How many characters of the answer had been written when it was asked for. */
  readonly answerLength: number;
}

/** What started it: a question, or going on with the exchange before it, to work or only to answer. */
export type ExchangeKind = 'ASK' | 'CONTINUE' | 'ANSWER_NOW';

/** One question with its answer: a node of a conversation. Made when its run starts, filled when the run ends. */
export const Exchange = defineEntity({
  name: 'Exchange',
  tableName: 'exchanges',
  properties: {
    id: p.uuid().primary(),
    conversationId: p.uuid(),
    parentId: p.uuid().nullable(),
    runId: p.uuid().unique(),
    kind: p.string().$type<ExchangeKind>().default('ASK'),
    /** When it goes on with an earlier exchange: the question of that one. */
    question: p.type(ExactText).$type<string>(),
    answer: p.type(ExactText).$type<string>(),
    partial: p.boolean().default(true),
    label: p.type(ExactText).$type<string>().nullable(),
    checkpoint: p.boolean().default(false),
    toolCalls: p.type(JsonText).$type<readonly ExchangeToolCall[]>(),
    sources: p.type(JsonText).$type<readonly ExchangeSource[]>(),
    /** The usage is part of it. */
    ending: p.type(JsonText).$type<Ending>().nullable(),
    createdAt: p.datetime().onCreate(() => new Date()),
  },
});

export type Exchange = InferEntity<typeof Exchange>;

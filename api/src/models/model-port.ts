import type { Json } from '../agent/json.ts';
import type { ToolCall } from '../agent/tool-call.ts';
import type { Usage } from '../agent/usage.ts';

/**
 * What the runner says to a model: plain values that JSON can hold. A message is never changed once it was sent, and the
 * same object is passed again on every later turn, because its translation for the provider is kept with the object.
 */
export type ModelMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly text: string }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls: readonly ToolCall[];
      /** From this turn's `finish` event, unread: some providers refuse a turn without their signed reasoning. */
      readonly continuation?: Json;
    }
  | { readonly role: 'tool'; readonly results: readonly ToolResultMessage[] };

export interface ToolResultMessage {
  readonly callId: string;
  readonly name: string;
  readonly ok: boolean;
  /** What the model reads: the result, or the sentence that says what went wrong. */
  readonly text: string;
}

export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments; its type is object. */
  readonly inputSchema: Readonly<Record<string, Json>>;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  /** None in a wrap-up turn. Pass the same list every turn: its translation is kept too. */
  readonly tools: readonly ToolDeclaration[];
  /** The tools that are not offered this time. A call to them that a model writes as text is still no text for the reader. */
  readonly withheldTools?: readonly ToolDeclaration[];
  readonly maxOutputTokens: number;
  readonly thinking: boolean;
  readonly signal: AbortSignal;
  /** On the clock of `performance.now()`. */
  readonly deadline: number;
  /** 60 000 unless given. */
  readonly firstChunkTimeoutMs?: number;
  /** 30 000 unless given. */
  readonly idleTimeoutMs?: number;
}

export type ModelEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  /** A piece of some call's arguments, while they are written: for estimates only, the call itself follows whole. */
  | { readonly type: 'arguments-delta'; readonly text: string }
  | ModelToolCall
  | { readonly type: 'usage'; readonly usage: Usage }
  | {
      readonly type: 'finish';
      /** The provider's own word, absent when it gave none. */
      readonly reason?: string;
      /** The same in words that all providers share; `length` means that the output cap cut the reply off. */
      readonly kind: FinishKind;
      readonly continuation?: Json;
    };

/**
 * Hears a reply, one event after the other. When it returns a promise, the next event comes after that; with `false`, none
 * does. Pushed, because a promise for each event would cost more than everything that is done about it.
 */
export type Hear = (event: ModelEvent) => Promise<unknown> | false | undefined;

export interface ModelToolCall {
  readonly type: 'tool-call';
  /** Unlike every other one in the request and in this reply. */
  readonly callId: string;
  /** Never empty. */
  readonly name: string;
  /** As written by the model, cut short when it was too long to be used. */
  readonly argumentsText: string;
  /** Absent when the text is unusable; then `problem` is a sentence that tells the model what to fix. */
  readonly arguments?: Json;
  readonly problem?: string;
}

export type FinishKind = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'other';

export type ModelFailureCode =
  | 'RATE_LIMITED'
  | 'UNAUTHORISED'
  | 'UNAVAILABLE'
  | 'TIMEOUT'
  | 'BAD_RESPONSE'
  | 'CONTEXT_TOO_LONG'
  | 'MODEL_ERROR';

/** The provider failed for good. The message is for a person and holds neither a key nor a part of the prompt. */
export class ModelFailure extends Error {
  override name = 'ModelFailure';

  constructor(
    readonly code: ModelFailureCode,
    message: string,
    /** True when asking again later may help. */
    readonly retryable: boolean,
  ) {
    super(message);
  }
}

import type { Notice } from '../agent/chunk.ts';
import type { Json } from '../agent/json.ts';
import type { TerminationReason } from '../agent/termination.ts';

/** What the core says with an event: words for the person, and perhaps others for the model. */
export type Telling = Notice & { readonly hint?: string };

interface Call {
  readonly callId: string;
  readonly tool: string;
  readonly arguments: Json;
}

/** How the conversation with the model stands, so that the log tells what rules saw. */
interface Standing {
  /** Estimated tokens of the coming request. */
  readonly contextTokens: number;
  readonly messages: number;
}

/** The payload of each event. Plain JSON, so that rules, logs and other programs can read all of it. */
export interface EventPayloads {
  readonly 'query.start': {
    readonly maxIterations: number;
    readonly tokenBudget: number;
    readonly timeoutSeconds: number;
    readonly maxToolCallsPerTurn: number;
    readonly maxParallelTools: number;
    readonly windowSize: number;
  };
  readonly 'session.resumed': {
    readonly exchanges: number;
    /** Since the last of them; unknown for a sub-agent. */
    readonly idleSeconds?: number;
  };
  readonly 'session.end': Standing & {
    readonly reason: TerminationReason;
    readonly message: string;
    readonly turns: number;
    readonly tokens: number;
    readonly durationMs: number;
  };
  readonly 'budget.iteration.warning': Telling;
  readonly 'budget.iteration.exceeded': Telling;
  readonly 'budget.token.warning': Telling;
  readonly 'budget.token.exceeded': Telling;
  readonly 'budget.timeout.warning': Telling;
  readonly 'budget.timeout.exceeded': Telling;
  readonly 'budget.tool_calls.exceeded': Telling;
  readonly 'context.approaching_limit': Telling;
  readonly 'context.reduced': Telling;
  readonly 'model.call.start': { readonly expectedInput: number; readonly toolsOffered: boolean };
  readonly 'model.call.end': Standing & {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly calls: number;
    /** False when a stop or the budget broke it off. */
    readonly complete: boolean;
    readonly durationMs: number;
  };
  readonly 'model.call.failure': { readonly code: string; readonly message: string; readonly durationMs: number };
  readonly 'tool.call.pending': Call;
  readonly 'tool.call.success': Call & { readonly result: Json; readonly durationMs: number };
  readonly 'tool.call.failure': Call & { readonly error: string; readonly durationMs: number };
  readonly 'tool.call.timeout': Call & { readonly error: string; readonly durationMs: number };
  readonly 'tool.call.not_run': Call;
  readonly 'tool.unavailable': Telling;
  readonly 'agent.turn.start': {
    readonly expectedInput: number;
    readonly messages: number;
    readonly tokensUsed: number;
  };
  readonly 'agent.turn.end': Standing & {
    readonly calls: number;
    readonly failures: number;
    /** False when something broke it off, and the run ends. */
    readonly complete: boolean;
    readonly tokensUsed: number;
  };
  readonly 'agent.loop.detected': Telling;
  readonly 'agent.no_progress': Telling;
  readonly 'agent.error_limit': Telling;
  readonly 'agent.notice': Telling;
  readonly 'agent.hint': { readonly hint: string };
  readonly 'agent.self.notify': {
    readonly noticeId: string;
    readonly message: string;
    readonly category: string;
    readonly priority: 'CRITICAL' | 'HIGH' | 'NORMAL' | 'LOW';
    /** It was left by an earlier session. */
    readonly fromEarlier: boolean;
  };
  readonly 'librarian.progress': Telling & { readonly agent: string };
  readonly 'task.checkpoint': {
    readonly turn: number;
    readonly maxIterations: number;
    readonly tokensUsed: number;
    readonly tokenBudget: number;
    readonly toolCalls: number;
  };
  readonly 'source.stale': {
    readonly path: string;
    readonly title?: string;
    readonly change: 'CHANGED' | 'MOVED' | 'DELETED';
    /** The same as words: changed, was deleted, was moved to… */
    readonly what: string;
    readonly newPath?: string;
    /** Unknown when it was only moved, or is gone. */
    readonly changedAt?: string;
  };
  readonly 'events.dropped': { readonly dropped: number; readonly mostSevere: string };
  readonly 'rules.remembered': { readonly states: { readonly [rule: string]: { readonly [key: string]: Json } } };
  readonly 'rule.notify': {
    readonly rule: string;
    readonly message: string;
    readonly advice?: string;
  };
  readonly 'rule.limit': {
    readonly rule: string;
    readonly message: string;
    readonly field: string;
    readonly from: number;
    readonly to: number;
  };
  readonly 'rule.hint': { readonly rule: string; readonly hint: string };
}

export type KnownName = keyof EventPayloads;

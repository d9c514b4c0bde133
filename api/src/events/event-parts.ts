import type { EventName } from './event.ts';
import type { EventPayloads, KnownName, Telling } from './event-payloads.ts';

type Parts<Payload> = { readonly [Part in keyof Required<Payload>]: true };

const telling: Parts<Telling> = {
  systemType: true,
  severity: true,
  message: true,
  limitType: true,
  currentValue: true,
  limitValue: true,
  advice: true,
  hint: true,
};
const call = { callId: true, tool: true, arguments: true } as const;
const standing = { contextTokens: true, messages: true } as const;

/** The parts of each payload, for those who name them in files. */
const parts: { readonly [Name in KnownName]: Parts<EventPayloads[Name]> } = {
  'query.start': {
    maxIterations: true,
    tokenBudget: true,
    timeoutSeconds: true,
    maxToolCallsPerTurn: true,
    maxParallelTools: true,
    windowSize: true,
  },
  'session.resumed': { exchanges: true, idleSeconds: true },
  'session.end': { reason: true, message: true, turns: true, tokens: true, durationMs: true, ...standing },
  'budget.iteration.warning': telling,
  'budget.iteration.exceeded': telling,
  'budget.token.warning': telling,
  'budget.token.exceeded': telling,
  'budget.timeout.warning': telling,
  'budget.timeout.exceeded': telling,
  'budget.tool_calls.exceeded': telling,
  'context.approaching_limit': telling,
  'context.reduced': telling,
  'model.call.start': { expectedInput: true, toolsOffered: true },
  'model.call.end': {
    inputTokens: true,
    outputTokens: true,
    calls: true,
    complete: true,
    durationMs: true,
    ...standing,
  },
  'model.call.failure': { code: true, message: true, durationMs: true },
  'tool.call.pending': call,
  'tool.call.success': { ...call, result: true, durationMs: true },
  'tool.call.failure': { ...call, error: true, durationMs: true },
  'tool.call.timeout': { ...call, error: true, durationMs: true },
  'tool.call.not_run': call,
  'tool.unavailable': telling,
  'agent.turn.start': { expectedInput: true, messages: true, tokensUsed: true },
  'agent.turn.end': { calls: true, failures: true, complete: true, tokensUsed: true, ...standing },
  'agent.loop.detected': telling,
  'agent.no_progress': telling,
  'agent.error_limit': telling,
  'agent.notice': telling,
  'agent.hint': { hint: true },
  'agent.self.notify': { noticeId: true, message: true, category: true, priority: true, fromEarlier: true },
  'librarian.progress': { ...telling, agent: true },
  'task.checkpoint': { turn: true, maxIterations: true, tokensUsed: true, tokenBudget: true, toolCalls: true },
  'source.stale': { path: true, title: true, change: true, what: true, newPath: true, changedAt: true },
  'events.dropped': { dropped: true, mostSevere: true },
  'rules.remembered': { states: true },
  'rule.notify': { rule: true, message: true, advice: true },
  'rule.limit': { rule: true, message: true, field: true, from: true, to: true },
  'rule.hint': { rule: true, hint: true },
};

/** Undefined for what rules emit: they say what it carries. */
export function partsOf(name: EventName): readonly string[] | undefined {
  return Object.hasOwn(parts, name) ? Object.keys(parts[name as KnownName]) : undefined;
}

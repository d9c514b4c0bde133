import type { Notice } from './chunk.ts';
import type { AgentConfig } from './config.ts';
import { deepFreeze } from './freeze.ts';
import type { Json } from './json.ts';
import { closeTurn, recordOutcome } from './progress.ts';
import { type AgentState, type Reply, turnsStarted, type Warning } from './state.ts';
import type { TerminationReason } from './termination.ts';
import type { ToolOutcome } from './tool-call.ts';
import { addUsage, noUsage, type Usage, wholeTokens } from './usage.ts';

export type AgentEvent =
  /** The coming request is built, and its size is known before it is decided whether to send it. */
  | { readonly type: 'turn-prepared'; readonly now: number; readonly expectedInput: number }
  | { readonly type: 'turn-started'; readonly now: number }
  /** All of the call in flight so far; replaces the estimate before. */
  | { readonly type: 'usage-estimated'; readonly usage: Usage }
  | { readonly type: 'model-replied'; readonly now: number; readonly reply: Reply; readonly usage: Usage }
  | { readonly type: 'model-failed'; readonly now: number; readonly message: string }
  /** Tokens spent on the run's behalf beside its own calls, as a sub-agent does. */
  | { readonly type: 'tokens-spent'; readonly usage: Usage }
  | { readonly type: 'tool-finished'; readonly now: number; readonly outcome: ToolOutcome }
  | { readonly type: 'turn-ended'; readonly now: number }
  | { readonly type: 'clock-read'; readonly now: number }
  | { readonly type: 'cancelled' }
  | { readonly type: 'interrupted' }
  | { readonly type: 'notice-attached'; readonly notice: Notice; readonly warning?: Warning }
  | { readonly type: 'hint-attached'; readonly hint: string }
  | { readonly type: 'tools-withheld' }
  /** Something that watches the run allows it less from now on. */
  | { readonly type: 'limit-tightened'; readonly field: TightenableLimit; readonly to: number }
  | { readonly type: 'extension-written'; readonly namespace: string; readonly value: Json }
  /** A tree's hook answered with a state: what a tree may change is taken from it, the core is not. */
  | { readonly type: 'hook-answered'; readonly answer: AgentState }
  | { readonly type: 'run-terminated'; readonly reason: TerminationReason };

/** The limits that end or slow a run; the shares at which it warns are the person's. */
export type TightenableLimit = Exclude<keyof AgentConfig, 'softWarningPercent' | 'tokenWarningPercent'>;

/** The only way state changes. Pure: no clock, no randomness, no I/O. Nothing changes a run that has terminated. */
export function advance(state: AgentState, event: AgentEvent): AgentState {
  if (state.terminationReason !== undefined) return state;
  const next = step(state, event);
  return Object.isFrozen(state) ? deepFreeze(next) : next;
}

function step(state: AgentState, event: AgentEvent): AgentState {
  switch (event.type) {
    case 'turn-prepared':
      return { ...state, now: later(state, event.now), expectedInput: wholeTokens(event.expectedInput) };
    case 'turn-started':
      return startTurn(state, event.now);
    case 'usage-estimated':
      return { ...state, pendingUsage: { ...addUsage(noUsage, event.usage), estimated: true } };
    case 'model-replied':
      return takeReply(state, event.now, event.reply, addUsage(noUsage, event.usage));
    case 'model-failed':
      return { ...state, now: later(state, event.now), modelError: event.message };
    case 'tokens-spent':
      return { ...state, tokensUsed: addUsage(state.tokensUsed, event.usage) };
    case 'tool-finished':
      assertTurnOpen(state, event.type);
      return { ...recordOutcome(state, event.outcome), now: later(state, event.now) };
    case 'turn-ended':
      return endTurn(state, event.now);
    case 'clock-read':
      return at(state, event.now);
    case 'cancelled':
      return { ...state, cancelled: true };
    case 'interrupted':
      return { ...state, interrupted: true };
    case 'notice-attached':
      return attachNotice(state, event.notice, event.warning);
    case 'hint-attached':
      return { ...state, hints: [...state.hints, event.hint] };
    case 'tools-withheld':
      return { ...state, toolsOffered: false };
    case 'limit-tightened':
      return tighten(state, event.field, event.to);
    case 'extension-written':
      return { ...state, extensions: { ...state.extensions, [event.namespace]: event.value } };
    case 'hook-answered':
      return takeAnswer(state, event.answer);
    case 'run-terminated':
      return { ...state, terminationReason: event.reason };
  }
}

/** Clocks of several machines may disagree; time in a run never runs backwards. */
function at(state: AgentState, now: number): AgentState {
  return now > state.now ? { ...state, now } : state;
}

function later(state: AgentState, now: number): number {
  if (now > state.now) return now;
  return state.now;
}

/** Refuses the turn that no decision can have allowed, so that not even a faulty runner exceeds the limit. */
function startTurn(state: AgentState, now: number): AgentState {
  if (state.turnOpen) throw new Error(`Turn ${turnsStarted(state)} has not ended yet.`);
  if (state.turn >= state.config.maxIterations) throw new Error(`All ${state.config.maxIterations} turns are used.`);
  return { ...state, now: later(state, now), turnOpen: true, toolsOffered: true };
}

function takeReply(state: AgentState, now: number, reply: Reply, usage: Usage): AgentState {
  assertTurnOpen(state, 'model-replied');
  return {
    ...state,
    now: later(state, now),
    lastReply: { ...reply, turn: turnsStarted(state) },
    tokensUsed: addUsage(state.tokensUsed, usage),
    pendingUsage: undefined,
    expectedInput: undefined,
    previousInput: state.expectedInput ?? usage.inputTokens,
    previousOutput: usage.outputTokens,
    notices: [],
    hints: [],
  };
}

function endTurn(state: AgentState, now: number): AgentState {
  assertTurnOpen(state, 'turn-ended');
  const calls = state.lastReply?.turn === turnsStarted(state) ? state.lastReply.toolCalls : [];
  return { ...closeTurn(state, calls), now: later(state, now), turn: state.turn + 1, turnOpen: false };
}

/** Never loosens. Of turns, one more than have begun is left, so that the run can still be answered from. */
export function tightened(from: number, field: TightenableLimit, to: number, turnsBegun: number): number {
  const least = field === 'maxIterations' ? turnsBegun + 1 : 1;
  const value = Math.max(Math.floor(to), least);
  if (!(value < from)) return from; // also what is no number
  return value;
}

function tighten(state: AgentState, field: TightenableLimit, to: number): AgentState {
  const from = state.config[field];
  const value = tightened(from, field, to, turnsStarted(state));
  return value === from ? state : { ...state, config: { ...state.config, [field]: value } };
}

function attachNotice(state: AgentState, notice: Notice, warning: Warning | undefined): AgentState {
  const warned = warning === undefined || state.warned.includes(warning) ? state.warned : [...state.warned, warning];
  return { ...state, notices: [...state.notices, notice], warned };
}

function takeAnswer(state: AgentState, answer: AgentState): AgentState {
  if (answer === state) return state;
  const { notices, hints, warned, toolsOffered, extensions } = answer;
  return { ...state, notices, hints, warned, toolsOffered, extensions };
}

function assertTurnOpen(state: AgentState, event: AgentEvent['type']): void {
  if (!state.turnOpen) throw new Error(`"${event}" needs a turn that has started; turn ${state.turn} has ended.`);
}

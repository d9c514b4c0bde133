import fc from 'fast-check';
import { advance } from '../advance.ts';
import type { Notice } from '../chunk.ts';
import { type AgentConfig, AgentConfigSchema } from '../config.ts';
import type { DecisionTree } from '../decision-tree.ts';
import { DefaultDecisionTree } from '../default-tree.ts';
import { deepFreeze } from '../freeze.ts';
import type { Json } from '../json.ts';
import { type AgentState, initialState } from '../state.ts';
import { beginTurn, type Decision, decide, takeOutcome } from '../steps.ts';
import type { ToolOutcome } from '../tool-call.ts';
import { noUsage, type Usage } from '../usage.ts';

/** What a scripted model and its tools do in one turn. */
export interface ScriptedTurn {
  readonly calls: readonly ScriptedCall[];
  readonly prompt?: number;
  readonly output?: number;
  readonly milliseconds?: number;
  readonly event?: 'cancelled' | 'interrupted' | 'model-failed';
}

export interface ScriptedCall {
  readonly name: string;
  readonly arguments?: Json;
  readonly result?: Json;
  readonly fails?: boolean;
  readonly repeatable?: boolean;
  readonly notRun?: boolean;
}

/** What one turn was given to say, and whether it had tools. */
export interface StartedTurn {
  readonly completed: number;
  readonly notices: readonly Notice[];
  readonly hints: readonly string[];
  readonly toolsOffered: boolean;
}

export interface Played {
  readonly state: AgentState;
  readonly states: readonly AgentState[];
  readonly started: readonly StartedTurn[];
  readonly decisions: readonly Decision[];
}

export function configOf(limits: Partial<AgentConfig> = {}): AgentConfig {
  return AgentConfigSchema.parse(limits);
}

export function stateWith(changes: Partial<AgentState> = {}, limits: Partial<AgentConfig> = {}): AgentState {
  const start = initialState({ userId: 'ada', projectId: 'engine', config: configOf(limits), now: 0 });
  return deepFreeze({ ...start, ...changes });
}

export function usageOf(inputTokens: number, outputTokens: number): Usage {
  return { ...noUsage, inputTokens, outputTokens };
}

export function outcomeOf(call: ScriptedCall, callId = 'call'): ToolOutcome {
  const base = { callId, name: call.name, arguments: call.arguments ?? {}, repeatable: call.repeatable ?? false };
  if (call.notRun) return { ...base, status: 'not-run' };
  if (call.fails) return { ...base, status: 'failed', error: String(call.result ?? 'it broke') };
  return { ...base, status: 'succeeded', result: call.result ?? null };
}

/** A call that never repeats. */
export function freshCall(index: number): ScriptedCall {
  return { name: 'search', arguments: { page: index }, result: `page ${index}` };
}

export function freshTurns(count: number, each: Partial<ScriptedTurn> = {}): readonly ScriptedTurn[] {
  return Array.from({ length: count }, (_, index) => ({ calls: [freshCall(index)], ...each }));
}

/** Plays a script the way a runner does, until the tree stops it or the script ends. */
export function play(
  script: readonly ScriptedTurn[],
  limits: Partial<AgentConfig> = {},
  tree: DecisionTree = new DefaultDecisionTree(configOf(limits)),
): Played {
  const states = [stateWith({}, limits)];
  const started: StartedTurn[] = [];
  const decisions: Decision[] = [];
  let state = states[0] ?? stateWith();
  const keep = (next: AgentState) => {
    state = next;
    states.push(next);
  };
  for (const turn of [...script, { calls: [] }]) {
    keep(advance(state, { type: 'turn-prepared', now: state.now, expectedInput: turn.prompt ?? 0 }));
    const decision = decide(tree, state);
    decisions.push(decision);
    if (!decision.verdict.continue || started.length === script.length) break;
    keep(beginTurn(tree, state, state.now));
    const { turn: completed, notices, hints, toolsOffered } = state;
    started.push({ completed, notices, hints, toolsOffered });
    playTurn(tree, turn, () => state, keep);
  }
  const verdict = decisions.at(-1)?.verdict;
  if (verdict && !verdict.continue) keep(advance(state, { type: 'run-terminated', reason: verdict.reason }));
  return { state, states, started, decisions };
}

function playTurn(tree: DecisionTree, turn: ScriptedTurn, state: () => AgentState, keep: (next: AgentState) => void) {
  const outcomes = turn.calls.map((call, index) => outcomeOf(call, `call-${index}`));
  const now = state().now + (turn.milliseconds ?? 0);
  if (turn.event === 'model-failed') return keep(advance(state(), { type: 'model-failed', now, message: 'gone' }));
  const toolCalls = outcomes.map(({ callId, name, arguments: args }) => ({ callId, name, arguments: args }));
  const usage = usageOf(turn.prompt ?? 0, turn.output ?? 0);
  keep(advance(state(), { type: 'model-replied', now, reply: { text: '', toolCalls, finished: true }, usage }));
  for (const outcome of outcomes) keep(takeOutcome(tree, state(), outcome, now));
  keep(advance(state(), { type: 'turn-ended', now }));
  if (turn.event !== undefined) keep(advance(state(), { type: turn.event }));
}

const anyCall: fc.Arbitrary<ScriptedCall> = fc.record({
  name: fc.constantFrom('search', 'read', 'poll'),
  arguments: fc.constantFrom<Json>({ of: 1 }, { of: 2 }),
  result: fc.constantFrom('same', 'other', 'third'),
  fails: fc.boolean(),
  repeatable: fc.boolean(),
  notRun: fc.constantFrom(false, false, false, true),
});

const anyTurn: fc.Arbitrary<ScriptedTurn> = fc.record({
  calls: fc.array(anyCall, { minLength: 1, maxLength: 4 }),
  prompt: fc.nat(3_000),
  output: fc.nat(1_000),
  milliseconds: fc.nat(8_000),
});

/** A long busy history in which anything may end the run, and most do not at once. */
export const anyHistory: fc.Arbitrary<readonly ScriptedTurn[]> = fc
  .record({
    turns: fc.oneof(
      fc.array(anyTurn, { minLength: 1, maxLength: 4 }),
      fc.array(anyTurn, { minLength: 1, maxLength: 60 }),
    ),
    last: fc.constantFrom<Partial<ScriptedTurn>>(
      {},
      { calls: [] },
      { event: 'cancelled' },
      { event: 'interrupted' },
      { event: 'model-failed' },
      { calls: [], event: 'cancelled' },
    ),
  })
  .map(({ turns, last }) => turns.map((turn, index) => (index === turns.length - 1 ? { ...turn, ...last } : turn)));

/** As `anyHistory`, but every call is new, so that only the limits of the config can end it. */
export const busyHistory: fc.Arbitrary<readonly ScriptedTurn[]> = fc
  .array(anyTurn, { minLength: 55, maxLength: 60 })
  .map((turns) => turns.map((turn, index) => ({ ...turn, calls: [freshCall(index)] })));

export const anyLimits: fc.Arbitrary<Partial<AgentConfig>> = fc.record({
  maxIterations: fc.integer({ min: 1, max: 50 }),
  softWarningPercent: fc.integer({ min: 50, max: 90 }),
  tokenBudget: fc.integer({ min: 1_000, max: 200_000 }),
  tokenWarningPercent: fc.integer({ min: 50, max: 95 }),
  timeoutSeconds: fc.integer({ min: 10, max: 600 }),
});

import { advance } from './advance.ts';
import type { AgentConfig } from './config.ts';
import type { DecisionTree } from './decision-tree.ts';
import { type AgentState, tokensSoFar } from './state.ts';
import { conditions, type Evaluation, evaluate, stopFor, type TerminationReason, type Verdict } from './termination.ts';
import type { ToolOutcome } from './tool-call.ts';

/**
 * One entry of a run's decision trace: "why did it not stop at turn 6?" is answered from these. A condition that fired
 * in a run that went on is one that the tree chose to pass over.
 */
export interface Decision {
  readonly turn: number;
  readonly now: number;
  /** Tokens used up to here, without the coming call. */
  readonly tokens: number;
  readonly verdict: Verdict;
  readonly evaluations: readonly Evaluation[];
}

const binding = new Set(conditions.filter((condition) => condition.binding).map(({ reason }) => reason));
const priority = new Map<TerminationReason, number>(conditions.map(({ reason }, index) => [reason, index]));

/**
 * Asks the tree, and holds it to what binds every tree: a workflow of one's own may go on after an answer or a
 * repetition, never past a person's limits. A tree that stops for a lesser reason than a binding one that holds
 * is corrected as well.
 */
export function decide(tree: DecisionTree, state: AgentState): Decision {
  const own = tree.shouldContinue(state);
  const evaluations = evaluate(state);
  const bound = evaluations.find(({ fired, reason }) => fired && binding.has(reason));
  const verdict = !bound || (!own.continue && rank(own.reason) <= rank(bound.reason)) ? own : stopFor(bound);
  return { turn: state.turn, now: state.now, tokens: tokensSoFar(state), verdict, evaluations };
}

/** Opens a turn and lets the tree attach what should be said. */
export function beginTurn(tree: DecisionTree, state: AgentState, now: number): AgentState {
  const started = advance(state, { type: 'turn-started', now });
  return advance(started, { type: 'hook-answered', answer: tree.onTurnStart(started) });
}

/** Records an outcome, whatever the tree makes of it. */
export function takeOutcome(tree: DecisionTree, state: AgentState, outcome: ToolOutcome, now: number): AgentState {
  const recorded = advance(state, { type: 'tool-finished', outcome, now });
  return advance(recorded, { type: 'hook-answered', answer: tree.onToolResult(recorded, outcome) });
}

/** The limits of a run: a tree may tighten what it was allowed, not loosen it. */
export function configWithin(allowed: AgentConfig, wanted: AgentConfig): AgentConfig {
  const tighter = (field: keyof AgentConfig) => Math.min(allowed[field], wanted[field]);
  return {
    ...allowed,
    maxIterations: tighter('maxIterations'),
    tokenBudget: tighter('tokenBudget'),
    timeoutSeconds: tighter('timeoutSeconds'),
    maxToolCallsPerTurn: tighter('maxToolCallsPerTurn'),
    maxParallelTools: tighter('maxParallelTools'),
  };
}

function rank(reason: TerminationReason): number {
  return priority.get(reason) ?? conditions.length;
}

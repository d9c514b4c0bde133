import type { RunDecisionsQuery, TerminationReason } from '@oracle-agent/sdk/documents';
import { words } from '../../words.ts';
import { formatNumber } from '../number-format.ts';

export type Decision = NonNullable<RunDecisionsQuery['run']>['decisions'][number];
type Evaluation = Decision['evaluations'][number];

/** One condition as it stood at one decision. */
export interface DecisionCell {
  readonly reason: TerminationReason;
  /** Value and limit, short. */
  readonly text: string;
  /** How near it was to its limit, 0 to 1. */
  readonly share: number;
  readonly fired: boolean;
  /** It is what stopped the run. */
  readonly decisive: boolean;
  /** What it means, in a sentence. */
  readonly sentence: string;
}

export interface DecisionRow {
  readonly when: string;
  readonly verdict: string;
  readonly stopped: boolean;
  readonly cells: readonly DecisionCell[];
}

/** The facts, which hold or do not; the others count towards a limit. */
const facts: ReadonlySet<TerminationReason> = new Set(['CANCELLED', 'COMPLETED', 'MODEL_ERROR', 'INTERRUPTED']);

/** Every decision, oldest first, with every condition in order of priority. */
export function decisionRows(decisions: readonly Decision[]): readonly DecisionRow[] {
  return decisions.map((decision, index) => {
    const when = whenOf(decision, decisions[index - 1]);
    return {
      when,
      verdict: decision.reason ? words.decisions.stopped(words.runs.states[decision.reason]) : words.decisions.wentOn,
      stopped: !decision.continued,
      cells: decision.evaluations.map((evaluation) => cellOf(evaluation, decision, when)),
    };
  });
}

/** A second decision about the same number of turns comes when the turn after them was broken off. */
function whenOf({ turn }: Decision, before: Decision | undefined): string {
  if (before?.continued && before.turn === turn) return words.decisions.during(turn + 1);
  return turn === 0 ? words.decisions.before : words.decisions.after(turn);
}

function cellOf(evaluation: Evaluation, decision: Decision, when: string): DecisionCell {
  const { reason, fired } = evaluation;
  const decisive = decision.reason === reason;
  return {
    reason,
    text: textOf(evaluation),
    share: shareOf(evaluation),
    fired,
    decisive,
    sentence: words.decisions.sentence(when, stoodAt(evaluation), outcomeOf(fired, decisive, decision)),
  };
}

function textOf({ reason, value, limit, fired }: Evaluation): string {
  const text = words.decisions;
  if (reason === 'COMPLETED') return fired ? text.answered : value > 0 ? text.calls(value) : text.notYet;
  if (facts.has(reason)) return fired ? text.yes : text.no;
  if (reason === 'TIMEOUT') return text.seconds(text.of(rounded(value), rounded(limit)));
  return text.of(formatNumber(Math.round(value)), formatNumber(limit));
}

export function shareOf({ reason, value, limit, fired }: Evaluation): number {
  if (facts.has(reason) || limit <= 0) return fired ? 1 : 0;
  return Math.min(1, Math.max(0, value / limit));
}

function stoodAt({ reason, value, limit, fired }: Evaluation): string {
  const { stood } = words.decisions;
  switch (reason) {
    case 'COMPLETED':
      if (!fired && value > 0) return words.decisions.asked(formatNumber(value));
      return fired ? stood.COMPLETED.on : stood.COMPLETED.off;
    case 'CANCELLED':
    case 'MODEL_ERROR':
    case 'INTERRUPTED':
      return fired ? stood[reason].on : stood[reason].off;
    case 'TIMEOUT':
      return stood.TIMEOUT(rounded(value), rounded(limit));
    default:
      return stood[reason](formatNumber(Math.round(value)), formatNumber(limit));
  }
}

function outcomeOf(fired: boolean, decisive: boolean, { reason }: Decision): string {
  const { outcomes } = words.decisions;
  if (!fired) return outcomes.didNot;
  if (decisive) return outcomes.stopped;
  return reason ? outcomes.overruled(words.runs.states[reason]) : outcomes.passedOver;
}

function rounded(value: number): string {
  return formatNumber(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));
}

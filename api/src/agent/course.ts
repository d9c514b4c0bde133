import type { Ending } from './ending.ts';
import type { Decision } from './steps.ts';
import type { TerminationReason } from './termination.ts';
import { totalTokens } from './usage.ts';

/**
 * What a run had used each time it was decided whether to go on, first to last: enough to ask later how it would have
 * fared under other limits. The entry at index n stands after n turns; the last may stand within a turn that was
 * broken off, and then needs nothing further.
 */
export interface Course {
  /** Tokens used so far. */
  readonly tokens: readonly number[];
  /** The same, with what the coming call would take at least. */
  readonly needed: readonly number[];
  readonly elapsedMs: readonly number[];
  /** Tool calls asked for in each turn. */
  readonly calls: readonly number[];
}

/** A decision as it was stored; older ones do not say what was used. */
type StoredDecision = Pick<Decision, 'verdict' | 'evaluations'> & { readonly tokens?: number | undefined };

interface Point {
  readonly tokens: number | undefined;
  readonly needed: number;
  readonly elapsedMs: number;
}

/** Collects a run's course from its decisions, as they are made or as they were stored. */
export class CourseRecorder {
  readonly #points: Point[] = [];
  #goesOn = true;

  constructor(decisions: readonly StoredDecision[] = []) {
    for (const decision of decisions) this.add(decision);
  }

  /** How many decisions there were. */
  get length(): number {
    return this.#points.length;
  }

  add(decision: StoredDecision): void {
    this.#goesOn = decision.verdict.continue;
    this.#points.push({
      tokens: decision.tokens,
      needed: whole(measured(decision, 'TOKEN_BUDGET')),
      elapsedMs: whole(measured(decision, 'TIMEOUT') * 1000),
    });
  }

  /** A run that was broken off without a last decision gets one from its ending. */
  close(ending: Ending, toolCalls: readonly { readonly turn: number }[]): Course {
    const used = totalTokens(ending.usage);
    const last: Point = { tokens: used, needed: used, elapsedMs: ending.durationMs };
    const points = this.#goesOn ? [...this.#points, last] : this.#points;
    const base = points[0]?.needed ?? 0;
    // Decisions that do not say what was used still say what was needed: as prompts grow, about the difference.
    const about = (needed: number, index: number) =>
      index === points.length - 1 ? used : Math.min(used, Math.max(0, needed - base));
    return {
      tokens: points.map(({ tokens, needed }, index) => tokens ?? about(needed, index)),
      needed: points.map(({ needed }) => needed),
      elapsedMs: points.map(({ elapsedMs }) => elapsedMs),
      calls: callsByTurn(toolCalls, ending.turns),
    };
  }
}

function callsByTurn(toolCalls: readonly { readonly turn: number }[], turns: number): readonly number[] {
  const counts = Array.from({ length: turns }, () => 0);
  for (const { turn } of toolCalls) if (turn >= 1 && turn <= turns) counts[turn - 1] = (counts[turn - 1] ?? 0) + 1;
  return counts;
}

function measured({ evaluations }: StoredDecision, reason: TerminationReason): number {
  return evaluations.find((evaluation) => evaluation.reason === reason)?.value ?? 0;
}

/** Rounded down: a limit that was not reached must not look as if it had been. */
function whole(value: number): number {
  return Math.max(0, Math.floor(value));
}

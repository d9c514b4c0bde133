import type { AgentConfig } from './config.ts';
import type { Course } from './course.ts';
import { turnsInVain } from './progress.ts';
import { smallestAnswer } from './reservation.ts';
import { type AgentState, initialState } from './state.ts';
import { type Condition, conditions, judge, type TerminationReason } from './termination.ts';
import { noUsage } from './usage.ts';

/** The limits that can end a run or keep a call from being run; the others only move warnings or pace. */
export type MovedLimits = Partial<
  Pick<AgentConfig, 'maxIterations' | 'tokenBudget' | 'timeoutSeconds' | 'maxToolCallsPerTurn'>
>;

export interface PastRun {
  readonly config: AgentConfig;
  readonly reason: TerminationReason;
  readonly course: Course;
}

/** How a past run would have fared under other limits. */
export type Fate =
  | { readonly type: 'same' }
  /** At the same place, for another reason. */
  | { readonly type: 'otherwise'; readonly reason: TerminationReason }
  /** What ended it would not have, or what made it answer; how far it would have come is not known. */
  | { readonly type: 'further' }
  | {
      readonly type: 'earlier';
      readonly reason: TerminationReason;
      /** Turns begun by then. */
      readonly turns: number;
      /** At least so much: what a call that was broken off had cost by then is not known. */
      readonly savedTokens: number;
      readonly savedMs: number;
    };

const limitOf: Partial<Record<TerminationReason, 'maxIterations' | 'tokenBudget' | 'timeoutSeconds'>> = {
  MAX_ITERATIONS: 'maxIterations',
  TOKEN_BUDGET: 'tokenBudget',
  TIMEOUT: 'timeoutSeconds',
};

/**
 * Goes through the run's own decisions once more and lets the same conditions judge them, in the same order. Only limits
 * that were tightened are asked before the end: no other can end a run before its time.
 */
export function fateUnder(run: PastRun, moved: MovedLimits): Fate {
  const config = { ...run.config, ...moved };
  const tightened = conditions.filter(({ reason }) => isTighter(run.config, config, reason));
  const last = run.course.tokens.length - 1;
  if (tightened.length > 0) {
    for (let point = 0; point <= last; point++) {
      const cut = point > 0 ? cutWithin(run, config, tightened, point) : undefined;
      if (cut) return cut;
      if (point === last) break;
      const verdict = judge(stateAt(run.course, point, config), tightened);
      if (!verdict.continue) return earlier(run, verdict.reason, point, tokensAt(run, point), msAt(run, point));
    }
  }
  return fateAtEnd(run, config);
}

/** How many calls would not have been run for exceeding the number per turn. */
export function callsNotRun({ calls }: Course, limit: number): number {
  return calls.reduce((sum, asked) => sum + Math.max(0, asked - limit), 0);
}

function isTighter(own: AgentConfig, moved: AgentConfig, reason: TerminationReason): boolean {
  const limit = limitOf[reason];
  return limit !== undefined && moved[limit] < own[limit];
}

/** Tokens and time may also run out within a turn: then the call in flight is broken off, not the next one kept back. */
function cutWithin(
  run: PastRun,
  config: AgentConfig,
  tightened: readonly Condition[],
  point: number,
): Fate | undefined {
  const asked = (reason: TerminationReason) => tightened.some((condition) => condition.reason === reason);
  const tooMany = asked('TOKEN_BUDGET') && tokensAt(run, point) > config.tokenBudget;
  const tooLong = asked('TIMEOUT') && msAt(run, point) > config.timeoutSeconds * 1000;
  if (!tooMany && !tooLong) return undefined;
  const state: AgentState = {
    ...initialState({ userId: '', projectId: '', config, now: 0 }),
    turn: point - 1,
    turnOpen: true,
    tokensUsed: used(tooMany ? config.tokenBudget : tokensAt(run, point - 1)),
    now: tooLong ? config.timeoutSeconds * 1000 : msAt(run, point - 1),
  };
  const verdict = judge(state, tightened);
  if (verdict.continue) return undefined;
  const tokens = Math.min(tokensAt(run, point), tooMany ? config.tokenBudget : Number.POSITIVE_INFINITY);
  const ms = Math.min(msAt(run, point), tooLong ? config.timeoutSeconds * 1000 : Number.POSITIVE_INFINITY);
  return earlier(run, verdict.reason, point, tokens, ms);
}

function earlier(run: PastRun, reason: TerminationReason, turns: number, tokens: number, ms: number): Fate {
  const last = run.course.tokens.length - 1;
  return {
    type: 'earlier',
    reason,
    turns,
    savedTokens: Math.max(0, tokensAt(run, last) - tokens),
    savedMs: Math.max(0, msAt(run, last) - ms),
  };
}

/** The last decision again, with the facts that ended the run and the limits as they would have been. */
function fateAtEnd(run: PastRun, config: AgentConfig): Fate {
  const last = run.course.tokens.length - 1;
  if (last < 0) return { type: 'same' };
  if (run.reason === 'COMPLETED') {
    const { maxIterations } = run.config;
    const madeToAnswer = maxIterations >= 2 && last === maxIterations && config.maxIterations > maxIterations;
    return { type: madeToAnswer ? 'further' : 'same' };
  }
  // A limit of the tree's own, say, is none that was moved.
  const own = judge(endOf(run, run.config));
  if (own.continue || own.reason !== run.reason) return { type: 'same' };
  const verdict = judge(endOf(run, config));
  if (verdict.continue) return { type: 'further' };
  return verdict.reason === run.reason ? { type: 'same' } : { type: 'otherwise', reason: verdict.reason };
}

function endOf({ course, reason }: PastRun, config: AgentConfig): AgentState {
  return {
    ...stateAt(course, course.tokens.length - 1, config),
    cancelled: reason === 'CANCELLED',
    identicalStreak: reason === 'NO_PROGRESS' ? turnsInVain : 0,
    errorStreak: reason === 'ERROR_LIMIT' ? turnsInVain : 0,
    modelError: reason === 'MODEL_ERROR' ? '' : undefined,
    interrupted: reason === 'INTERRUPTED',
  };
}

/** As much of the state as the conditions ask about. Without anything further needed, the turn was still open. */
function stateAt({ tokens, needed, elapsedMs }: Course, point: number, config: AgentConfig): AgentState {
  const spent = tokens[point] ?? 0;
  const coming = (needed[point] ?? 0) - spent;
  const turnOpen = point > 0 && coming <= 0;
  return {
    ...initialState({ userId: '', projectId: '', config, now: 0 }),
    turn: turnOpen ? point - 1 : point,
    turnOpen,
    tokensUsed: used(spent),
    expectedInput: turnOpen ? undefined : Math.max(0, coming - smallestAnswer),
    now: elapsedMs[point] ?? 0,
  };
}

function used(tokens: number) {
  return { ...noUsage, inputTokens: tokens };
}

function tokensAt({ course }: PastRun, point: number): number {
  return course.tokens[point] ?? 0;
}

function msAt({ course }: PastRun, point: number): number {
  return course.elapsedMs[point] ?? 0;
}

import { fingerprint } from './json.ts';
import { addSeen, nothingSeen, type SeenSet } from './seen-set.ts';
import { callSignature, outcomeSignature, type ToolCall, type ToolOutcome } from './tool-call.ts';

/** So many turns in a row without anything new, or with nothing but errors, end a run. */
export const turnsInVain = 3;
export const rememberedActions = 6;
const rememberedErrors = 3;
const shownCalls = 5;
const shownLength = 200;

/** The distinct calls of one turn. */
export interface Action {
  /** Equal for equal actions. */
  readonly key: string;
  /** The first few calls, shortened, for people to read. */
  readonly calls: readonly string[];
  /** The results of repeatable tools, which decide whether repeating the action gets nowhere. */
  readonly polled: string;
}

/** What the detector remembers between turns. Its size is bounded, but for one fingerprint per distinct result. */
export interface Progress {
  readonly recentActions: readonly Action[];
  readonly identicalStreak: number;
  readonly staleStreak: number;
  readonly errorStreak: number;
  readonly recentErrors: readonly string[];
  readonly toolCallsExecuted: number;
  readonly seenResults: SeenSet;
  readonly openOutcomes: OpenOutcomes;
}

interface OpenOutcomes {
  readonly executed: number;
  readonly failed: number;
  readonly novel: boolean;
  readonly polled: readonly string[];
}

const noOutcomes: OpenOutcomes = Object.freeze({ executed: 0, failed: 0, novel: false, polled: Object.freeze([]) });

export const noProgressYet: Progress = Object.freeze({
  recentActions: Object.freeze([]),
  identicalStreak: 0,
  staleStreak: 0,
  errorStreak: 0,
  recentErrors: Object.freeze([]),
  toolCallsExecuted: 0,
  seenResults: nothingSeen,
  openOutcomes: noOutcomes,
});

/** A call that was not run brings nothing new and is no error. */
export function recordOutcome<P extends Progress>(progress: P, outcome: ToolOutcome): P {
  if (outcome.status === 'not-run') return progress;
  const { executed, failed, novel, polled } = progress.openOutcomes;
  const hasFailed = outcome.status === 'failed';
  const seen = fingerprint(outcomeSignature(outcome));
  const seenResults = addSeen(progress.seenResults, seen);
  return {
    ...progress,
    toolCallsExecuted: progress.toolCallsExecuted + 1,
    recentErrors: hasFailed
      ? latest(progress.recentErrors, shorten(outcome.error), rememberedErrors)
      : progress.recentErrors,
    seenResults,
    openOutcomes: {
      executed: executed + 1,
      failed: failed + (hasFailed ? 1 : 0),
      novel: novel || seenResults !== progress.seenResults,
      polled: outcome.repeatable ? [...polled, seen] : polled,
    },
  };
}

/** Closes a turn in which these calls were asked for. A turn without calls repeats nothing. */
export function closeTurn<P extends Progress>(progress: P, calls: readonly ToolCall[]): P {
  const outcomes = progress.openOutcomes;
  if (calls.length === 0)
    return { ...progress, identicalStreak: 0, staleStreak: 0, errorStreak: 0, openOutcomes: noOutcomes };
  const action = actionOf(calls, outcomes.polled);
  const previous = progress.recentActions.at(-1);
  const repeated = previous?.key === action.key && previous.polled === action.polled;
  return {
    ...progress,
    openOutcomes: noOutcomes,
    recentActions: latest(progress.recentActions, action, rememberedActions),
    identicalStreak: repeated ? progress.identicalStreak + 1 : 1,
    staleStreak: outcomes.novel ? 0 : progress.staleStreak + 1,
    errorStreak: outcomes.executed > 0 && outcomes.failed === outcomes.executed ? progress.errorStreak + 1 : 0,
  };
}

/** How many turns in a row have got nowhere, by whichever rule counts more of them. */
export function stalledTurns(progress: Progress): { readonly rule: 'identical' | 'stale'; readonly turns: number } {
  const { identicalStreak, staleStreak } = progress;
  return identicalStreak >= staleStreak
    ? { rule: 'identical', turns: identicalStreak }
    : { rule: 'stale', turns: staleStreak };
}

/** The latest action, when the remembered turns hold it three times with something else in between. */
export function loopedAction(progress: Progress): Action | undefined {
  const action = progress.recentActions.at(-1);
  if (action === undefined) return undefined;
  let times = 0;
  for (const remembered of progress.recentActions) if (remembered.key === action.key) times += 1;
  if (times < turnsInVain) return undefined;
  const first = progress.recentActions.findIndex((remembered) => remembered.key === action.key);
  const inRow = progress.recentActions.length - first === times;
  return inRow ? undefined : action;
}

function actionOf(calls: readonly ToolCall[], polled: readonly string[]): Action {
  const signatures = distinct(calls.map(callSignature));
  return {
    key: fingerprint(signatures.join('\n')),
    calls: signatures.slice(0, shownCalls).map(shorten),
    polled: distinct(polled).join(' '),
  };
}

function distinct(texts: readonly string[]): readonly string[] {
  return texts.length < 2 ? texts : [...new Set(texts)].sort();
}

function latest<T>(remembered: readonly T[], added: T, count: number): readonly T[] {
  const kept = remembered.length < count ? remembered.slice() : remembered.slice(1 - count);
  kept.push(added);
  return kept;
}

function shorten(text: string): string {
  return text.length <= shownLength ? text : `${text.slice(0, shownLength - 1)}…`;
}

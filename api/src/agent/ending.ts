import type { LimitType, Notice } from './chunk.ts';
import { explain } from './explanation.ts';
import { stalledTurns, turnsInVain } from './progress.ts';
import { type AgentState, elapsedMs, tokensSoFar, turnsStarted, usageSoFar } from './state.ts';
import type { TerminationReason } from './termination.ts';
import type { Usage } from './usage.ts';

/** A tool that was abandoned may still do its work: then its fate is unknown. */
export interface UnfinishedTool {
  readonly callId: string;
  readonly name: string;
  readonly fate: 'finished' | 'stopped' | 'unknown';
}

/** What of the run can be read again afterwards. */
export interface Saved {
  readonly contentCharacters: number;
  readonly toolCalls: number;
  readonly sources: number;
}

export interface NextAction {
  readonly action: 'CONTINUE' | 'ANSWER_NOW' | 'BRANCH';
  readonly label: string;
  /** How many turns it takes at most; not for branching. */
  readonly turns?: number;
}

/** When nobody says how many. */
export const turnsToContinue = 10;

/** The one record of how a run ended, whatever ended it. */
export interface Ending {
  readonly reason: TerminationReason;
  readonly message: string;
  readonly limitType?: LimitType;
  readonly usedValue?: number;
  readonly limitValue?: number;
  readonly turns: number;
  readonly usage: Usage;
  readonly durationMs: number;
  readonly unfinishedTools: readonly UnfinishedTool[];
  readonly saved: Saved;
  readonly nextActions: readonly NextAction[];
}

export interface Stop {
  readonly reason: TerminationReason;
  readonly unfinishedTools: readonly UnfinishedTool[];
  readonly saved: Saved;
}

export function endingOf(state: AgentState, { reason, unfinishedTools, saved }: Stop): Ending {
  return {
    reason,
    message: explain(state, reason, saved.contentCharacters > 0),
    ...measured(state, reason),
    turns: turnsStarted(state),
    usage: usageSoFar(state),
    durationMs: Math.round(elapsedMs(state)),
    unfinishedTools,
    saved,
    nextActions: nextActions(reason),
  };
}

/** The notice that tells the person which limit ended the run; none for other endings. */
export function endingNotice(ending: Ending): Notice | undefined {
  const { reason, message, limitType, usedValue, limitValue } = ending;
  if (reason === 'NO_PROGRESS' || reason === 'ERROR_LIMIT') return { systemType: reason, severity: 'ERROR', message };
  if (limitType === undefined || usedValue === undefined || limitValue === undefined) return undefined;
  return { systemType: 'LIMIT_REACHED', severity: 'ERROR', message, limitType, currentValue: usedValue, limitValue };
}

type Measured = Pick<Ending, 'limitType' | 'usedValue' | 'limitValue'>;

/** What was used and what was allowed, for endings that have a limit to compare with. */
function measured(state: AgentState, reason: TerminationReason): Measured {
  const { maxIterations, tokenBudget, timeoutSeconds } = state.config;
  switch (reason) {
    case 'MAX_ITERATIONS':
      return { limitType: 'ITERATIONS', usedValue: state.turn, limitValue: maxIterations };
    case 'TOKEN_BUDGET':
      return { limitType: 'TOKENS', usedValue: tokensSoFar(state), limitValue: tokenBudget };
    case 'TIMEOUT':
      return { limitType: 'TIME', usedValue: elapsedMs(state) / 1000, limitValue: timeoutSeconds };
    case 'NO_PROGRESS':
      return { usedValue: stalledTurns(state).turns, limitValue: turnsInVain };
    case 'ERROR_LIMIT':
      return { usedValue: state.errorStreak, limitValue: turnsInVain };
    default:
      return {};
  }
}

function nextActions(reason: TerminationReason): readonly NextAction[] {
  const branch: NextAction = { action: 'BRANCH', label: 'Ask differently from an earlier point' };
  const answer: NextAction = { action: 'ANSWER_NOW', label: 'Answer now with what was found', turns: 1 };
  const proceed: NextAction = {
    action: 'CONTINUE',
    label: `Continue with up to ${turnsToContinue} more turns`,
    turns: turnsToContinue,
  };
  switch (reason) {
    case 'COMPLETED':
      return [branch];
    case 'NO_PROGRESS':
    case 'ERROR_LIMIT':
      return [answer, branch, proceed];
    case 'MODEL_ERROR':
    case 'INTERRUPTED':
      return [proceed, branch, answer];
    default:
      return [proceed, answer, branch];
  }
}

import { stalledTurns, turnsInVain } from './progress.ts';
import { type AgentState, elapsedMs, tokensSoFar, turnsStarted } from './state.ts';
import type { TerminationReason } from './termination.ts';
import { comingReservation } from './warnings.ts';
import { counted, grouped } from './words.ts';

/** Why the run ended, in a sentence or two with the numbers, for whoever looks at it later. */
export function explain(state: AgentState, reason: TerminationReason, hasContent = true): string {
  switch (reason) {
    case 'CANCELLED':
      return turnsStarted(state) === 0
        ? 'Cancelled before the first turn.'
        : `Cancelled in turn ${turnsStarted(state)}.`;
    case 'COMPLETED':
      return hasContent
        ? `Answered in ${counted(state.turn, 'turn')}.`
        : `The model ended after ${counted(state.turn, 'turn')} without a word of an answer.`;
    case 'MAX_ITERATIONS':
      return `Stopped at the iteration limit: ${state.turn} of ${state.config.maxIterations} turns used.`;
    case 'TOKEN_BUDGET':
      return explainTokens(state);
    case 'TIMEOUT':
      return `Stopped at the time limit: ${seconds(state)} of ${state.config.timeoutSeconds} seconds used.`;
    case 'NO_PROGRESS':
      return explainStall(state);
    case 'ERROR_LIMIT':
      return `Stopped because every tool call failed in ${turnsInVain} turns in a row. ${lastErrors(state)}`;
    case 'MODEL_ERROR':
      return `The model could not be reached or failed for good: ${state.modelError ?? 'no details are known'}.`;
    case 'INTERRUPTED':
      return 'The server stopped while it was working on this, and the run could not be continued.';
  }
}

/**
 * The paragraph with which an answer closes when a limit ended it; none when it was finished, cancelled or broken off,
 * which the reader is told in other ways.
 */
export function closingWords(state: AgentState, reason: TerminationReason, hasContent: boolean): string | undefined {
  if (!limits.has(reason)) return undefined;
  const opening = hasContent ? '\n\n' : noAnswerYet;
  return `${opening}${explain(state, reason)} ${attempts(state)}`.trimEnd();
}

const noAnswerYet = 'There is no answer yet. ';

/** The answer as far as the model wrote it: without the closing words that a limit may have added. */
export function withoutClosing(
  answer: string,
  ending: { readonly reason: TerminationReason; readonly message: string },
): string {
  const start = limits.has(ending.reason) ? answer.lastIndexOf(ending.message) : -1;
  if (start < 0) return answer;
  const written = answer.slice(0, start);
  return written === noAnswerYet ? '' : written.replace(/\n\n$/, '');
}

const limits: ReadonlySet<TerminationReason> = new Set([
  'MAX_ITERATIONS',
  'TOKEN_BUDGET',
  'TIMEOUT',
  'NO_PROGRESS',
  'ERROR_LIMIT',
]);

function explainTokens(state: AgentState): string {
  const used = `${grouped(tokensSoFar(state))} of ${grouped(state.config.tokenBudget)} tokens used.`;
  const coming = comingReservation(state);
  const spent = tokensSoFar(state) >= state.config.tokenBudget;
  if (coming === undefined || coming.fits || spent || state.turnOpen) return `Stopped at the token budget: ${used}`;
  return `Stopped at the token budget: ${used} The next call would have taken at least ${grouped(coming.needed)} more.`;
}

function explainStall(state: AgentState): string {
  const { rule, turns } = stalledTurns(state);
  return rule === 'identical'
    ? `Stopped because nothing new came of it: the same action was taken ${turns} times in a row (${lastAction(state)}).`
    : `Stopped because nothing new came of it: ${turns} turns in a row brought only results that were known already (last: ${lastAction(state)}).`;
}

function lastErrors(state: AgentState): string {
  const errors = [...new Set(state.recentErrors)].map((error) => `“${error}”`);
  return `Last action: ${lastAction(state)}. Last errors: ${errors.join('; ')}.`;
}

function lastAction(state: AgentState): string {
  return state.recentActions.at(-1)?.calls.join(', ') ?? 'none';
}

/** What was tried: the number of calls, and the latest different ones. */
function attempts(state: AgentState): string {
  if (state.toolCallsExecuted === 0) return 'No tool was used.';
  const latest = [...new Set(state.recentActions.flatMap((action) => action.calls))].slice(-3);
  return `Tried: ${counted(state.toolCallsExecuted, 'tool call')}, lately ${latest.join(', ')}.`;
}

function seconds(state: AgentState): number {
  return Math.round(elapsedMs(state) / 100) / 10;
}

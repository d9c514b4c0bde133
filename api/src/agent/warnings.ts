import type { Notice } from './chunk.ts';
import { loopedAction, stalledTurns, turnsInVain } from './progress.ts';
import { type Reservation, reserve } from './reservation.ts';
import { type AgentState, elapsedMs, tokensSoFar, type Warning } from './state.ts';
import { counted, grouped } from './words.ts';

const timeWarningPercent = 80;
const contextWarningPercent = 70;

/** Said once per run: a notice for the person, and the same as a hint for the model. */
export interface DueWarning {
  readonly warning: Warning;
  readonly notice: Notice;
  readonly hint: string;
}

/** The warnings that are due at the start of a turn and were not given yet. */
export function dueWarnings(state: AgentState): readonly DueWarning[] {
  const due: DueWarning[] = [];
  for (const [warning, check] of checks) {
    const found = state.warned.includes(warning) ? undefined : check(state);
    if (found) due.push(found);
  }
  return due;
}

/** In the order in which they are told. */
const checks: readonly (readonly [Warning, (state: AgentState) => DueWarning | undefined])[] = [
  ['iterations', iterationWarning],
  ['tokens', tokenWarning],
  ['time', timeWarning],
  ['context', contextWarning],
  ['loop', loopWarning],
];

/** Completed turns after which to warn: two turns ahead where the limit allows, and never of a limit of one. */
export function iterationWarningAfter(maxIterations: number, softWarningPercent: number): number {
  if (maxIterations < 2) return Number.POSITIVE_INFINITY;
  return Math.max(1, Math.min(Math.floor((maxIterations * softWarningPercent) / 100), maxIterations - 2));
}

export function iterationWarning(state: AgentState): DueWarning | undefined {
  const { maxIterations, softWarningPercent } = state.config;
  if (state.turn < iterationWarningAfter(maxIterations, softWarningPercent)) return undefined;
  const left = counted(maxIterations - state.turn, 'turn');
  return limitWarning('iterations', 'ITERATIONS', state.turn, maxIterations, {
    message: `Approaching iteration limit (${state.turn}/${maxIterations})`,
    advice: sentences(`${left} left; the answer should be wrapped up.`, tokenForecast(state)),
  });
}

export function tokenWarning(state: AgentState): DueWarning | undefined {
  const { tokenBudget, tokenWarningPercent } = state.config;
  const expected = tokensSoFar(state) + (state.expectedInput ?? 0);
  if (expected * 100 < tokenBudget * tokenWarningPercent) return undefined;
  return limitWarning('tokens', 'TOKENS', expected, tokenBudget, {
    message: `Approaching token budget (${grouped(expected)}/${grouped(tokenBudget)})`,
    advice: sentences('The answer should be wrapped up, and kept short.', tokenForecast(state)),
  });
}

/** Also useful in the middle of a turn, when a slow tool has used up the time. */
export function timeWarning(state: AgentState): DueWarning | undefined {
  const { timeoutSeconds } = state.config;
  const seconds = elapsedMs(state) / 1000;
  if (seconds * 100 < timeoutSeconds * timeWarningPercent) return undefined;
  return limitWarning('time', 'TIME', seconds, timeoutSeconds, {
    message: `Approaching time limit (${Math.floor(seconds)}/${timeoutSeconds} s)`,
    advice: `About ${counted(Math.max(0, Math.ceil(timeoutSeconds - seconds)), 'second')} left; answer without slow tools.`,
  });
}

/** The window is not a limit that ends a run: what is oldest makes room. Saying so early leaves time to ask for less. */
export function contextWarning({ expectedInput, windowSize }: AgentState): DueWarning | undefined {
  if (expectedInput === undefined || windowSize === undefined) return undefined;
  if (expectedInput * 100 < windowSize * contextWarningPercent) return undefined;
  const message = `The model's window fills up (${grouped(expectedInput)}/${grouped(windowSize)} tokens)`;
  const advice = 'Smaller steps or a new conversation help; before it is full, the oldest parts are left out.';
  return {
    warning: 'context',
    notice: {
      systemType: 'CONTEXT_WARNING',
      severity: 'WARNING',
      message,
      limitType: 'CONTEXT',
      currentValue: expectedInput,
      limitValue: windowSize,
      advice,
    },
    hint: `${message}. Ask tools for less at a time, and answer soon.`,
  };
}

export function loopWarning(state: AgentState): DueWarning | undefined {
  const action = loopedAction(state);
  if (action === undefined) return undefined;
  const calls = action.calls.join(', ');
  const message = `The same action keeps coming back (${calls})`;
  const advice = 'Try something else, or answer with what there is.';
  return {
    warning: 'loop',
    notice: { systemType: 'LOOP_DETECTED', severity: 'WARNING', message, advice },
    hint: `${message}. ${advice}`,
  };
}

/** Given each time a run is one turn away from being stopped for getting nowhere. */
export function noProgressHint(state: AgentState): string | undefined {
  const { rule, turns } = stalledTurns(state);
  if (turns !== turnsInVain - 1) return undefined;
  const calls = state.recentActions.at(-1)?.calls.join(', ');
  const what =
    rule === 'identical' ? `made the same call ${turns} times in a row` : `learned nothing new for ${turns} turns`;
  return `You have ${what} (${calls}). One more and the run ends: try something different or answer now.`;
}

/** Why the turn that has just started is the last one that can be afforded, if it is. */
export function lastTurn(state: AgentState): 'iterations' | 'tokens' | undefined {
  const { maxIterations } = state.config;
  if (maxIterations >= 2 && state.turn === maxIterations - 1) return 'iterations';
  const coming = comingReservation(state);
  return coming?.fits && coming.last ? 'tokens' : undefined;
}

export const wrapUpHint =
  'This is your last turn and no tools are available. Answer now with what you have, and say what is missing.';

/** What the budget allows the coming call, once its prompt is known. */
export function comingReservation(state: AgentState): Reservation | undefined {
  if (state.expectedInput === undefined) return undefined;
  return reserve({
    budget: state.config.tokenBudget,
    used: tokensSoFar(state),
    prompt: state.expectedInput,
    previousPrompt: state.previousInput,
    previousOutput: state.previousOutput,
  });
}

function limitWarning(
  warning: Warning,
  limitType: 'ITERATIONS' | 'TOKENS' | 'TIME',
  currentValue: number,
  limitValue: number,
  { message, advice }: { readonly message: string; readonly advice: string },
): DueWarning {
  const notice: Notice = {
    systemType: 'LIMIT_WARNING',
    severity: 'WARNING',
    message,
    limitType,
    currentValue,
    limitValue,
    advice,
  };
  return { warning, notice, hint: `${message}. ${advice}` };
}

/** Only worth saying when the tokens run out before the turns do. */
function tokenForecast(state: AgentState): string | undefined {
  if (state.turn === 0) return undefined;
  const lastAffordable = Math.floor((state.config.tokenBudget * state.turn) / Math.max(1, tokensSoFar(state)));
  if (lastAffordable >= state.config.maxIterations) return undefined;
  return `At this pace tokens run out around turn ${Math.max(lastAffordable, state.turn + 1)}.`;
}

function sentences(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(' ');
}

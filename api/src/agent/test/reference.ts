import type { AgentConfig } from '../config.ts';
import type { TerminationReason } from '../termination.ts';
import { configOf, type ScriptedCall, type ScriptedTurn } from './history.ts';

/** When and why a history must end: the rules written down a second time, slowly and over the whole past each turn. */
export function expectedEnd(history: readonly ScriptedTurn[], limits: Partial<AgentConfig>) {
  const config = configOf(limits);
  for (let turns = 0; turns <= history.length; turns++) {
    const reason = reasonAfter(history.slice(0, turns), history[turns]?.prompt ?? 0, config);
    if (reason !== undefined) return { reason, turns };
  }
  return { reason: undefined, turns: history.length };
}

function reasonAfter(
  past: readonly ScriptedTurn[],
  prompt: number,
  config: AgentConfig,
): TerminationReason | undefined {
  const last = past.at(-1);
  const failed = last?.event === 'model-failed';
  const complete = failed ? past.slice(0, -1) : past;
  const tokens = sum(complete.map((turn) => (turn.prompt ?? 0) + (turn.output ?? 0)));
  const stale = complete.map((turn, index) => isStale(turn, complete.slice(0, index)));
  const errors = complete.map(({ calls }) => executed(calls).length > 0 && executed(calls).every((call) => call.fails));
  const holding: Record<TerminationReason, boolean> = {
    CANCELLED: last?.event === 'cancelled',
    COMPLETED: last?.calls.length === 0 && !failed,
    MAX_ITERATIONS: complete.length >= config.maxIterations,
    TOKEN_BUDGET: tokens >= config.tokenBudget || (!failed && tokens + prompt + 16 > config.tokenBudget),
    TIMEOUT: sum(past.map((turn) => turn.milliseconds ?? 0)) >= config.timeoutSeconds * 1000,
    NO_PROGRESS: lastThree(stale) || identicalThree(complete.slice(-3)),
    ERROR_LIMIT: lastThree(errors),
    MODEL_ERROR: failed,
    INTERRUPTED: last?.event === 'interrupted',
  };
  return order.find((reason) => holding[reason]);
}

const order = [
  'CANCELLED',
  'COMPLETED',
  'MAX_ITERATIONS',
  'TOKEN_BUDGET',
  'TIMEOUT',
  'NO_PROGRESS',
  'ERROR_LIMIT',
  'MODEL_ERROR',
  'INTERRUPTED',
] as const satisfies readonly TerminationReason[];

function executed(calls: readonly ScriptedCall[]): readonly ScriptedCall[] {
  return calls.filter((call) => !call.notRun);
}

function isStale(turn: ScriptedTurn, before: readonly ScriptedTurn[]): boolean {
  const known = new Set(before.flatMap(({ calls }) => executed(calls).map(withResult)));
  return executed(turn.calls).every((call) => known.has(withResult(call)));
}

function identicalThree(turns: readonly ScriptedTurn[]): boolean {
  const actions = turns.map(({ calls }) => distinct(calls.map(withoutResult)));
  const polls = turns.map(({ calls }) =>
    distinct(
      executed(calls)
        .filter((call) => call.repeatable)
        .map(withResult),
    ),
  );
  return turns.length === 3 && new Set(actions).size === 1 && new Set(polls).size === 1;
}

function withoutResult(call: ScriptedCall): string {
  return JSON.stringify([call.name, call.arguments]);
}

function withResult(call: ScriptedCall): string {
  return JSON.stringify([call.name, call.arguments, call.result, call.fails ?? false]);
}

function distinct(texts: readonly string[]): string {
  return [...new Set(texts)].sort().join();
}

function lastThree(turns: readonly boolean[]): boolean {
  return turns.length >= 3 && turns.slice(-3).every(Boolean);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

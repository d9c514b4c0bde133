import { formatDuration, formatNumber, withUnit } from './number-format.ts';
import type { SettingValue } from './setting.ts';

/** The value in force for a field, as it would be with what is typed right now; undefined when that cannot be. */
export type InForce = (field: string) => SettingValue | undefined;

/** The turn after which the runner warns; undefined when it never does. */
export function warningTurn(maxIterations: number, percent: number): number | undefined {
  if (maxIterations <= 1) return undefined;
  return Math.max(1, Math.min(Math.floor((maxIterations * percent) / 100), maxIterations - 2));
}

/** One sentence that says what the numbers of a card amount to; undefined for cards that explain themselves. */
export function meaningOf(card: string, inForce: InForce): string | undefined {
  return meanings[card]?.((field) => {
    const value = inForce(field);
    return typeof value === 'number' ? value : undefined;
  });
}

type NumberInForce = (field: string) => number | undefined;

const meanings: Readonly<Record<string, (number: NumberInForce) => string | undefined>> = {
  Turns(number) {
    const max = number('maxIterations');
    const percent = number('softWarningPercent');
    if (max === undefined || percent === undefined) return undefined;
    const turn = warningTurn(max, percent);
    if (turn === undefined) return 'Stops after a single turn, without a warning.';
    return `Warns after turn ${turn} of ${max}.`;
  },
  Tokens(number) {
    const budget = number('tokenBudget');
    const percent = number('tokenWarningPercent');
    if (budget === undefined || percent === undefined) return undefined;
    const warning = Math.ceil((budget * percent) / 100);
    return `Warns at ${formatNumber(warning)} of ${formatNumber(budget)} tokens.`;
  },
  Time(number) {
    const seconds = number('timeoutSeconds');
    return seconds === undefined ? undefined : `Stops ${formatDuration(seconds)} after the question.`;
  },
  Tools(number) {
    const calls = number('maxToolCallsPerTurn');
    const parallel = number('maxParallelTools');
    if (calls === undefined || parallel === undefined) return undefined;
    if (calls === 1) return 'Runs one call per turn.';
    const together = Math.min(calls, parallel);
    const pace = together === 1 ? 'one after another' : together === calls ? 'all at once' : `${together} at a time`;
    return `Runs up to ${withUnit(calls, 'calls')} per turn, ${pace}.`;
  },
};

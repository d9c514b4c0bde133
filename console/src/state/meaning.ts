import { words } from '../words.ts';
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

const { cards, meaning: said } = words.settings;

type NumberInForce = (field: string) => number | undefined;

const meanings: Readonly<Record<string, (number: NumberInForce) => string | undefined>> = {
  [cards.turns](number) {
    const max = number('maxIterations');
    const percent = number('softWarningPercent');
    if (max === undefined || percent === undefined) return undefined;
    const turn = warningTurn(max, percent);
    if (turn === undefined) return said.oneTurn;
    return said.turns(turn, max);
  },
  [cards.tokens](number) {
    const budget = number('tokenBudget');
    const percent = number('tokenWarningPercent');
    if (budget === undefined || percent === undefined) return undefined;
    const warning = Math.ceil((budget * percent) / 100);
    return said.tokens(warning, budget);
  },
  [cards.seconds](number) {
    const seconds = number('timeoutSeconds');
    return seconds === undefined ? undefined : said.time(seconds);
  },
  [cards.calls](number) {
    const calls = number('maxToolCallsPerTurn');
    const parallel = number('maxParallelTools');
    if (calls === undefined || parallel === undefined) return undefined;
    if (calls === 1) return said.oneCall;
    const together = Math.min(calls, parallel);
    const pace = together === 1 ? said.oneByOne : together === calls ? said.allAtOnce : said.together(together);
    return said.calls(calls, pace);
  },
};

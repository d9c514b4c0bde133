import { words } from '../../words.ts';
import { formatNumber } from '../number-format.ts';
import type { Ending } from './run-view.ts';
import { durationText } from './tool-words.ts';

export type EndingTone = 'complete' | 'stopped' | 'limit' | 'failure';

export function endingTone(reason: Ending['reason']): EndingTone {
  switch (reason) {
    case 'COMPLETED':
      return 'complete';
    case 'CANCELLED':
      return 'stopped';
    case 'MODEL_ERROR':
    case 'INTERRUPTED':
      return 'failure';
    default:
      return 'limit';
  }
}

/** The numbers, with what was allowed where a limit was met. */
export function endingFacts(ending: Ending): readonly string[] {
  const { limitType, limitValue, turns, usage, durationMs } = ending;
  const allowed = (type: Ending['limitType'], text: string) =>
    limitType === type && limitValue !== null ? words.ending.of(text, formatNumber(limitValue)) : text;
  return [
    limitType === 'ITERATIONS' ? allowed('ITERATIONS', words.ending.turns(turns)) : words.ending.turns(turns),
    allowed('TOKENS', words.ending.tokens(usage.totalTokens, usage.estimated)),
    limitType === 'TIME' && limitValue !== null
      ? words.ending.of(durationText(durationMs), `${formatNumber(limitValue)} s`)
      : durationText(durationMs),
  ];
}

export function offers({ nextActions }: Ending, action: Ending['nextActions'][number]['action']): boolean {
  return nextActions.some((one) => one.action === action);
}

const usualTurns = 10;

export function turnsOffered({ nextActions }: Ending): number {
  return nextActions.find(({ action }) => action === 'CONTINUE')?.turns ?? usualTurns;
}

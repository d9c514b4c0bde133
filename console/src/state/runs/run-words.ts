import { words } from '../../words.ts';
import { type EndingTone, endingTone } from '../chat/ending-words.ts';
import { durationText } from '../chat/tool-words.ts';
import { formatDuration, formatNumber } from '../number-format.ts';
import type { RunState } from './run-filters.ts';
import type { RunRow } from './run-rows.ts';

export function stateOf({ status, ending }: Pick<RunRow, 'status' | 'ending'>): RunState {
  return status === 'RUNNING' || !ending ? 'RUNNING' : ending.reason;
}

export function toneOf(state: RunState): EndingTone | 'running' {
  return state === 'RUNNING' ? 'running' : endingTone(state);
}

/** 420 ms, 4.2 s, 42 s, 2 min 5 s. */
export function timeText(milliseconds: number): string {
  return milliseconds < 10_000 ? durationText(milliseconds) : formatDuration(Math.round(milliseconds / 1_000));
}

export function ofLimit(used: number, allowed: number): string {
  return words.runs.of(formatNumber(used), formatNumber(allowed));
}

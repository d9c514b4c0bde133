import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RepeatedWarning } from './repeated-warning.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

describe('a warning that repeats itself', () => {
  it('is told at once, then once a minute with how often it came', () => {
    const told: unknown[] = [];
    const warning = new RepeatedWarning({ warn: (...line: unknown[]) => void told.push(line) }, 'it failed');

    for (let second = 0; second <= 120; second++) {
      warning.tell({ second });
      vi.advanceTimersByTime(1_000);
    }

    expect(told).toEqual([
      [{ second: 0 }, 'it failed'],
      [{ second: 60, untold: 59 }, 'it failed'],
      [{ second: 120, untold: 59 }, 'it failed'],
    ]);
  });
});

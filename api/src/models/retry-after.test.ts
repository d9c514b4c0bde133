import { describe, expect, it } from 'vitest';
import { retryAfterMs, retryDelayMs, usualRetries } from './retry-after.ts';

describe('retryAfterMs', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');

  it.each([
    ['seconds', { 'retry-after': '7' }, 7_000],
    ['a fraction of a second', { 'retry-after': '0.5' }, 500],
    ['a date', { 'retry-after': 'Sun, 01 Mar 2026 12:00:30 GMT' }, 30_000],
    ['a date gone by', { 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' }, 0],
    ['milliseconds', { 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    ['nonsense', { 'retry-after': 'soon' }, undefined],
    ['nothing', {}, undefined],
  ])('reads %s', (_what, headers, expected) => {
    expect(retryAfterMs(headers, now)).toBe(expected);
  });
});

describe('retryDelayMs', () => {
  it('doubles with each failure, spread by chance, up to its limit', () => {
    const delays = (random: number) =>
      [1, 2, 3, 9].map((failures) => retryDelayMs({ ...usualRetries, random: () => random }, failures, undefined));

    expect(delays(0.5)).toEqual([500, 1_000, 2_000, 8_000]);
    expect(delays(0)).toEqual([375, 750, 1_500, 6_000]);
  });

  it('never comes back before the time that the provider asked for', () => {
    expect(retryDelayMs({ ...usualRetries, random: () => 0 }, 1, 20_000)).toBe(20_000);
    expect(retryDelayMs({ ...usualRetries, random: () => 1 }, 1, 0)).toBeLessThanOrEqual(500);
  });
});

import { describe, expect, it } from 'vitest';
import { formatRelative } from './time-format.ts';

const now = new Date('2026-05-10T12:00:00Z');

describe('formatRelative', () => {
  it('counts in the unit that fits', () => {
    expect(formatRelative('2026-05-10T11:59:40Z', now)).toBe('just now');
    expect(formatRelative('2026-05-10T11:57:00Z', now)).toBe('3 minutes ago');
    expect(formatRelative('2026-05-10T17:00:00Z', now)).toBe('in 5 hours');
    expect(formatRelative('2026-05-09T12:00:00Z', now)).toBe('yesterday');
  });

  it('gives the date for what is far away', () => {
    expect(formatRelative('2026-01-02T12:00:00Z', now)).toBe('2 Jan 2026');
  });
});

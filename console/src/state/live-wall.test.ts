import type { RunRowFragment } from '@oracle-agent/sdk/documents';
import { describe, expect, it } from 'vitest';
import { applyChange, forecastAt, shortened, tellOutcome, totalsOf } from './live-wall.ts';

const row = (id: string, more: Partial<RunRowFragment> = {}) =>
  ({
    ...{ id, status: 'RUNNING', startedAt: `2026-11-16T08:00:0${id}Z`, durationMs: 10_000, turns: 2, tokens: 1_000 },
    ...{
      user: { id: `user ${id}`, name: id },
      config: { maxIterations: 10, tokenBudget: 50_000, timeoutSeconds: 120 },
    },
    ...more,
  }) as RunRowFragment;
const ids = (wall: ReturnType<typeof applyChange>) => wall.map(({ id }) => id);

describe('the wall', () => {
  it('shows the newest first, and drops what has ended', () => {
    const full = applyChange([], { reload: true, runs: [row('1'), row('3'), row('2')] }, 0);
    const later = applyChange(full, { reload: false, runs: [row('2', { status: 'ENDED' }), row('4')] }, 0);

    expect(ids(full)).toEqual(['3', '2', '1']);
    expect(ids(later)).toEqual(['4', '3', '1']);
  });

  it('forgets what a full telling does not name', () => {
    const full = applyChange([], { reload: true, runs: [row('1'), row('2')] }, 0);

    expect(ids(applyChange(full, { reload: true, runs: [row('2')] }, 0))).toEqual(['2']);
  });

  it('counts on between two messages, by the server’s clock and the browser’s steps', () => {
    const [one] = applyChange([], { reload: true, runs: [row('1')] }, 5_000);

    expect(one && forecastAt(one, 8_000)).toMatchObject({ seconds: 13 });
  });

  it('adds everything up', () => {
    const wall = applyChange([], { reload: true, runs: [row('1'), row('2', { user: row('1').user })] }, 0);

    expect(totalsOf(wall, 0)).toEqual({ runs: 2, people: 1, tokens: 2_000, tokensPerMinute: 12_000 });
  });

  it('shows a question on one line, whole characters only', () => {
    expect(shortened(' Two\n lines ')).toBe('Two lines');
    expect(shortened('🚀'.repeat(200))).toBe(`${'🚀'.repeat(120)}…`);
  });

  it('tells what became of those that were to be stopped', () => {
    expect(tellOutcome([{ outcome: 'STOPPED' }, { outcome: 'STOPPED' }])).toBe('2 runs stopped.');
    expect(tellOutcome([{ outcome: 'STOPPED' }, { outcome: 'ENDED_ALREADY' }])).toBe(
      '1 run stopped. 1 had ended already.',
    );
  });
});

import { describe, expect, it } from 'vitest';
import { durationOf, mergeChange, type RunRow } from './run-rows.ts';

function row(id: string, startedAt: string, more: Partial<RunRow> = {}): RunRow {
  return {
    __typename: 'Run',
    id: id as RunRow['id'],
    status: 'RUNNING',
    question: '?',
    model: 'offline',
    decisionTree: 'default',
    conversationId: 'c' as RunRow['conversationId'],
    nodeId: 'n' as RunRow['nodeId'],
    startedAt,
    endedAt: null,
    durationMs: 100,
    lastActivityAt: startedAt,
    turns: 1,
    tokens: 10,
    user: { __typename: 'User', id: 'u' as RunRow['user']['id'], name: 'Ada', email: 'ada@example.com' },
    config: { __typename: 'AgentConfig', maxIterations: 15, tokenBudget: 50_000, timeoutSeconds: 120 },
    ending: null,
    ...more,
  };
}

const told = [row('b', '2026-11-16T09:01'), row('a', '2026-11-16T09:00')].map((one) => ({ row: one, toldAt: 0 }));
const change = (runs: readonly RunRow[], reload = false) => ({ __typename: 'RunsChange' as const, reload, runs });

describe('rows that change', () => {
  it('take what is new in place', () => {
    const { rows, reload } = mergeChange(told, change([row('a', '2026-11-16T09:00', { turns: 4 })]), {
      firstPage: true,
      now: 7,
    });

    expect(rows.map((one) => [one.row.id, one.row.turns, one.toldAt])).toEqual([
      ['b', 1, 0],
      ['a', 4, 7],
    ]);
    expect(reload).toBe(false);
  });

  it('are read anew when one begins on the first page, ends, or something was missed', () => {
    const reload = (runs: readonly RunRow[], firstPage = true, missed = false) =>
      mergeChange(told, change(runs, missed), { firstPage, now: 7 }).reload;

    expect(reload([row('c', '2026-11-16T09:02')])).toBe(true);
    expect(reload([row('c', '2026-11-16T09:02')], false)).toBe(false);
    expect(reload([row('z', '2026-11-16T08:00')])).toBe(false);
    expect(reload([row('a', '2026-11-16T09:00', { status: 'ENDED' })])).toBe(true);
    expect(reload([], true, true)).toBe(true);
  });

  it('count on while they run', () => {
    expect(durationOf({ row: row('a', ''), toldAt: 1_000 }, 3_500)).toBe(2_600);
    expect(durationOf({ row: row('a', ''), toldAt: 1_000 }, 900)).toBe(100);
    expect(durationOf({ row: row('a', '', { status: 'ENDED' }), toldAt: 1_000 }, 3_500)).toBe(100);
  });
});

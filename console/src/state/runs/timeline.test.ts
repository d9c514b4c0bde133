import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lanesOf, type Turn, waterfall } from './timeline.ts';

const begin = Date.parse('2026-11-16T09:00:00.000Z');
const iso = (ms: number) => new Date(begin + ms).toISOString();

type Call = Turn['calls'][number];

function call(callId: string, start: number, end: number, status: Call['status'] = 'SUCCEEDED'): Call {
  return {
    __typename: 'TimelineCall',
    callId,
    name: 'vault_search',
    agent: null,
    status,
    requestedAt: iso(start),
    startedAt: status === 'WAITING' ? null : iso(start),
    endedAt: status === 'RUNNING' || status === 'WAITING' ? null : iso(end),
    durationMs: end - start,
  };
}

function turn(number: number, start: number, end: number | null, more: Partial<Turn> = {}): Turn {
  return {
    __typename: 'TimelineTurn',
    turn: number,
    startedAt: iso(start),
    firstTokenAt: iso(start + 100),
    modelEndedAt: iso(start + 200),
    endedAt: end === null ? null : iso(end),
    tokens: end === null ? null : 340,
    calls: [],
    agents: [],
    ...more,
  };
}

describe('a waterfall', () => {
  it('puts every turn on one scale, with the first token and tools beside each other', () => {
    const calls = [call('a', 200, 700), call('b', 200, 400, 'FAILED'), call('c', 420, 500)];
    const { totalMs, rows } = waterfall([turn(1, 0, 750, { calls }), turn(2, 750, 1_000)], iso(0), iso(1_000), 0);

    expect(totalMs).toBe(1_000);
    expect(rows.map(({ turn: number, durationMs, lanes }) => [number, durationMs, lanes])).toEqual([
      [1, 750, 2],
      [2, 250, 1],
    ]);
    expect(rows[0]?.bars).toMatchObject([
      { kind: 'model', lane: 0, left: 0, width: 0.2, firstToken: 0.1, firstTokenMs: 100 },
      { kind: 'tool', lane: 0, left: 0.2, width: 0.5, state: 'done' },
      { kind: 'tool', lane: 1, left: 0.2, state: 'failed', readout: 'Turn 1, vault_search: failed, 200 ms.' },
      { kind: 'tool', lane: 1, left: 0.42 },
    ]);
    expect(rows[0]?.bars[0]?.readout).toBe(
      'Turn 1, model: 200 ms, first token after 100 ms, 340 tokens in the whole turn.',
    );
  });

  it('draws calls that were not run as one bar without a length', () => {
    const calls = [call('a', 200, 700), call('b', 200, 650, 'NOT_RUN'), call('c', 200, 650, 'NOT_RUN')];
    const { rows } = waterfall([turn(1, 0, 750, { calls })], iso(0), iso(1_000), 0);

    expect(rows[0]?.bars).toMatchObject([
      { kind: 'model' },
      { key: 'call a' },
      { key: 'not-run', width: 0, state: 'not-run', readout: 'Turn 1: 2 calls not run.' },
    ]);
  });

  it('grows up to now while the run goes on', () => {
    const open = turn(1, 0, null, { modelEndedAt: null, firstTokenAt: null });
    const { totalMs, rows } = waterfall([open], iso(0), null, begin + 4_000);

    expect(totalMs).toBe(4_000);
    expect(rows[0]?.bars).toMatchObject([{ state: 'running', left: 0, width: 1, durationMs: undefined }]);
    expect(rows[0]?.bars[0]?.readout).toBe('Turn 1, model: under way.');
  });

  it('shows a sub-agent at work', () => {
    const agents = [
      { __typename: 'TimelineAgent' as const, agent: 'librarian', startedAt: iso(300), endedAt: iso(800), notes: [] },
    ];
    const { rows } = waterfall([turn(1, 0, 900, { agents })], iso(0), iso(1_000), 0);

    expect(rows[0]?.bars[1]).toMatchObject({ kind: 'agent', label: 'Librarian', width: 0.5 });
  });

  it('keeps bars of one line apart, and all of them within the run', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(900), fc.integer({ min: 1, max: 100 })), { maxLength: 20 }), (times) => {
        const calls = times
          .sort(([a], [b]) => a - b)
          .map(([start, took], index) => call(`${index}`, start, start + took));
        const { rows } = waterfall([turn(1, 0, 1_000, { calls })], iso(0), iso(1_000), 0);
        const bars = rows[0]?.bars ?? [];

        for (const bar of bars) expect(bar.left >= 0 && bar.left + bar.width <= 1 + 1e-9).toBe(true);
        for (const one of bars) {
          for (const other of bars) {
            if (one === other || one.lane !== other.lane || one.left > other.left) continue;
            expect(one.left + one.width).toBeLessThanOrEqual(other.left + 1e-9 + (one.left === other.left ? 1 : 0));
          }
        }
        expect(lanesOf(bars)[0]).toBe(0);
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { chartCsv, toCsv } from './csv.ts';
import { axisTop, greatestOf, showSeconds, type UsageReport, usageCharts } from './usage-charts.ts';
import { chosenRange } from './usage-range.ts';

const now = new Date(2026, 10, 16, 9, 30);
const day = (date: Date) => [date.getFullYear(), date.getMonth() + 1, date.getDate(), date.getHours()];

describe('the range', () => {
  it('is seven whole days, today the last, unless the address says otherwise', () => {
    const { preset, from, until, bucket, firstDay, lastDay } = chosenRange({}, now);

    expect([preset, bucket, firstDay, lastDay]).toEqual(['7d', 'DAY', '2026-11-10', '2026-11-16']);
    expect([day(from), day(until)]).toEqual([
      [2026, 11, 10, 0],
      [2026, 11, 17, 0],
    ]);
  });

  it('of 24 hours ends with the hour that is running', () => {
    const { from, until, bucket } = chosenRange({ range: '24h' }, now);

    expect(bucket).toBe('HOUR');
    expect(day(until)).toEqual([2026, 11, 16, 10]);
    expect(until.getTime() - from.getTime()).toBe(86_400_000);
  });

  it('takes days in either order, and passes over what is no day', () => {
    const turned = chosenRange({ range: 'custom', from: '2026-03-10', to: '2026-03-01' }, now);
    const broken = chosenRange({ range: 'custom', from: '2026-02-31', to: 'yesterday' }, now);

    expect([turned.firstDay, turned.lastDay]).toEqual(['2026-03-01', '2026-03-10']);
    expect([broken.firstDay, broken.lastDay]).toEqual(['2026-11-10', '2026-11-16']);
  });

  it('is never cut into more hours than can be told', () => {
    expect(chosenRange({ range: '90d', bucket: 'HOUR' }, now).bucket).toBe('WEEK');
    expect(chosenRange({ range: '30d', bucket: 'HOUR' }, now).bucket).toBe('HOUR');
    expect(chosenRange({ range: 'whenever', bucket: 'YEAR' }, now)).toMatchObject({ preset: '7d', bucket: 'DAY' });
  });
});

const nothing = {
  runs: 0,
  tokens: 0,
  endings: [],
  warnings: [],
  tokensPerRun: null,
  turnsPerRun: null,
  durationMs: null,
};
const busy = {
  ...nothing,
  runs: 3,
  tokens: 900,
  endings: [
    { __typename: 'EndingCount' as const, reason: 'TIMEOUT' as const, runs: 1 },
    { __typename: 'EndingCount' as const, reason: 'COMPLETED' as const, runs: 2 },
  ],
  durationMs: { __typename: 'Spread' as const, p50: 1_234.56, p95: 90_000 },
};
const report: UsageReport = {
  __typename: 'UsageReport',
  total: { __typename: 'UsageTotal', ...busy },
  buckets: [
    { __typename: 'UsageBucket', start: '2026-11-15T00:00:00.000Z', ...nothing },
    { __typename: 'UsageBucket', start: '2026-11-16T00:00:00.000Z', ...busy },
  ],
  users: [],
};

describe('the charts', () => {
  const charts = usageCharts(report);
  const chart = (key: string) => {
    const found = charts.find((one) => one.key === key);
    if (!found) throw new Error(key);
    return found;
  };

  it('stack the reasons that occurred, what went well first', () => {
    expect(chart('endings').series.map(({ key, values }) => [key, values])).toEqual([
      ['COMPLETED', [0, 2]],
      ['TIMEOUT', [0, 1]],
    ]);
    expect(greatestOf(chart('endings'))).toBe(3);
  });

  it('tell no two series apart by colour alone', () => {
    for (const { series } of charts) {
      expect(new Set(series.map(({ tone, pattern }) => `${tone} ${pattern}`)).size).toBe(series.length);
    }
  });

  it('leave a gap where there were no runs', () => {
    expect(chart('durationMs').series.map(({ values }) => values)).toEqual([
      [null, 1_234.56],
      [null, 90_000],
    ]);
  });

  it('are exported with exact numbers and moments', () => {
    expect(chartCsv(chart('durationMs'))).toBe(
      'start,p50,p95\r\n2026-11-15T00:00:00.000Z,,\r\n2026-11-16T00:00:00.000Z,1234.56,90000\r\n',
    );
    expect(toCsv([['a "b", c', '=1+1', '-5', 'x\ny']])).toBe('"a ""b"", c",\'=1+1,-5,"x\ny"\r\n');
  });

  it('have axes that end at a round number', () => {
    expect([0, 1, 3, 7, 21, 24, 99, 1_300].map(axisTop)).toEqual([1, 1, 5, 10, 25, 25, 100, 2_000]);
    expect([400, 12_000, 125_000, 120_000].map(showSeconds)).toEqual(['0.4 s', '12 s', '2 min 5 s', '2 min']);
  });
});

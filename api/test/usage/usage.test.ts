import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codesOf } from '../kit/client.ts';
import { type Kit, startKit, type TestUser } from '../kit/kit.ts';
import { plantRun } from './plant.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.stop());

const usageQuery = `query ($filter: UsageFilter, $range: UsageRange!, $bucket: UsageBucketSize!, $timeZone: String) {
  usage(filter: $filter, range: $range, bucket: $bucket, timeZone: $timeZone) {
    total { ...numbers }
    buckets { start ...numbers }
    users { userId name runs tokens completed limited }
  }
}
fragment numbers on UsageFigures {
  runs tokens endings { reason runs } warnings { warning warned reached completed }
  tokensPerRun { p50 p95 } turnsPerRun { p50 p95 } durationMs { p50 p95 }
}`;

interface Numbers {
  readonly runs: number;
  readonly tokens: number;
  readonly endings: readonly { reason: string; runs: number }[];
  readonly warnings: readonly { warning: string; warned: number; reached: number; completed: number }[];
  readonly tokensPerRun: { p50: number; p95: number } | null;
  readonly turnsPerRun: { p50: number; p95: number } | null;
  readonly durationMs: { p50: number; p95: number } | null;
}
interface Usage {
  readonly total: Numbers;
  readonly buckets: readonly (Numbers & { start: string })[];
  readonly users: readonly { userId: string; runs: number; tokens: number }[];
}

async function usageOf(who: TestUser, variables: Record<string, unknown>): Promise<Usage> {
  const { usage } = await who.ask<{ usage: Usage }>(usageQuery, variables);
  return usage;
}

const march = { from: '2026-03-01T00:00:00Z', until: '2026-04-01T00:00:00Z' };

describe('usage', () => {
  it('adds up endings, tokens and spreads, for each bucket and in all', async () => {
    const ada = await kit.newUser();
    const on = (day: string, more: object) => plantRun(kit.database, { userId: ada.id, at: `2026-03-${day}`, ...more });
    for (const tokens of [100, 200, 300])
      await on('02T10:00:00Z', { tokens, turns: tokens / 100, durationMs: tokens * 10 });
    await on('04T10:00:00Z', { reason: 'TIMEOUT', tokens: 1_000 });

    const { total, buckets, users } = await usageOf(ada, { range: march, bucket: 'DAY' });

    expect(buckets).toHaveLength(31);
    expect(buckets[1]).toMatchObject({
      start: '2026-03-02T00:00:00.000Z',
      runs: 3,
      tokens: 600,
      endings: [{ reason: 'COMPLETED', runs: 3 }],
      tokensPerRun: { p50: 200, p95: 290 },
      turnsPerRun: { p50: 2, p95: 2.9 },
      durationMs: { p50: 2_000, p95: 2_900 },
    });
    expect(buckets[2]).toMatchObject({ runs: 0, tokens: 0, endings: [], tokensPerRun: null });
    expect(buckets[3]).toMatchObject({ runs: 1, endings: [{ reason: 'TIMEOUT', runs: 1 }] });
    expect(total).toMatchObject({ runs: 4, tokens: 1_600, tokensPerRun: { p50: 250, p95: 895 } });
    expect(new Map(total.endings.map(({ reason, runs }) => [reason, runs]))).toEqual(
      new Map([
        ['COMPLETED', 3],
        ['TIMEOUT', 1],
      ]),
    );
    expect(users).toEqual([]);
  });

  it('says what became of runs that were warned', async () => {
    const ada = await kit.newUser();
    const warned = (bits: number, reason: 'COMPLETED' | 'MAX_ITERATIONS' | 'TIMEOUT' | 'CANCELLED') =>
      plantRun(kit.database, { userId: ada.id, at: '2026-03-02T10:00:00Z', warned: bits, reason });
    await warned(1, 'COMPLETED');
    await warned(1, 'MAX_ITERATIONS');
    await warned(1 + 4, 'TIMEOUT');
    await warned(1, 'CANCELLED');
    await warned(0, 'COMPLETED');

    const { total } = await usageOf(ada, { range: march, bucket: 'WEEK' });

    expect(total.warnings).toEqual([
      { warning: 'ITERATIONS', warned: 4, reached: 1, completed: 1 },
      { warning: 'TOKENS', warned: 0, reached: 0, completed: 0 },
      { warning: 'TIME', warned: 1, reached: 1, completed: 0 },
      { warning: 'LOOP', warned: 0, reached: 0, completed: 0 },
    ]);
  });

  it('cuts days by the clock of the reader, also where the clock is put forward', async () => {
    const ada = await kit.newUser();
    const at = (moment: string) => plantRun(kit.database, { userId: ada.id, at: moment });
    await at('2026-03-28T22:30:00Z'); // 23:30 in Berlin, still the 28th
    await at('2026-03-28T23:30:00Z'); // 00:30 on the 29th, a day of 23 hours
    await at('2026-03-29T21:30:00Z'); // 23:30, still the 29th
    await at('2026-03-29T22:30:00Z'); // 00:30 on the 30th
    const range = { from: '2026-03-27T23:00:00Z', until: '2026-03-30T22:00:00Z' };

    const days = await usageOf(ada, { range, bucket: 'DAY', timeZone: 'Europe/Berlin' });
    const hours = await usageOf(ada, { range, bucket: 'HOUR', timeZone: 'Asia/Kathmandu' });
    const weeks = await usageOf(ada, { range, bucket: 'WEEK', timeZone: 'Europe/Berlin' });

    expect(days.buckets.map(({ start, runs }) => [start, runs])).toEqual([
      ['2026-03-27T23:00:00.000Z', 1],
      ['2026-03-28T23:00:00.000Z', 2],
      ['2026-03-29T22:00:00.000Z', 1],
    ]);
    expect(hours.buckets[0]?.start).toBe('2026-03-27T22:15:00.000Z');
    expect(hours.buckets.reduce((sum, { runs }) => sum + runs, 0)).toBe(4);
    expect(weeks.buckets.map(({ start, runs }) => [start, runs])).toEqual([
      ['2026-03-22T23:00:00.000Z', 3],
      ['2026-03-29T22:00:00.000Z', 1],
    ]);
  });

  it('counts neither what runs now nor what lies outside, and can keep to a model', async () => {
    const ada = await kit.newUser();
    const plant = (at: string, model: string) => plantRun(kit.database, { userId: ada.id, at, model });
    await plant('2026-02-28T23:59:59.999Z', 'offline');
    await plant('2026-03-01T00:00:00Z', 'offline');
    await plant('2026-03-31T23:59:59.999Z', 'simulated/loop');
    await plant('2026-04-01T00:00:00Z', 'offline');
    const running = await plant('2026-03-10T00:00:00Z', 'offline');
    await kit.database.query(`update runs set status = 'RUNNING', reason = null where id = $1`, [running]);

    const all = await usageOf(ada, { range: march, bucket: 'WEEK' });
    const one = await usageOf(ada, { range: march, bucket: 'WEEK', filter: { model: 'simulated/loop' } });

    await kit.database.query(`update runs set status = 'ENDED', reason = 'CANCELLED' where id = $1`, [running]);
    expect(all.total.runs).toBe(2);
    expect(one.total.runs).toBe(1);
  });

  it('is everyone’s or anyone’s for administrators, and one’s own for others', async () => {
    const [ada, bob] = [await kit.newUser({ name: 'Ada' }), await kit.newUser({ name: 'Bob' })];
    const range = { from: '2025-01-01T00:00:00Z', until: '2025-02-01T00:00:00Z' };
    const at = '2025-01-10T00:00:00Z';
    await plantRun(kit.database, { userId: ada.id, at, tokens: 10 });
    await plantRun(kit.database, { userId: bob.id, at, tokens: 30, reason: 'TOKEN_BUDGET' });
    const asked = (filter: object) => ({ range, bucket: 'WEEK', filter });

    const everyone = await usageOf(kit.admin, asked({ everyone: true }));
    const bobs = await usageOf(kit.admin, asked({ userId: bob.id }));
    const own = await usageOf(ada, asked({}));

    expect(everyone.total.tokens).toBe(40);
    expect(everyone.users).toMatchObject([
      { userId: bob.id, name: 'Bob', runs: 1, tokens: 30, completed: 0, limited: 1 },
      { userId: ada.id, name: 'Ada', runs: 1, tokens: 10, completed: 1, limited: 0 },
    ]);
    expect(bobs.total.tokens).toBe(30);
    expect(own.total.tokens).toBe(10);
    expect(codesOf(await ada.query(usageQuery, asked({ everyone: true })))).toEqual(['FORBIDDEN']);
    expect(codesOf(await ada.query(usageQuery, asked({ userId: bob.id })))).toEqual(['NOT_FOUND']);
    expect(codesOf(await kit.admin.query(usageQuery, asked({ everyone: true, userId: bob.id })))).toEqual([
      'BAD_USER_INPUT',
    ]);
  });

  it('refuses ranges that make no sense, with every reason', async () => {
    const refused = async (variables: object) => {
      const answer = await kit.admin.query(usageQuery, { range: march, bucket: 'DAY', ...variables });
      return [codesOf(answer), answer.errors?.[0]?.message];
    };

    expect(await refused({ range: { from: march.until, until: march.from }, timeZone: 'Mars/Olympus' })).toEqual([
      ['BAD_USER_INPUT'],
      'The range must end after it begins. There is no time zone named "Mars/Olympus".',
    ]);
    expect(await refused({ range: { from: '2020-01-01', until: '2026-01-01' }, bucket: 'HOUR' })).toMatchObject([
      ['BAD_USER_INPUT'],
      expect.stringContaining('at most 1000'),
    ]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chipsOf, periods, readFilters, runStates, serverFilter, toggleState, writeFilters } from './run-filters.ts';

const viewer = { id: 'ada', admin: false };
const now = new Date('2026-11-16T09:00:00.000Z');

describe('the filters of runs', () => {
  it('are read from an address, without what it cannot mean', () => {
    expect(readFilters({ state: 'TIMEOUT,NONSENSE', period: 'century', model: 'a,,b,a', user: '' })).toEqual({
      state: ['TIMEOUT'],
      model: ['a', 'b'],
      period: undefined,
      user: undefined,
      search: '',
    });
  });

  it('are the same after a reload', () => {
    const filters = fc.record({
      state: fc.subarray([...runStates]),
      model: fc.uniqueArray(fc.stringMatching(/^[a-z/.-]{1,9}$/)),
      period: fc.constantFrom(undefined, ...(Object.keys(periods) as (keyof typeof periods)[])),
      user: fc.constantFrom(undefined, 'me', 'someone'),
      search: fc.string(),
    });
    fc.assert(
      fc.property(filters, (one) => {
        expect(readFilters(params(writeFilters(one)))).toEqual(one);
      }),
    );
  });

  it('are told to the server as it takes them', () => {
    const filters = readFilters({ state: 'TIMEOUT,NO_PROGRESS', model: 'offline', period: 'day', search: 'cache' });

    expect(serverFilter(filters, viewer, now)).toEqual({
      reason: ['TIMEOUT', 'NO_PROGRESS'],
      model: ['offline'],
      since: '2026-11-15T09:00:00.000Z',
      search: 'cache',
    });
    expect(serverFilter(readFilters({ state: 'RUNNING' }), viewer, now)).toEqual({ status: 'RUNNING' });
  });

  it('are about everybody for administrators, unless they say otherwise', () => {
    const admin = { id: 'root', admin: true };

    expect(serverFilter(readFilters({}), admin, now)).toEqual({ everyone: true });
    expect(serverFilter(readFilters({ user: 'me' }), admin, now)).toEqual({ userId: 'root' });
    expect(serverFilter(readFilters({ user: 'ada' }), admin, now)).toEqual({ userId: 'ada' });
    expect(serverFilter(readFilters({ user: 'bob' }), viewer, now)).toEqual({});
  });

  it('are chips, each of which takes itself away', () => {
    const filters = readFilters({ state: 'TIMEOUT', model: 'offline', period: 'week', user: 'ada', search: 'cache' });
    const chips = chipsOf(filters, () => 'Ada');

    expect(chips.map(({ label }) => label)).toEqual([
      'Out of time',
      'Model: offline',
      'Last 7 days',
      'Who: Ada',
      '“cache”',
    ]);
    for (const chip of chips) {
      expect(chipsOf(chip.without, () => 'Ada').map(({ key }) => key)).toEqual(
        chips.map(({ key }) => key).filter((key) => key !== chip.key),
      );
    }
  });

  it('never ask for running runs together with reasons', () => {
    const running = toggleState(readFilters({ state: 'TIMEOUT' }), 'RUNNING');

    expect(running.state).toEqual(['RUNNING']);
    expect(toggleState(toggleState(running, 'TIMEOUT'), 'COMPLETED').state).toEqual(['TIMEOUT', 'COMPLETED']);
    expect(toggleState(running, 'RUNNING').state).toEqual([]);
  });
});

function params(written: ReturnType<typeof writeFilters>) {
  return Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined));
}

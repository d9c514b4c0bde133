import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { around, entriesRequest } from './source-window.ts';

const places = fc
  .tuple(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 1, max: 10_000 }))
  .map(([one, other]) => ({ wanted: Math.min(one, other), all: Math.max(one, other) }));

describe('what is shown around a line or an entry', () => {
  it('has it, and nothing that is not there', () => {
    fc.assert(
      fc.property(places, fc.integer({ min: 1, max: 20 }), ({ wanted, all }, before) => {
        const { from, to } = around(wanted, all, before);
        expect(from).toBeGreaterThanOrEqual(1);
        expect(from).toBeLessThanOrEqual(wanted);
        expect(to).toBeGreaterThanOrEqual(wanted);
        expect(to).toBeLessThanOrEqual(all);
      }),
    );
  });

  it('is asked for from the nearer end, so that near either end it is among what comes', () => {
    fc.assert(
      fc.property(places, ({ wanted, all }) => {
        const request = entriesRequest(wanted, all);
        const size = 'first' in request ? request.first : request.last;
        expect(size).toBeGreaterThanOrEqual(1);
        expect(size).toBeLessThanOrEqual(100);
        const has = 'first' in request ? wanted <= size : wanted > all - size;
        expect(has || (wanted > 80 && all - wanted > 80)).toBe(true);
      }),
    );
  });
});

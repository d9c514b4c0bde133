import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { counted, grouped } from './words.ts';

describe('grouped', () => {
  it('separates thousands, whatever the sign and the fraction', () => {
    const numbers = fc.oneof(
      fc.integer(),
      fc.double({ min: -1e15, max: 1e15, noNaN: true }),
      fc.constantFrom(0, 999, 999.5, -999, 1_000),
    );

    fc.assert(
      fc.property(numbers, (value) => {
        expect(grouped(value)).toBe(Math.round(value).toLocaleString('en').replace('-0', '0'));
      }),
    );
  });
});

describe('counted', () => {
  it('says one of a thing and several', () => {
    expect([0, 1, 1_200].map((count) => counted(count, 'token'))).toEqual(['0 tokens', '1 token', '1,200 tokens']);
  });
});

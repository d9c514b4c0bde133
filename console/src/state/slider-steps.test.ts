import { describe, expect, it } from 'vitest';
import { nextStep, snap, stepFor } from './slider-steps.ts';

describe('slider steps', () => {
  it('are single on short ranges and round on wide ones', () => {
    expect([stepFor(1, 50), stepFor(10, 600), stepFor(1_000, 200_000)]).toEqual([1, 5, 1_000]);
  });

  it('go to the next round value', () => {
    expect(nextStep(12_345, 1_000, 1)).toBe(13_000);
    expect(nextStep(12_345, 1_000, -1)).toBe(12_000);
    expect(nextStep(12_000, 1_000, -1)).toBe(11_000);
  });

  it('reach both ends even where those are not round', () => {
    expect(snap(61, 61, 3_605)).toBe(61);
    expect(snap(3_604, 61, 3_605)).toBe(3_605);
    expect(snap(1_234, 61, 3_605)).toBe(1_240);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ComingCall, reserve, smallestAnswer } from './reservation.ts';

const first: ComingCall = { budget: 10_000, used: 0, prompt: 2_000, previousPrompt: 0, previousOutput: 0 };

describe('reserve', () => {
  it('passes the room that is left as the output cap', () => {
    expect(reserve({ ...first, used: 3_000 })).toEqual({ fits: true, outputCap: 5_000, last: false });
  });

  it('allows no call whose prompt leaves no room, and says what it would have taken', () => {
    expect(reserve({ ...first, used: 8_000 })).toEqual({ fits: false, needed: 2_000 + smallestAnswer, left: 2_000 });
    expect(reserve({ ...first, used: 12_000 })).toEqual({ fits: false, needed: 2_000 + smallestAnswer, left: 0 });
  });

  it('calls it the last when the same prompt could not be paid for once more', () => {
    expect(reserve({ ...first, used: 5_980 })).toMatchObject({ fits: true, last: false });
    expect(reserve({ ...first, used: 5_985 })).toMatchObject({ fits: true, last: true });
  });

  it('expects the prompt to grow as it did before, and as much output as before', () => {
    const grown = { ...first, used: 5_000, previousPrompt: 1_500 };

    expect(reserve(grown)).toMatchObject({ last: false });
    expect(reserve({ ...grown, previousOutput: 500 })).toMatchObject({ last: true });
  });

  it('never lets prompt and output together pass the budget', () => {
    const amount = fc.nat(200_000);
    fc.assert(
      fc.property(amount, amount, amount, (budget, used, prompt) => {
        const reservation = reserve({ budget, used, prompt, previousPrompt: 0, previousOutput: 0 });

        if (reservation.fits) expect(used + prompt + reservation.outputCap).toBeLessThanOrEqual(budget);
        else expect(used + reservation.needed).toBeGreaterThan(budget);
      }),
    );
  });
});

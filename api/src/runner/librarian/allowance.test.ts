import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advance } from '../../agent/advance.ts';
import { tokensSoFar } from '../../agent/state.ts';
import { noUsage, type Usage } from '../../agent/usage.ts';
import { openRun } from '../test/context.ts';
import { Allowance, tokensToSpare } from './allowance.ts';

const used = (inputTokens: number, outputTokens: number): Usage => ({ ...noUsage, inputTokens, outputTokens });

describe('an allowance', () => {
  it('is charged to the run while it is spent, and nothing twice', () => {
    const run = openRun({ tokenBudget: 50_000 });
    const allowance = new Allowance(run, 10_000);

    allowance.spend(used(1_000, 100));
    expect(tokensSoFar(run.state)).toBe(1_100);
    expect(run.reservedTokens).toBe(8_900);
    allowance.settle(used(1_500, 100));

    expect(tokensSoFar(run.state)).toBe(1_600);
    expect(run.reservedTokens).toBe(0);
  });

  it('leaves the run what its next call and its answer need', () => {
    const run = openRun({ tokenBudget: 10_000 });
    run.promptTokens = 3_000;
    run.state = advance(run.state, { type: 'tokens-spent', usage: used(2_000, 0) });

    expect(tokensToSpare(run)).toBe(10_000 - 2_000 - 3_000 - 2_000);
  });

  it('is nobody else’s while it lasts: however many there are, together they keep the budget', () => {
    const step = fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), close: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 200_000 }), fc.array(step, { maxLength: 30 }), (tokenBudget, steps) => {
        const run = openRun({ tokenBudget });
        const open: { readonly allowance: Allowance; readonly tokens: number }[] = [];
        for (const { share, close } of steps) {
          if (close) {
            const ended = open.shift();
            ended?.allowance.settle(used(Math.floor(ended.tokens * share), 0));
          } else {
            const tokens = Math.floor(tokensToSpare(run) * share);
            open.push({ allowance: new Allowance(run, tokens), tokens });
          }
          expect(tokensSoFar(run.state) + run.reservedTokens).toBeLessThanOrEqual(tokenBudget);
        }
        for (const { allowance, tokens } of open) allowance.settle(used(tokens, 0));
        expect(tokensSoFar(run.state)).toBeLessThanOrEqual(tokenBudget);
        expect(run.reservedTokens).toBe(0);
      }),
    );
  });
});

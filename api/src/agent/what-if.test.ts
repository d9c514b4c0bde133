import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentConfigSchema } from './config.ts';
import { callsNotRun, fateUnder, type MovedLimits, type PastRun } from './what-if.ts';

const config = AgentConfigSchema.parse({});

/** A run of steady turns: 2 000 tokens and 4 seconds each, 1 000 tokens to begin with. */
function steady(turns: number, more: Partial<PastRun> = {}): PastRun {
  const points = Array.from({ length: turns + 1 }, (_, point) => point);
  return {
    config,
    reason: 'COMPLETED',
    course: {
      tokens: points.map((point) => point * 2_000),
      needed: points.map((point) => point * 2_000 + 1_000),
      elapsedMs: points.map((point) => point * 4_000),
      calls: points.slice(1).map(() => 2),
    },
    ...more,
  };
}

describe('under a tighter limit', () => {
  it('a run ends before the turn that is one too many, and saves the rest', () => {
    expect(fateUnder(steady(8), { maxIterations: 5 })).toEqual({
      type: 'earlier',
      reason: 'MAX_ITERATIONS',
      turns: 5,
      savedTokens: 6_000,
      savedMs: 12_000,
    });
  });

  it('an answer on the last allowed turn still counts', () => {
    expect(fateUnder(steady(8), { maxIterations: 8 })).toEqual({ type: 'same' });
  });

  it('a call that does not fit is not made, and an answer that does not fit is cut', () => {
    expect(fateUnder(steady(8), { tokenBudget: 8_500 })).toMatchObject({
      reason: 'TOKEN_BUDGET',
      turns: 4,
      savedTokens: 8_000,
    });
    expect(fateUnder(steady(1), { tokenBudget: 1_500 })).toMatchObject({
      reason: 'TOKEN_BUDGET',
      turns: 1,
      savedTokens: 500,
    });
    expect(fateUnder(steady(1), { tokenBudget: 2_000 })).toEqual({ type: 'same' });
  });

  it('time runs out within a turn', () => {
    expect(fateUnder(steady(8), { timeoutSeconds: 10 })).toEqual({
      type: 'earlier',
      reason: 'TIMEOUT',
      turns: 3,
      savedTokens: 10_000,
      savedMs: 22_000,
    });
  });

  it('the order of termination decides between limits that hold at once', () => {
    expect(fateUnder(steady(8), { maxIterations: 4, tokenBudget: 8_500 })).toMatchObject({ reason: 'MAX_ITERATIONS' });
    expect(fateUnder(steady(8), { tokenBudget: 5_000, timeoutSeconds: 10 })).toMatchObject({ reason: 'TOKEN_BUDGET' });
  });
});

describe('under a looser limit', () => {
  const stopped = steady(15, { reason: 'MAX_ITERATIONS' });

  it('a run that ended at it would have gone on', () => {
    expect(fateUnder(stopped, { maxIterations: 20 })).toEqual({ type: 'further' });
  });

  it('it may be another limit that ends it at the same place', () => {
    expect(fateUnder(stopped, { maxIterations: 20, tokenBudget: 30_500 })).toEqual({
      type: 'otherwise',
      reason: 'TOKEN_BUDGET',
    });
  });

  it('a run that had to answer on its last turn would have had room', () => {
    expect(fateUnder(steady(15), { maxIterations: 20 })).toEqual({ type: 'further' });
    expect(fateUnder(steady(14), { maxIterations: 20 })).toEqual({ type: 'same' });
  });

  it('a run that ended for another reason ends all the same', () => {
    for (const reason of ['CANCELLED', 'NO_PROGRESS', 'ERROR_LIMIT', 'MODEL_ERROR', 'INTERRUPTED'] as const) {
      expect(fateUnder(steady(5, { reason }), { maxIterations: 50, timeoutSeconds: 600 })).toEqual({ type: 'same' });
    }
  });

  it('a limit that the tree had set for itself is no limit that was moved', () => {
    expect(fateUnder(steady(3, { reason: 'MAX_ITERATIONS' }), { maxIterations: 20 })).toEqual({ type: 'same' });
  });
});

it('counts the calls beyond the number per turn', () => {
  expect(callsNotRun({ tokens: [], needed: [], elapsedMs: [], calls: [1, 4, 7] }, 3)).toBe(5);
});

const rising = (most: number, length: number) =>
  fc.array(fc.nat(most), { minLength: length, maxLength: length }).map((steps) => {
    let sum = 0;
    return steps.map((step) => (sum += step));
  });

/** Runs as they can have been: within their own limits up to their last decision. */
const anyRun: fc.Arbitrary<PastRun> = fc
  .record({ turns: fc.integer({ min: 1, max: 15 }), open: fc.boolean() })
  .chain(({ turns, open }) =>
    fc
      .record({
        tokens: rising(3_000, turns),
        coming: fc.array(fc.integer({ min: 16, max: 1_500 }), { minLength: turns + 1, maxLength: turns + 1 }),
        elapsedMs: rising(7_000, turns),
        calls: fc.array(fc.nat(8), { minLength: turns, maxLength: turns }),
        reason: fc.constantFrom<PastRun['reason']>(
          'COMPLETED',
          'CANCELLED',
          'NO_PROGRESS',
          'ERROR_LIMIT',
          'MODEL_ERROR',
        ),
      })
      .map(({ coming, calls, reason, ...rest }) => {
        const tokens = [0, ...rest.tokens];
        const needed = tokens.map((spent, point) => spent + (open && point === turns ? 0 : (coming[point] ?? 16)));
        return { config, reason, course: { tokens, needed, elapsedMs: [0, ...rest.elapsedMs], calls } };
      }),
  );
const anyMove: fc.Arbitrary<MovedLimits> = fc.record({
  maxIterations: fc.integer({ min: 1, max: 15 }),
  tokenBudget: fc.integer({ min: 1_000, max: 50_000 }),
  timeoutSeconds: fc.integer({ min: 10, max: 120 }),
});

/** Where a run ends, as something that can be compared: turns, then tokens, then time. */
function endUnder(run: PastRun, moved: MovedLimits) {
  const fate = fateUnder(run, moved);
  const last = run.course.tokens.length - 1;
  const early = fate.type === 'earlier';
  return {
    turns: early ? fate.turns : last,
    tokens: (run.course.tokens[last] ?? 0) - (early ? fate.savedTokens : 0),
    ms: (run.course.elapsedMs[last] ?? 0) - (early ? fate.savedMs : 0),
  };
}

it('an answer that came a little over a limit was let stand, and is again', () => {
  const over = steady(1, {
    course: { tokens: [0, 50_200], needed: [1_000, 51_000], elapsedMs: [0, 120_400], calls: [0] },
  });

  expect(fateUnder(over, {})).toEqual({ type: 'same' });
  expect(fateUnder(over, { tokenBudget: 49_000 })).toMatchObject({ type: 'earlier', reason: 'TOKEN_BUDGET' });
});

describe('any run', () => {
  it('fares the same under its own limits', () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        expect(fateUnder(run, {})).toEqual({ type: 'same' });
        expect(fateUnder(run, run.config)).toEqual({ type: 'same' });
      }),
    );
  });

  it('never ends later, nor spends more, the tighter its limits are', () => {
    fc.assert(
      fc.property(anyRun, anyMove, anyMove, (run, one, other) => {
        const both = {
          maxIterations: Math.min(one.maxIterations ?? 15, other.maxIterations ?? 15),
          tokenBudget: Math.min(one.tokenBudget ?? 50_000, other.tokenBudget ?? 50_000),
          timeoutSeconds: Math.min(one.timeoutSeconds ?? 120, other.timeoutSeconds ?? 120),
        };
        const [loose, tight] = [endUnder(run, one), endUnder(run, both)];
        expect(tight.turns).toBeLessThanOrEqual(loose.turns);
        expect(tight.tokens).toBeLessThanOrEqual(loose.tokens);
        expect(tight.ms).toBeLessThanOrEqual(loose.ms);
      }),
    );
  });

  it('ends for a limit that was tightened, within that limit', () => {
    fc.assert(
      fc.property(anyRun, anyMove, (run, moved) => {
        const fate = fateUnder(run, moved);
        if (fate.type !== 'earlier') return;
        expect(['MAX_ITERATIONS', 'TOKEN_BUDGET', 'TIMEOUT']).toContain(fate.reason);
        const end = endUnder(run, moved);
        expect(end.turns).toBeLessThanOrEqual(moved.maxIterations ?? 15);
        expect(end.tokens).toBeLessThanOrEqual(moved.tokenBudget ?? 50_000);
      }),
    );
  });
});

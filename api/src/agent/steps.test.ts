import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentConfig } from './config.ts';
import type { DecisionTree } from './decision-tree.ts';
import { DefaultDecisionTree } from './default-tree.ts';
import { configWithin, decide } from './steps.ts';
import { conditions, judge } from './termination.ts';
import { anyHistory, anyLimits, busyHistory, configOf, freshTurns, play, stateWith } from './test/history.ts';
import { expectedEnd } from './test/reference.ts';
import { iterationWarningAfter } from './warnings.ts';

describe('any history', () => {
  it('ends when the first reason holds, and names the first in order of those that do', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.oneof(anyHistory, busyHistory), anyLimits, (history, limits) => {
        const { state, started } = play(history, limits);
        seen.add(state.terminationReason ?? 'none');

        expect({ reason: state.terminationReason, turns: started.length }).toEqual(expectedEnd(history, limits));
      }),
      { numRuns: 500, seed: 20_261_116 },
    );

    expect(seen.size, `only ${[...seen]}`).toBe(10);
  }, 30_000);

  it('never has more turns than maxIterations', () => {
    fc.assert(
      fc.property(fc.oneof(anyHistory, busyHistory), anyLimits, (history, limits) => {
        const { state, started } = play(history, limits);

        expect(started.length).toBeLessThanOrEqual(limits.maxIterations ?? 0);
        expect(state.turn).toBeLessThanOrEqual(limits.maxIterations ?? 0);
      }),
    );
  });

  it('has each warning at most once', () => {
    fc.assert(
      fc.property(fc.oneof(anyHistory, busyHistory), anyLimits, (history, limits) => {
        const { started } = play(history, limits);
        const kinds = started.flatMap(({ notices }) =>
          notices.map(({ systemType, limitType }) => limitType ?? systemType),
        );

        expect(new Set(kinds).size).toBe(kinds.length);
      }),
    );
  });

  it('that reaches a limit of three turns or more was warned of it at least two turns ahead', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 50 }), fc.integer({ min: 50, max: 90 }), (maxIterations, percent) => {
        const limits = { maxIterations, softWarningPercent: percent };
        const { started, state } = play(freshTurns(60), limits);
        const warned = started.findIndex(({ notices }) => notices.some(({ limitType }) => limitType === 'ITERATIONS'));

        expect(state.terminationReason).toBe('MAX_ITERATIONS');
        expect(warned).toBe(iterationWarningAfter(maxIterations, percent));
        expect(maxIterations - warned).toBeGreaterThanOrEqual(2);
      }),
    );
  });

  it('records for every decision how all nine conditions stood', () => {
    const { decisions } = play(freshTurns(3), { maxIterations: 3 });

    expect(decisions.map(({ turn }) => turn)).toEqual([0, 1, 2, 3]);
    for (const { evaluations } of decisions) {
      expect(evaluations.map(({ reason }) => reason)).toEqual(conditions.map(({ reason }) => reason));
    }
    expect(decisions[2]?.evaluations[2]).toEqual({ reason: 'MAX_ITERATIONS', value: 2, limit: 3, fired: false });
  });
});

/** Structurally a tree, and determined never to stop. */
function endless(config: AgentConfig): DecisionTree {
  return {
    getConfig: () => config,
    shouldContinue: () => ({ continue: true }),
    onTurnStart: (state) => state,
    onToolResult: (state) => state,
  };
}

describe('decide', () => {
  it('holds every tree to the limits of a person', () => {
    const { state } = play(freshTurns(10), { maxIterations: 4 }, endless(configOf()));

    expect(state).toMatchObject({ turn: 4, terminationReason: 'MAX_ITERATIONS' });
  });

  it.each([
    ['CANCELLED', stateWith({ cancelled: true })],
    ['TOKEN_BUDGET', stateWith({ expectedInput: 60_000 })],
    ['TIMEOUT', stateWith({ now: 120_000 })],
    ['MODEL_ERROR', stateWith({ modelError: 'gone' })],
    ['INTERRUPTED', stateWith({ interrupted: true })],
  ])('stops every tree with %s', (reason, state) => {
    expect(decide(endless(state.config), state).verdict).toMatchObject({ continue: false, reason });
  });

  it('leaves it to the tree whether an answer, a repetition or errors end the run, and keeps the trace honest', () => {
    const stalled = stateWith({ identicalStreak: 3, errorStreak: 3 });
    const { verdict, evaluations } = decide(endless(stalled.config), stalled);

    expect(verdict).toEqual({ continue: true });
    expect(evaluations.filter(({ fired }) => fired).map(({ reason }) => reason)).toEqual([
      'NO_PROGRESS',
      'ERROR_LIMIT',
    ]);
  });

  it('lets a tree stop earlier than the limits, and corrects a reason that another one outranks', () => {
    const hasty = { ...endless(configOf()), shouldContinue: () => stop };
    const stop = { continue: false, reason: 'NO_PROGRESS', detail: {} } as const;

    expect(decide(hasty, stateWith()).verdict).toBe(stop);
    expect(decide(hasty, stateWith({ cancelled: true })).verdict).toMatchObject({ reason: 'CANCELLED' });
  });

  it('accepts a tree that passes over one condition', () => {
    class PatientTree extends DefaultDecisionTree {
      override shouldContinue(state: Parameters<typeof judge>[0]) {
        return judge(
          state,
          conditions.filter(({ reason }) => reason !== 'NO_PROGRESS'),
        );
      }
    }
    const same = { calls: [{ name: 'search' }] };

    expect(play(Array(9).fill(same), { maxIterations: 8 }, new PatientTree(configOf())).state.turn).toBe(8);
  });
});

describe('hooks', () => {
  it('cannot change the core of the state, whatever they answer', () => {
    const meddling: DecisionTree = {
      ...endless(configOf()),
      onTurnStart: (state) => ({
        ...state,
        turn: 0,
        config: configOf({ maxIterations: 50 }),
        tokensUsed: stateWith().tokensUsed,
      }),
      onToolResult: (state) => ({ ...state, identicalStreak: 0, seenResults: [], errorStreak: 0, now: 0 }),
    };
    const script = freshTurns(4, { prompt: 10, milliseconds: 10 });
    const honest = play(script, { maxIterations: 3 }, endless(configOf({ maxIterations: 3 })));

    expect(play(script, { maxIterations: 3 }, meddling).state).toEqual(honest.state);
  });
});

describe('configWithin', () => {
  it('lets a tree tighten limits and not loosen them', () => {
    const tight = {
      maxIterations: 2,
      tokenBudget: 1_000,
      timeoutSeconds: 10,
      maxToolCallsPerTurn: 1,
      maxParallelTools: 1,
    };
    const loose = { maxIterations: 50, tokenBudget: 200_000, timeoutSeconds: 600, maxToolCallsPerTurn: 20 };

    expect(configWithin(configOf(), configOf(tight))).toEqual(configOf(tight));
    expect(configWithin(configOf(), configOf({ ...loose, maxParallelTools: 10 }))).toEqual(configOf());
  });
});

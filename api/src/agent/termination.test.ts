import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentState } from './state.ts';
import { conditions, evaluate, judge, type TerminationReason, type Verdict } from './termination.ts';
import { stateWith, usageOf } from './test/history.ts';

const answer = { text: 'It is 42.', toolCalls: [], finished: true, turn: 1 };
const asking = { ...answer, toolCalls: [{ callId: '1', name: 'search', arguments: {} }] };

describe('judge', () => {
  it('goes on while nothing holds', () => {
    expect(judge(stateWith({ turn: 1, lastReply: asking }))).toEqual({ continue: true });
  });

  it('stops when the run was cancelled, even at the moment of an answer', () => {
    expect(reasonOf(judge(stateWith({ cancelled: true, turn: 1, lastReply: answer })))).toBe('CANCELLED');
  });

  it('is complete when the model finished with no tool calls', () => {
    expect(reasonOf(judge(stateWith({ turn: 1, lastReply: answer })))).toBe('COMPLETED');
  });

  it('counts an answer given on the last allowed turn as completed', () => {
    expect(reasonOf(judge(stateWith({ turn: 1, lastReply: answer }, { maxIterations: 1 })))).toBe('COMPLETED');
  });

  it('does not take a reply that was cut off for an answer', () => {
    const state = stateWith({ turn: 1, lastReply: { ...answer, finished: false }, tokensUsed: usageOf(900, 100) });

    expect(judge(state)).toEqual({ continue: true });
    expect(reasonOf(judge({ ...state, config: { ...state.config, tokenBudget: 1_000 } }))).toBe('TOKEN_BUDGET');
  });

  it('does not take the answer of an earlier turn for one of the turn in hand', () => {
    expect(judge(stateWith({ turn: 1, turnOpen: true, lastReply: answer }))).toEqual({ continue: true });
  });

  it('stops when all turns are complete, and not while the last one is open', () => {
    const last = stateWith({ turn: 3, lastReply: { ...asking, turn: 3 } }, { maxIterations: 3 });

    expect(judge(last)).toEqual({ continue: false, reason: 'MAX_ITERATIONS', detail: { value: 3, limit: 3 } });
    expect(judge({ ...last, turn: 2, turnOpen: true })).toEqual({ continue: true });
  });

  it('stops when the tokens are used, counting the estimate for a call in flight', () => {
    const state = stateWith({ tokensUsed: usageOf(600, 399) }, { tokenBudget: 1_000 });

    expect(judge(state)).toEqual({ continue: true });
    expect(reasonOf(judge({ ...state, pendingUsage: usageOf(0, 1) }))).toBe('TOKEN_BUDGET');
  });

  it('stops before a call that could not fit', () => {
    const state = stateWith({ tokensUsed: usageOf(500, 100), expectedInput: 384 }, { tokenBudget: 1_000 });

    expect(judge(state)).toEqual({ continue: true });
    expect(judge({ ...state, expectedInput: 385 })).toEqual({
      continue: false,
      reason: 'TOKEN_BUDGET',
      detail: { value: 1_001, limit: 1_000 },
    });
  });

  it('does not count a prompt twice once it has been sent', () => {
    const inFlight = { turnOpen: true, expectedInput: 600, pendingUsage: usageOf(600, 0) };

    expect(judge(stateWith(inFlight, { tokenBudget: 1_000 }))).toEqual({ continue: true });
  });

  it('stops when the clock ran out', () => {
    expect(judge(stateWith({ now: 9_999 }, { timeoutSeconds: 10 }))).toEqual({ continue: true });
    expect(reasonOf(judge(stateWith({ now: 10_000 }, { timeoutSeconds: 10 })))).toBe('TIMEOUT');
  });

  it.each<[TerminationReason, Partial<AgentState>, Partial<AgentState>]>([
    ['NO_PROGRESS', { identicalStreak: 2, staleStreak: 2 }, { identicalStreak: 3 }],
    ['NO_PROGRESS', { staleStreak: 2 }, { staleStreak: 3 }],
    ['ERROR_LIMIT', { errorStreak: 2 }, { errorStreak: 3 }],
    ['MODEL_ERROR', {}, { modelError: 'status 500' }],
    ['INTERRUPTED', {}, { interrupted: true }],
  ])('stops with %s, not before', (reason, before, then) => {
    expect(judge(stateWith(before))).toEqual({ continue: true });
    expect(reasonOf(judge(stateWith(then)))).toBe(reason);
  });

  it('names the first reason that holds, in the order of the table, in any mixture', () => {
    fc.assert(
      fc.property(fc.subarray(Object.keys(making) as TerminationReason[]), (holding) => {
        const both = holding.includes('COMPLETED') && holding.includes('MAX_ITERATIONS');
        const made = Object.assign({}, ...holding.map((reason) => making[reason]), both ? { lastReply: answer } : {});
        const state = stateWith(made, limits);

        expect(reasonOf(judge(state))).toBe(order.find((reason) => holding.includes(reason)));
      }),
      { numRuns: 600 },
    );
  });
});

describe('evaluate', () => {
  it('tells for every condition its value, its limit and whether it fired', () => {
    const state = stateWith({ turn: 4, now: 30_000, tokensUsed: usageOf(900, 100), errorStreak: 3, staleStreak: 2 });

    expect(evaluate(state)).toEqual([
      { reason: 'CANCELLED', value: 0, limit: 1, fired: false },
      { reason: 'COMPLETED', value: 0, limit: 0, fired: false },
      { reason: 'MAX_ITERATIONS', value: 4, limit: 15, fired: false },
      { reason: 'TOKEN_BUDGET', value: 1_000, limit: 50_000, fired: false },
      { reason: 'TIMEOUT', value: 30, limit: 120, fired: false },
      { reason: 'NO_PROGRESS', value: 2, limit: 3, fired: false },
      { reason: 'ERROR_LIMIT', value: 3, limit: 3, fired: true },
      { reason: 'MODEL_ERROR', value: 0, limit: 1, fired: false },
      { reason: 'INTERRUPTED', value: 0, limit: 1, fired: false },
    ]);
  });

  it('covers the conditions in their order', () => {
    expect(conditions.map(({ reason }) => reason)).toEqual(order);
  });
});

/** Written out, so that a change of the order in the code does not change it here. */
const order: readonly TerminationReason[] = [
  'CANCELLED',
  'COMPLETED',
  'MAX_ITERATIONS',
  'TOKEN_BUDGET',
  'TIMEOUT',
  'NO_PROGRESS',
  'ERROR_LIMIT',
  'MODEL_ERROR',
  'INTERRUPTED',
];

const limits = { maxIterations: 1, tokenBudget: 1_000, timeoutSeconds: 10 };

/** For each reason what makes it hold, and no other. */
const making: Record<TerminationReason, Partial<AgentState>> = {
  CANCELLED: { cancelled: true },
  COMPLETED: { lastReply: { ...answer, turn: 1 }, turnOpen: true },
  MAX_ITERATIONS: { turn: 1, turnOpen: false, lastReply: { ...answer, turn: 1, toolCalls: asking.toolCalls } },
  TOKEN_BUDGET: { tokensUsed: usageOf(1_000, 0) },
  TIMEOUT: { now: 10_000 },
  NO_PROGRESS: { identicalStreak: 3 },
  ERROR_LIMIT: { errorStreak: 3 },
  MODEL_ERROR: { modelError: 'gone' },
  INTERRUPTED: { interrupted: true },
};

function reasonOf(verdict: Verdict): TerminationReason | undefined {
  return verdict.continue ? undefined : verdict.reason;
}

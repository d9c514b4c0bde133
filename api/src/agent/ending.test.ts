import { describe, expect, it } from 'vitest';
import { advance } from './advance.ts';
import { type Ending, endingNotice, endingOf } from './ending.ts';
import { closingWords, explain } from './explanation.ts';
import type { AgentState } from './state.ts';
import type { TerminationReason } from './termination.ts';
import { freshTurns, play, type ScriptedTurn, stateWith, usageOf } from './test/history.ts';

const saved = { contentCharacters: 12, toolCalls: 1, sources: 0 };
const same: ScriptedTurn = { calls: [{ name: 'search', arguments: { query: 'x' }, result: 'nothing' }] };
const failing = (index: number): ScriptedTurn => ({
  calls: [{ name: 'read', arguments: { path: `${index}.md` }, fails: true, result: `no file ${index}.md` }],
});

describe('the explanation that closes an answer', () => {
  it('names the iteration limit, the numbers and what was tried', () => {
    const { state } = play(freshTurns(5), { maxIterations: 4 });

    expect(closing(state)).toBe(
      'Stopped at the iteration limit: 4 of 4 turns used. Tried: 4 tool calls, lately search:{"page":1}, ' +
        'search:{"page":2}, search:{"page":3}.',
    );
  });

  it('names the token budget, and what the next call would have taken', () => {
    const { state } = play(freshTurns(5, { prompt: 900, output: 100 }), { tokenBudget: 2_500 });

    expect(closing(state)).toContain(
      'Stopped at the token budget: 2,000 of 2,500 tokens used. The next call would have taken at least 916 more.',
    );
  });

  it('names the token budget alone when a call used it up', () => {
    const over = { tokensUsed: usageOf(900, 0), pendingUsage: usageOf(0, 150), turnOpen: true, expectedInput: 900 };

    expect(explain(stateWith(over, { tokenBudget: 1_000 }), 'TOKEN_BUDGET')).toBe(
      'Stopped at the token budget: 1,050 of 1,000 tokens used.',
    );
  });

  it('names the time limit', () => {
    const { state } = play(freshTurns(5, { milliseconds: 5_040 }), { timeoutSeconds: 10 });

    expect(closing(state)).toContain('Stopped at the time limit: 10.1 of 10 seconds used.');
  });

  it('names the call that was repeated', () => {
    expect(closing(play([same, same, same]).state)).toContain(
      'the same action was taken 3 times in a row (search:{"query":"x"}).',
    );
  });

  it('names the turns that brought nothing new', () => {
    const other: ScriptedTurn = { calls: [{ name: 'list' }] };

    expect(closing(play([same, other, same, other, same]).state)).toContain(
      '3 turns in a row brought only results that were known already (last: search:{"query":"x"}).',
    );
  });

  it('names the last errors', () => {
    expect(closing(play([1, 2, 3].map(failing)).state)).toContain(
      'every tool call failed in 3 turns in a row. Last action: read:{"path":"3.md"}. ' +
        'Last errors: “no file 1.md”; “no file 2.md”; “no file 3.md”.',
    );
  });

  it('stands apart from the content before it, and without any still says what was attempted', () => {
    const { state } = play([same, same, same]);

    expect(closingWords(state, 'NO_PROGRESS', true)).toMatch(/^\n\nStopped because/);
    expect(closingWords(state, 'NO_PROGRESS', false)).toMatch(
      /^There is no answer yet\. Stopped .* Tried: 3 tool calls/,
    );
    expect(closingWords(stateWith(), 'TIMEOUT', false)).toMatch(/No tool was used\.$/);
  });

  it.each<TerminationReason>(['COMPLETED', 'CANCELLED', 'MODEL_ERROR', 'INTERRUPTED'])(
    'does not exist when the run ended %s, which still has a message',
    (reason) => {
      expect(closingWords(stateWith(), reason, true)).toBeUndefined();
      expect(explain(stateWith({ turn: 2, modelError: 'status 500' }), reason)).toMatch(/\.$/);
    },
  );
});

describe('the ending record', () => {
  it('holds reason, numbers, turns, tokens, duration, the fate of tools, what was saved and what to do next', () => {
    const { state } = play(freshTurns(3, { prompt: 100, output: 20, milliseconds: 500 }), { maxIterations: 2 });
    const unfinishedTools = [{ callId: 'c9', name: 'slow', fate: 'unknown' }] as const;

    expect(endingOf(state, { reason: 'MAX_ITERATIONS', unfinishedTools, saved })).toEqual({
      reason: 'MAX_ITERATIONS',
      message: 'Stopped at the iteration limit: 2 of 2 turns used.',
      limitType: 'ITERATIONS',
      usedValue: 2,
      limitValue: 2,
      turns: 2,
      usage: usageOf(200, 40),
      durationMs: 1_000,
      unfinishedTools,
      saved,
      nextActions: [
        { action: 'CONTINUE', label: 'Continue with up to 10 more turns', turns: 10 },
        { action: 'ANSWER_NOW', label: 'Answer now with what was found', turns: 1 },
        { action: 'BRANCH', label: 'Ask differently from an earlier point' },
      ],
    });
  });

  it('counts a turn that was cut off, and the estimate of its tokens', () => {
    const open = advance(stateWith(), { type: 'turn-started', now: 0 });
    const state = advance(open, { type: 'usage-estimated', usage: usageOf(50, 5) });

    expect(ended(state, 'CANCELLED')).toMatchObject({ turns: 1, usage: { ...usageOf(50, 5), estimated: true } });
  });

  it.each<[TerminationReason, Partial<Ending>]>([
    ['TOKEN_BUDGET', { limitType: 'TOKENS', usedValue: 7, limitValue: 50_000 }],
    ['TIMEOUT', { limitType: 'TIME', usedValue: 1.5, limitValue: 120 }],
    ['NO_PROGRESS', { usedValue: 3, limitValue: 3 }],
    ['ERROR_LIMIT', { usedValue: 3, limitValue: 3 }],
  ])('gives for %s what was used and what was allowed', (reason, numbers) => {
    const state = stateWith({ tokensUsed: usageOf(3, 4), now: 1_500, staleStreak: 3, errorStreak: 3 });

    expect(ended(state, reason)).toMatchObject(numbers);
  });

  it('says so when the model ended without a word', () => {
    const nothing = { ...saved, contentCharacters: 0 };
    const ending = endingOf(stateWith({ turn: 2 }), { reason: 'COMPLETED', unfinishedTools: [], saved: nothing });

    expect(ending.message).toBe('The model ended after 2 turns without a word of an answer.');
  });

  it('has no limit where none ended the run', () => {
    expect(ended(stateWith({ turn: 1 }), 'COMPLETED')).not.toHaveProperty('limitType');
  });
});

describe('the ending notice', () => {
  it.each<[TerminationReason, string | undefined]>([
    ['MAX_ITERATIONS', 'LIMIT_REACHED'],
    ['TOKEN_BUDGET', 'LIMIT_REACHED'],
    ['TIMEOUT', 'LIMIT_REACHED'],
    ['NO_PROGRESS', 'NO_PROGRESS'],
    ['ERROR_LIMIT', 'ERROR_LIMIT'],
    ['COMPLETED', undefined],
    ['CANCELLED', undefined],
    ['MODEL_ERROR', undefined],
    ['INTERRUPTED', undefined],
  ])('of %s is %s', (reason, systemType) => {
    expect(endingNotice(ended(stateWith(), reason))?.systemType).toBe(systemType);
  });
});

function closing(state: AgentState): string | undefined {
  const { terminationReason } = state;
  return terminationReason === undefined ? undefined : closingWords(state, terminationReason, true)?.trim();
}

function ended(state: AgentState, reason: TerminationReason): Ending {
  return endingOf(state, { reason, unfinishedTools: [], saved });
}

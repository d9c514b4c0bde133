import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AgentEvent, advance } from './advance.ts';
import { type AgentState, initialState } from './state.ts';
import { judge } from './termination.ts';
import { counting } from './test/counting.ts';
import { anyHistory, anyLimits, configOf, freshCall, outcomeOf, play, stateWith, usageOf } from './test/history.ts';

const reply = { text: '', toolCalls: [], finished: true };

describe('advance', () => {
  it('tightens a limit and never loosens one, whatever is asked for and in whatever order', () => {
    const fields = [
      'maxIterations',
      'tokenBudget',
      'timeoutSeconds',
      'maxToolCallsPerTurn',
      'maxParallelTools',
    ] as const;
    const wishes = fc.array(fc.tuple(fc.constantFrom(...fields), fc.oneof(fc.integer(), fc.double())), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(anyHistory, anyLimits, wishes, (history, limits, asked) => {
        const before = play(history, limits).states.at(-1) ?? stateWith({});
        let state = before;
        for (const [field, to] of asked) {
          const next = advance(state, { type: 'limit-tightened', field, to });
          for (const each of fields) {
            expect(next.config[each]).toBeLessThanOrEqual(state.config[each]);
            expect(Number.isSafeInteger(next.config[each])).toBe(true);
            if (each !== field) expect(next.config[each]).toBe(state.config[each]);
          }
          state = next;
        }
        expect({ ...state, config: before.config }).toEqual(before);
      }),
      { numRuns: 100 },
    );
  });

  it('leaves a run whose turns are tightened one more turn to answer in', () => {
    const state = advance(stateWith({ turn: 4, config: configOf({ maxIterations: 10 }) }), {
      type: 'turn-started',
      now: 1,
    });
    const tightened = advance(state, { type: 'limit-tightened', field: 'maxIterations', to: 1 });

    expect(tightened.config.maxIterations).toBe(6);
    expect(advance(tightened, { type: 'limit-tightened', field: 'maxIterations', to: 9 })).toBe(tightened);
  });

  it('never mutates: every state of any history is frozen through and through, and stays what it was', () => {
    fc.assert(
      fc.property(anyHistory, anyLimits, (history, limits) => {
        const { states } = play(history, limits);
        const copies = states.map((state) => JSON.stringify(state));
        play(history, limits);

        expect(states.every(isDeeplyFrozen)).toBe(true);
        expect(states.map((state) => JSON.stringify(state))).toEqual(copies);
      }),
      { numRuns: 30 },
    );
  });

  it('keeps the invariants in every state of any history', () => {
    fc.assert(
      fc.property(anyHistory, anyLimits, (history, limits) => {
        for (const state of play(history, limits).states) {
          expect(state.turn).toBeGreaterThanOrEqual(0);
          expect(state.tokensUsed.inputTokens).toBeGreaterThanOrEqual(0);
          expect(state.tokensUsed.outputTokens).toBeGreaterThanOrEqual(0);
          expect(state.recentActions.length).toBeLessThanOrEqual(6);
          expect(state.now).toBeGreaterThanOrEqual(state.startTime);
          expect(state.config).toMatchObject(limits);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('leaves a state that JSON can hold and that goes on from there as before', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const { state } = play(history);
        const restored = JSON.parse(JSON.stringify(state));

        expect(restored).toEqual(state);
        expect(judge(restored)).toEqual(judge(state));
      }),
      { numRuns: 30 },
    );
  });

  it('freezes the runs that were started frozen, and no others', () => {
    const start = { userId: 'ada', projectId: 'engine', config: configOf(), now: 0 };
    const later = (frozen: boolean) => advance(initialState({ ...start, frozen }), { type: 'cancelled' });

    expect(isDeeplyFrozen(later(true))).toBe(true);
    expect(Object.isFrozen(later(false))).toBe(false);
  });

  it('costs the same in the 200th turn as in the 15th, up to the depth of a shallow tree', () => {
    const reads = readsPerTurn(200);
    const around = (turn: number) => Math.max(...reads.slice(turn - 10, turn));

    expect(around(200)).toBeLessThan(around(15) * 1.5);
  });
});

describe('a turn', () => {
  const open = advance(stateWith(), { type: 'turn-started', now: 5 });

  it('is counted when it ends', () => {
    const replied = advance(open, { type: 'model-replied', now: 6, reply, usage: usageOf(1, 1) });

    expect([open, replied, advance(replied, { type: 'turn-ended', now: 7 })].map(({ turn }) => turn)).toEqual([
      0, 0, 1,
    ]);
  });

  it('cannot start within another, nor beyond the limit', () => {
    const used = stateWith({ turn: 2 }, { maxIterations: 2 });

    expect(() => advance(open, { type: 'turn-started', now: 6 })).toThrow('Turn 1 has not ended yet.');
    expect(() => advance(used, { type: 'turn-started', now: 6 })).toThrow('All 2 turns are used.');
  });

  it('must be open for replies, results and its end', () => {
    const outcome = outcomeOf(freshCall(1));

    expect(() => advance(stateWith(), { type: 'model-replied', now: 6, reply, usage: usageOf(1, 1) })).toThrow();
    expect(() => advance(stateWith(), { type: 'tool-finished', now: 6, outcome })).toThrow('"tool-finished" needs');
    expect(() => advance(stateWith(), { type: 'turn-ended', now: 6 })).toThrow();
  });

  it('is offered tools, whatever the one before was offered', () => {
    expect(advance(stateWith({ toolsOffered: false }), { type: 'turn-started', now: 6 }).toolsOffered).toBe(true);
  });

  it('takes hints and notices along into one request', () => {
    const hinted = advance(open, { type: 'hint-attached', hint: 'Be brief.' });

    expect(advance(hinted, { type: 'model-replied', now: 6, reply, usage: usageOf(1, 1) }).hints).toEqual([]);
  });
});

describe('tokens', () => {
  const open = advance(stateWith(), { type: 'turn-started', now: 0 });

  it('are estimated while a call is in flight, and corrected by what the provider reports', () => {
    const first = advance(open, { type: 'usage-estimated', usage: usageOf(100, 10) });
    const second = advance(first, { type: 'usage-estimated', usage: usageOf(100, 30) });
    const settled = advance(second, { type: 'model-replied', now: 1, reply, usage: usageOf(90, 25) });

    expect(second.pendingUsage).toMatchObject({ outputTokens: 30, estimated: true });
    expect(settled).toMatchObject({ pendingUsage: undefined, tokensUsed: usageOf(90, 25) });
  });

  it('of sub-agents come out of the same budget', () => {
    expect(advance(open, { type: 'tokens-spent', usage: usageOf(5, 5) }).tokensUsed).toEqual(usageOf(5, 5));
  });
});

describe('the end', () => {
  const ended = advance(stateWith(), { type: 'run-terminated', reason: 'TIMEOUT' });

  it('is final: a late result or a second reason changes nothing', () => {
    expect(advance(ended, { type: 'cancelled' })).toBe(ended);
    expect(advance(ended, { type: 'tool-finished', now: 9, outcome: outcomeOf(freshCall(1)) })).toBe(ended);
    expect(advance(ended, { type: 'run-terminated', reason: 'COMPLETED' })).toBe(ended);
  });
});

describe('time', () => {
  it('never runs backwards', () => {
    const later = advance(stateWith(), { type: 'clock-read', now: 50 });

    expect(advance(later, { type: 'clock-read', now: 40 }).now).toBe(50);
  });
});

/** How many reads of the state each turn takes: a way to measure cost that no busy machine disturbs. */
function readsPerTurn(turns: number): readonly number[] {
  // More turns than a person may set: the cost must not depend on that limit.
  let state: AgentState = { ...stateWith(), config: { ...stateWith().config, maxIterations: turns } };
  return Array.from({ length: turns }, (_, now) => {
    const toolCalls = [1, 2, 3].map((call) => outcomeOf(freshCall(now * 3 + call)));
    const events: AgentEvent[] = [
      { type: 'turn-started', now },
      { type: 'model-replied', now, reply: { text: '', toolCalls, finished: true }, usage: usageOf(1, 1) },
      ...toolCalls.map((outcome): AgentEvent => ({ type: 'tool-finished', now, outcome })),
      { type: 'turn-ended', now },
    ];
    let reads = 0;
    for (const event of events) {
      let counted = true;
      const unwrapped: AgentState = JSON.parse(JSON.stringify(state)); // also thaws, as wrapping needs
      const next = advance(
        counting(unwrapped, () => {
          if (counted) reads++;
        }),
        event,
      );
      counted = false;
      state = next;
    }
    return reads;
  });
}

function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen);
}

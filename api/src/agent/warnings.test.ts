import { describe, expect, it } from 'vitest';
import { AgentConfigSchema } from './config.ts';
import { freshCall, freshTurns, play, type ScriptedTurn, stateWith } from './test/history.ts';
import { dueWarnings, iterationWarningAfter, timeWarning } from './warnings.ts';

const roomy = AgentConfigSchema.parse({ tokenBudget: 200_000 });

describe('the iteration warning', () => {
  it.each([
    [10, 70, 7],
    [15, 70, 10],
    [3, 70, 1],
    [2, 70, 1],
    [1, 70, Number.POSITIVE_INFINITY],
    [50, 58, 29],
    [50, 90, 45],
    [10, 90, 8],
    [2, 50, 1],
  ])('of a limit of %i at %i %% comes after %i turns', (maxIterations, percent, completed) => {
    expect(iterationWarningAfter(maxIterations, percent)).toBe(completed);
  });

  it.each([1, 2, 3, 4, 10, 15, 50])('is given once at the start of the right turn, with a limit of %i', (max) => {
    const { started } = play(freshTurns(60), { maxIterations: max });

    const warned = started.filter(({ notices }) => notices.some(({ limitType }) => limitType === 'ITERATIONS'));
    const expected = max === 1 ? [] : [iterationWarningAfter(max, 70)];
    expect(warned.map(({ completed }) => completed)).toEqual(expected);
  });

  it('tells the person the numbers, and the model the same', () => {
    const { started } = play(freshTurns(10), { maxIterations: 10 });

    expect(started[7]?.notices).toEqual([
      {
        systemType: 'LIMIT_WARNING',
        severity: 'WARNING',
        message: 'Approaching iteration limit (7/10)',
        limitType: 'ITERATIONS',
        currentValue: 7,
        limitValue: 10,
        advice: '3 turns left; the answer should be wrapped up.',
      },
    ]);
    expect(started[7]?.hints).toEqual([
      'Approaching iteration limit (7/10). 3 turns left; the answer should be wrapped up.',
    ]);
    expect(started[8]).toMatchObject({ notices: [], hints: [] });
  });

  it('adds a forecast when the tokens will not last as long as the turns', () => {
    const { started } = play(freshTurns(10, { prompt: 900, output: 100 }), { maxIterations: 10, tokenBudget: 9_500 });

    expect(started[7]?.notices[0]?.advice).toContain('At this pace tokens run out around turn 9.');
  });
});

describe('the token warning', () => {
  it('comes once, when what is used and the coming prompt together reach the percentage', () => {
    const { started } = play(freshTurns(8, { prompt: 1_000, output: 500 }), { tokenBudget: 10_000 });

    const warned = started.filter(({ notices }) => notices.some(({ limitType }) => limitType === 'TOKENS'));
    expect(warned.map(({ completed }) => completed)).toEqual([5]);
    expect(warned[0]?.notices[0]).toMatchObject({
      message: 'Approaching token budget (8,500/10,000)',
      currentValue: 8_500,
      limitValue: 10_000,
    });
  });

  it('may come at the very first turn', () => {
    const { started } = play([{ calls: [], prompt: 800 }], { tokenBudget: 1_000 });

    expect(started[0]?.notices[0]?.limitType).toBe('TOKENS');
  });
});

describe('the time warning', () => {
  it('comes once, at 80 % of the time', () => {
    const { started } = play(freshTurns(10, { milliseconds: 1_000 }), { timeoutSeconds: 10 });

    const warned = started.filter(({ notices }) => notices.some(({ limitType }) => limitType === 'TIME'));
    expect(warned.map(({ completed }) => completed)).toEqual([8]);
    expect(warned[0]?.notices[0]?.message).toBe('Approaching time limit (8/10 s)');
  });

  it('can be asked for in the middle of a turn', () => {
    expect(timeWarning(stateWith({ now: 95_999, turnOpen: true }))).toBeUndefined();
    expect(timeWarning(stateWith({ now: 96_000, turnOpen: true }))?.warning).toBe('time');
  });
});

describe('the loop warning', () => {
  const turn = (name: string, result: string): ScriptedTurn => ({ calls: [{ name, result }] });
  const looping = ['a', 'b', 'a', 'b', 'a', 'b', 'a'].map((name, index) => turn(name, String(index)));

  it('comes once, and the run goes on', () => {
    const { started, state } = play([...looping, turn('c', '')]);

    const warned = started.filter(({ notices }) => notices.some(({ systemType }) => systemType === 'LOOP_DETECTED'));
    expect(warned.map(({ completed }) => completed)).toEqual([5]);
    expect(warned[0]?.hints[0]).toContain('a:{}');
    expect(state.terminationReason).toBeUndefined();
  });
});

describe('the no-progress hint', () => {
  const same: ScriptedTurn = { calls: [{ name: 'search', result: 'nothing' }] };
  const other: ScriptedTurn = { calls: [{ name: 'read', result: 'text' }] };

  it('is given to the model after two identical actions, before the third ends the run', () => {
    const { started, state } = play([same, same, same, same]);

    expect(started.map(({ hints }) => hints.length)).toEqual([0, 0, 1]);
    expect(started[2]?.hints[0]).toContain('made the same call 2 times in a row (search:{})');
    expect(state.terminationReason).toBe('NO_PROGRESS');
  });

  it('is given after two stale turns', () => {
    const { started, state } = play([same, other, same, other, same, other]);

    expect(started[4]?.hints[0]).toContain('learned nothing new for 2 turns');
    expect(state).toMatchObject({ terminationReason: 'NO_PROGRESS', turn: 5 });
  });

  it('is no notice for the person', () => {
    expect(play([same, same, same]).started.flatMap(({ notices }) => notices)).toEqual([]);
  });
});

describe('the wrap-up turn', () => {
  it('is the last of the allowed turns: the model is told so and offered no tools', () => {
    const { started } = play(freshTurns(5), { maxIterations: 5 });

    expect(started.map(({ toolsOffered }) => toolsOffered)).toEqual([true, true, true, true, false]);
    expect(started[4]?.hints.at(-1)).toContain('last turn');
  });

  it('does not exist with a limit of one: tools are offered and run', () => {
    expect(play(freshTurns(1), { maxIterations: 1 }).started[0]).toMatchObject({ toolsOffered: true, hints: [] });
  });

  it('comes with a limit of two on the second turn, together with the warning', () => {
    const second = play(freshTurns(2), { maxIterations: 2 }).started[1];

    expect(second?.toolsOffered).toBe(false);
    expect(second?.notices[0]?.message).toBe('Approaching iteration limit (1/2)');
  });

  it('comes earlier when the token budget holds only this call', () => {
    const script = freshTurns(5, { prompt: 1_000, output: 200 });
    const { started, state } = play(script, { tokenBudget: 4_000 });

    expect(started.map(({ toolsOffered }) => toolsOffered)).toEqual([true, true, false]);
    expect(state.terminationReason).toBe('TOKEN_BUDGET');
  });

  it('reckons with prompts that grow from turn to turn', () => {
    const script = [1_000, 2_000, 3_000].map((prompt, page) => ({ calls: [freshCall(page)], prompt }));
    const offered = (tokenBudget: number) => play(script, { tokenBudget }).started.map((turn) => turn.toolsOffered);

    expect(offered(6_000)).toEqual([true, false]);
    expect(offered(9_500)).toEqual([true, true, false]);
  });
});

describe('the context warning', () => {
  it.each([
    ['not below 70 % of the window', 69_999, 0],
    ['from 70 % of the window', 70_000, 1],
  ])('comes %s', (_when, expectedInput, times) => {
    const due = dueWarnings(stateWith({ windowSize: 100_000, expectedInput, config: roomy }));

    expect(due.filter(({ warning }) => warning === 'context')).toHaveLength(times);
  });

  it('tells the person the numbers, and the model what to do', () => {
    const [due] = dueWarnings(stateWith({ windowSize: 100_000, expectedInput: 81_234, config: roomy }));

    expect(due?.notice).toEqual({
      systemType: 'CONTEXT_WARNING',
      severity: 'WARNING',
      message: "The model's window fills up (81,234/100,000 tokens)",
      limitType: 'CONTEXT',
      currentValue: 81_234,
      limitValue: 100_000,
      advice: 'Smaller steps or a new conversation help; before it is full, the oldest parts are left out.',
    });
    expect(due?.hint).toContain('81,234/100,000');
  });

  it('is not given again, nor where the window is not known', () => {
    const full = { windowSize: 100_000, expectedInput: 90_000, config: roomy };

    expect(dueWarnings(stateWith({ ...full, warned: ['context'] }))).toEqual([]);
    expect(dueWarnings(stateWith({ ...full, windowSize: undefined }))).toEqual([]);
  });
});

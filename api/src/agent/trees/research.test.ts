import { describe, expect, it } from 'vitest';
import { createDecisionTree } from '../decision-tree.ts';
import { configOf, freshCall, freshTurns, play, type ScriptedTurn } from '../test/history.ts';
import { research } from './research.ts';

function run(script: readonly ScriptedTurn[], limits: Parameters<typeof configOf>[0] = {}) {
  return play(script, limits, createDecisionTree('research', configOf(limits)));
}

describe('the research tree', () => {
  it('gathers for at most half of the turns, then answers without tools', () => {
    const { started } = run([...freshTurns(3), { calls: [] }], { maxIterations: 6 });

    expect(started.map(({ toolsOffered }) => toolsOffered)).toEqual([true, true, true, false]);
    expect(started[3]?.hints.at(-1)).toContain('The research is over');
  });

  it('keeps its phase and its findings in the extensions of the state', () => {
    const { states, state } = run([...freshTurns(3), { calls: [] }], { maxIterations: 6 });

    expect(research.read(states[0] ?? state)).toEqual({ phase: 'research', findings: 0 });
    expect(research.read(state)).toEqual({ phase: 'answer', findings: 3 });
    expect(state.terminationReason).toBe('COMPLETED');
  });

  it('answers sooner when enough was found, not counting failures', () => {
    const failing = { ...freshCall(100), fails: true };
    const four = (from: number): ScriptedTurn => ({
      calls: [failing, ...[0, 1, 2, 3].map((at) => freshCall(from + at))],
    });
    const { started } = run([four(0), four(4), four(8), { calls: [] }], { maxIterations: 50 });

    expect(started.map(({ toolsOffered }) => toolsOffered)).toEqual([true, true, true, false]);
  });

  it('warns and ends as the default does', () => {
    const { state, started } = run(freshTurns(9), { maxIterations: 4 });

    expect(state.terminationReason).toBe('MAX_ITERATIONS');
    expect(started.flatMap(({ notices }) => notices)).toHaveLength(1);
  });
});

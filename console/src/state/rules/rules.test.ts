import { describe, expect, it } from 'vitest';
import { effectWords } from './effect-words.ts';
import { inOrder } from './rules-list.ts';

describe('inOrder', () => {
  it('follows the course of a run, and then the priority', () => {
    const rule = (id: string, trigger: 'TURN_START' | 'QUERY_START', priority: number) => ({ id, trigger, priority });

    expect(
      inOrder([
        rule('c', 'TURN_START', 1),
        rule('b', 'TURN_START', 9),
        rule('a', 'TURN_START', 9),
        rule('z', 'QUERY_START', 1),
      ]).map(({ id }) => id),
    ).toEqual(['z', 'a', 'b', 'c']);
  });
});

describe('effectWords', () => {
  it('says what a rule did', () => {
    expect(effectWords({ type: 'notify', message: 'Hello' })).toBe('Told: Hello');
    expect(effectWords({ type: 'set_state', key: 'count', value: 3 })).toBe('Remembered count = 3');
    expect(effectWords({ type: 'limit', field: 'maxIterations', to: 5 })).toBe('Tightened maxIterations to 5');
    expect(effectWords({ type: 'limit', field: 'maxIterations', to: 5, changed: false })).toContain('as it was');
    expect(effectWords({ type: 'something new' })).toBe('something new');
    expect(effectWords(null)).toBe('');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldChanges, turnedRound } from './setting-difference.ts';

const step = (field: string, oldValue: unknown, newValue: unknown) =>
  ({ group: 'AGENT_CONFIG', layer: 'USER', field, oldValue, newValue }) as const;

describe('foldChanges', () => {
  it('tells the first value and the last, and passes over what was changed back', () => {
    const steps = [step('a', null, 1), step('b', 5, 6), step('a', 1, 2), step('b', 6, 5), step('c', 7, null)];

    expect(foldChanges(steps)).toEqual([
      { group: 'AGENT_CONFIG', layer: 'USER', field: 'a', from: undefined, to: 2 },
      { group: 'AGENT_CONFIG', layer: 'USER', field: 'c', from: 7, to: undefined },
    ]);
  });

  it('leads from any state to any later one, and turned round back again', () => {
    const fields = fc.constantFrom('a', 'b', 'c');
    const value = fc.option(fc.integer({ min: 0, max: 3 }), { nil: null });
    fc.assert(
      fc.property(fc.array(fc.tuple(fields, value)), fc.nat(), (writes, cut) => {
        const states: Record<string, unknown>[] = [{}];
        const steps = writes.map(([field, newValue]) => {
          const before = states.at(-1) ?? {};
          states.push({ ...before, [field]: newValue });
          return step(field, before[field] ?? null, newValue);
        });
        const start = cut % states.length;
        const differences = foldChanges(steps.slice(start));
        const move = (state: Record<string, unknown>, by: typeof differences) =>
          tidy({ ...state, ...Object.fromEntries(by.map(({ field, to }) => [field, to])) });

        expect(move(states[start] ?? {}, differences)).toEqual(tidy(states.at(-1) ?? {}));
        expect(move(states.at(-1) ?? {}, turnedRound(differences))).toEqual(tidy(states[start] ?? {}));
      }),
    );
  });
});

function tidy(state: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== null && value !== undefined));
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineExtension, type Extension } from './extensions.ts';
import type { Json } from './json.ts';
import type { AgentState } from './state.ts';
import { anyHistory, play, stateWith } from './test/history.ts';

const names = ['notes', 'plan', '__proto__', 'constructor', 'toString', 'turn', 'config', 'extensions', 'cancelled'];
const all: readonly Extension<Json>[] = names.map((name) => defineExtension<Json>(name, `nothing in ${name}`));
const writes = fc.array(fc.record({ extension: fc.constantFrom(...all), value: fc.jsonValue() }), { maxLength: 20 });

describe('an extension', () => {
  it('touches neither the core nor the namespace of another, whatever it is called and writes', () => {
    fc.assert(
      fc.property(anyHistory, writes, (history, written) => {
        const before = runningState(history);
        const expected = new Map<Extension<Json>, Json>();
        let state = before;
        for (const { extension, value } of written) {
          state = extension.write(state, value as Json);
          expected.set(extension, value as Json);
        }

        expect({ ...state, extensions: {} }).toEqual({ ...before, extensions: {} });
        expect(Object.getPrototypeOf(state.extensions)).toBe(Object.prototype);
        for (const extension of all) {
          const untouched = `nothing in ${extension.namespace}`;
          expect(extension.read(state)).toEqual(expected.has(extension) ? expected.get(extension) : untouched);
          expect(extension.read(before)).toBe(untouched);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('copies on write: what was read before stays, and other values are shared', () => {
    const [first, second] = all;
    if (first === undefined || second === undefined) throw new Error('two extensions are needed');
    const one = first.write(stateWith(), { list: [1] });
    const two = second.write(one, 'x');

    expect(first.read(two)).toBe(first.read(one));
    expect(second.read(one)).toBe('nothing in plan');
  });

  it('holds values that nobody can change afterwards, in a frozen run and at the start', () => {
    const counter = defineExtension<{ readonly count: number }>('counter', { count: 0 });
    const written = counter.write(stateWith(), { count: 1 });

    expect(() => Object.assign(counter.read(written), { count: 5 })).toThrow(TypeError);
    expect(() => Object.assign(counter.read(stateWith()), { count: 5 })).toThrow(TypeError);
  });

  it('cannot be claimed twice', () => {
    expect(() => defineExtension('plan', 1)).toThrow('The extension namespace "plan" is claimed already.');
  });

  it('survives JSON', () => {
    const [first, , prototype] = all;
    if (first === undefined || prototype === undefined) throw new Error('three extensions are needed');
    const state = prototype.write(first.write(stateWith(), [1, 2]), 'safe');
    const restored: AgentState = JSON.parse(JSON.stringify(state));

    expect([first.read(restored), prototype.read(restored)]).toEqual([[1, 2], 'safe']);
  });
});

/** Some state of the history in which the run has not ended yet. */
function runningState(history: Parameters<typeof play>[0]): AgentState {
  return play(history).states.findLast((state) => state.terminationReason === undefined) ?? stateWith();
}

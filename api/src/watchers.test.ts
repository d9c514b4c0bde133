import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Watch, Watchers } from './watchers.ts';

describe('watchers', () => {
  it('are those who came and have not left, by topic', () => {
    const step = fc.record({
      topic: fc.constantFrom('a', 'b', 'c'),
      leaves: fc.option(fc.nat(20), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const watchers = new Watchers<number>();
        const there: { readonly topic: string; readonly watcher: number; readonly watch: Watch }[] = [];

        steps.forEach(({ topic, leaves }, watcher) => {
          const leaver = leaves === undefined ? undefined : there[leaves % Math.max(1, there.length)];
          if (leaver) {
            leaver.watch.end();
            leaver.watch.end();
            there.splice(there.indexOf(leaver), 1);
          } else there.push({ topic, watcher, watch: watchers.add(topic, watcher) });
        });

        for (const topic of ['a', 'b', 'c']) {
          const expected = there.filter((each) => each.topic === topic).map(({ watcher }) => watcher);
          expect(watchers.of(topic).toSorted((one, other) => one - other)).toEqual(expected);
          expect(watchers.has(topic)).toBe(expected.length > 0);
        }
        expect(new Set(watchers.topics)).toEqual(new Set(there.map(({ topic }) => topic)));
      }),
    );
  });

  it('can leave while they are told', () => {
    const watchers = new Watchers<() => void>();
    const told: string[] = [];
    const leaving = watchers.add('run', () => {
      told.push('one');
      leaving.end();
    });
    watchers.add('run', () => told.push('other'));

    for (const tell of watchers.of('run')) tell();

    expect(told).toEqual(['one', 'other']);
    expect(watchers.of('run')).toHaveLength(1);
  });
});

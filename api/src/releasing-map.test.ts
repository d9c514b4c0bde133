import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReleasingMap } from './releasing-map.ts';

const key = fc.constantFrom('a', 'b', 'c', 'd');
const change = fc.oneof(
  fc.record({ type: fc.constant('set' as const), key, value: fc.nat() }),
  fc.record({ type: fc.constant('delete' as const), key }),
);

describe('a map that lets go', () => {
  it('holds what any map holds after the same changes', () => {
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const map = new ReleasingMap<string, number>();
        const plain = new Map<string, number>();

        for (const each of changes) {
          if (each.type === 'delete') for (const one of [map, plain]) one.delete(each.key);
          else for (const one of [map, plain]) one.set(each.key, each.value);
        }

        expect(map.size).toBe(plain.size);
        expect(map.keys()).toEqual([...plain.keys()]);
        expect(map.values()).toEqual([...plain.values()]);
        for (const name of ['a', 'b', 'c', 'd']) {
          expect(map.get(name)).toBe(plain.get(name));
          expect(map.has(name)).toBe(plain.has(name));
        }
      }),
    );
  });

  it('gives lists that stay as they were', () => {
    const map = new ReleasingMap<string, object>();
    map.set('a', {});
    const values = map.values();

    map.delete('a');

    expect(values).toEqual([{}]);
  });
});

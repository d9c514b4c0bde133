import { describe, expect, it } from 'vitest';
import type { Json } from '../agent/json.ts';
import { boundedJson, boundedSizes, type Dressed } from './bounded-json.ts';

type Parts = readonly (readonly [depth: number, value: Dressed])[];

/** Every value within, with how deep it lies. */
function partsOf(value: Dressed, depth = 0): Parts {
  if (typeof value !== 'object' || value === null) return [[depth, value]];
  return [[depth, value], ...Object.values(value).flatMap((inner) => partsOf(inner as Dressed, depth + 1))];
}

describe('foreign JSON', () => {
  it('is shown as it is while it is small, whole numbers as integers', () => {
    expect(boundedJson({ a: 1, b: 1.5, c: [true, null, 'x'], d: { e: 'f' } })).toEqual({
      a: 1n,
      b: 1.5,
      c: [true, null, 'x'],
      d: { e: 'f' },
    });
  });

  it('is shown in part when it is much: so many entries, so long, so deep, so many values in all', () => {
    const { entries, characters, depth: deepest, values } = boundedSizes;
    const wide = (depth: number): Json => (depth === 0 ? 'x'.repeat(5_000) : new Array<Json>(60).fill(wide(depth - 1)));
    const given = Object.fromEntries(Array.from({ length: 60 }, (_, key) => [`key ${key}`, wide(key % 7)]));
    const parts = partsOf(boundedJson(given));

    expect(parts.length).toBe(values + 1);
    for (const [depth, value] of parts) {
      expect(depth).toBeLessThanOrEqual(deepest + 1);
      if (typeof value === 'string') expect(value.length).toBeLessThanOrEqual(characters);
      if (typeof value === 'object' && value !== null) expect(Object.keys(value).length).toBeLessThanOrEqual(entries);
    }
  });

  it('that is one long text, one long list or one deep nest is cut there', () => {
    const { entries, characters } = boundedSizes;

    expect(boundedJson({ text: 'x'.repeat(5_000) })).toEqual({ text: 'x'.repeat(characters) });
    expect(boundedJson({ list: Array.from({ length: 100 }, () => true) })).toEqual({
      list: Array.from({ length: entries }, () => true),
    });
    expect(boundedJson({ a: { b: { c: { d: { e: { f: 1 } } } } } })).toEqual({ a: { b: { c: { d: { e: null } } } } });
  });
});

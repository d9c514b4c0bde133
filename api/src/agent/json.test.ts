import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, fingerprint, isPlain, type Json } from './json.ts';

describe('isPlain', () => {
  it('is true only of what JSON writes with nothing but quotes', () => {
    const unit = fc.oneof(
      fc.nat({ max: 0xffff }),
      fc.constantFrom(0, 9, 10, 31, 32, 34, 92, 127, 0x2028, 0xd800, 0xdfff),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 12 }), fc.string(), (units, words) => {
        const text = words + String.fromCharCode(...units);

        if (isPlain(text)) expect(JSON.stringify(text)).toBe(`"${text}"`);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['', 'A word or two ', 'Grüße, 世界', "it's {a} <b>"])('is true of %j', (text) => {
    expect(isPlain(text)).toBe(true);
  });
});

describe('canonicalJson', () => {
  it('does not depend on the order in which keys were written', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = value as Json;

        expect(canonicalJson(shuffled(json))).toBe(canonicalJson(json));
      }),
    );
  });

  it('tells different values apart and reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value as Json))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('sorts keys at every depth, keeps lists in order and writes no spaces', () => {
    expect(canonicalJson({ b: [2, { d: 1, c: null }], a: 'é' })).toBe('{"a":"é","b":[2,{"c":null,"d":1}]}');
  });

  it('leaves out what is undefined, as JSON does', () => {
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
  });

  it('survives arguments nested deeper than the call stack, and very long lists', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    const long = Array.from({ length: 300_000 }, () => 1);

    expect(canonicalJson(deep)).toHaveLength(200_000);
    expect(canonicalJson(long)).toHaveLength(600_001);
  });
});

describe('fingerprint', () => {
  it('is 16 hexadecimal digits for any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => /^[0-9a-f]{16}$/.test(fingerprint(text))));
  });

  it('tells 200,000 similar texts apart', () => {
    const texts = Array.from({ length: 200_000 }, (_, index) => `search:{"page":${index}}`);

    expect(new Set(texts.map(fingerprint)).size).toBe(texts.length);
  });

  it('spreads evenly over the first digit, on which the set of seen results branches', () => {
    const counts = new Map<string, number>();
    for (let index = 0; index < 16_000; index++) {
      const digit = fingerprint(`read:{"line":${index}}`).charAt(0);
      counts.set(digit, (counts.get(digit) ?? 0) + 1);
    }

    expect(Math.max(...counts.values())).toBeLessThan(1_200);
    expect(Math.min(...counts.values())).toBeGreaterThan(800);
  });
});

/** The same value with every object's keys in the opposite order. */
function shuffled(value: Json): Json {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, shuffled(inner ?? null)]),
  );
}

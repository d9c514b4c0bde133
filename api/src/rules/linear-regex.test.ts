import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearRegex, PatternError } from './linear-regex.ts';

const letter = fc.constantFrom('a', 'b', 'c', '.', '[ab]', '[^a]', '\\w', '\\d', '1');
const pattern = fc.letrec<{ one: string }>((tie) => ({
  one: fc.oneof(
    { depthSize: 'small' },
    letter,
    fc.tuple(tie('one'), tie('one')).map(([one, other]) => one + other),
    fc.tuple(tie('one'), tie('one')).map(([one, other]) => `(?:${one}|${other})`),
    fc
      .tuple(tie('one'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}', '*?'))
      .map(([one, how]) => `(${one})${how}`),
  ),
})).one;

describe('linearRegex', () => {
  it('finds what the usual engine finds', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '\n'), maxLength: 12 });

    fc.assert(
      fc.property(pattern, text, fc.boolean(), fc.boolean(), (inner, given, fromStart, toEnd) => {
        const source = `${fromStart ? '^' : ''}(?:${inner})${toEnd ? '$' : ''}`;
        fc.pre(source.length <= 200);
        let regex: ReturnType<typeof linearRegex>;
        try {
          regex = linearRegex(source);
        } catch (error) {
          if (error instanceof PatternError && /too much/.test(error.message)) return;
          throw error;
        }
        expect(regex.test(given)).toBe(new RegExp(source).test(given));
      }),
      { numRuns: 1_000 },
    );
  });

  it('takes no longer for patterns that bring others down', () => {
    const evil = ['(a+)+$', '(a|aa)+$', '(.*a){20}$', '^(([a-z])+.)+[A-Z]([a-z])+$', '(a*)*b', '(?:a?){50}a{50}'];

    for (const source of evil) expect(linearRegex(source).test(`${'a'.repeat(20_000)}!`)).toBe(/a\{50\}$/.test(source));
  });

  it('ignores case when asked to', () => {
    expect(linearRegex('(?i)time ?out|[x-z]9').test('Request TIMEOUT')).toBe(true);
    expect(linearRegex('(?i)[x-z]9').test('Y9')).toBe(true);
    expect(linearRegex('timeout').test('TIMEOUT')).toBe(false);
  });

  it.each([
    ['(', 'without its )'],
    [')', 'without its ('],
    ['[a', 'without its ]'],
    ['*a', 'nothing before *'],
    ['a**', 'two repetitions'],
    ['(?=a)', 'looking around'],
    ['(a)\\1', 'backreferences'],
    ['\\bword', '\\b is not supported'],
    ['a{999}', 'more than 50 times'],
    ['((a{50}){50}){50}', 'repeats too much'],
    ['a{3,2}', 'fewer than it needs'],
    ['x'.repeat(201), 'at most 200 characters'],
    ['\\', 'ends with a backslash'],
  ])('refuses %s', (source, words) => {
    expect(() => linearRegex(source)).toThrow(words);
  });
});

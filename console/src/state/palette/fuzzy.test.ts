import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzyScore, rank } from './fuzzy.ts';

const best = (typed: string, texts: readonly string[]) => rank(typed, texts, (text) => [text])[0]?.item;

describe('what was typed', () => {
  it.each([
    ['set', 'Settings', 'Reset everything'],
    ['nc', 'New conversation', 'Finance'],
    ['conv new', 'New conversation', 'New note'],
    ['runs', 'Runs', 'Truncated sums'],
    ['dark', 'Theme: dark', 'Dashboard: work'],
    ['uber', 'Übersicht über Häfen', 'Rubber'],
    ['user', 'Users', 'Used error'],
  ])('%s means %s rather than %s', (typed, meant, other) => {
    expect(best(typed, [other, meant])).toBe(meant);
  });

  it('must be there with all of its words, in any order', () => {
    expect(fuzzyScore('harbours night', 'Night harbours')).toBeDefined();
    expect(fuzzyScore('night boats', 'Night harbours')).toBeUndefined();
    expect(fuzzyScore('thgin', 'Night harbours')).toBeUndefined();
  });

  it('finds everything when it is nothing, in the given order', () => {
    const order = rank('', ['a', 'b', 'c'], (text) => [text]);
    expect(order.map(({ item }) => item)).toEqual(['a', 'b', 'c']);
  });

  it('counts a name more than what else a thing may be found by, and used before more than that', () => {
    const items = [
      { name: 'Leave', also: 'Sign out' },
      { name: 'Sign out', also: '' },
    ];
    const found = rank('sign out', items, ({ name, also }) => [name, also]);
    expect(found.map(({ item }) => item.name)).toEqual(['Sign out', 'Leave']);
    const recent = rank(
      'sign out',
      items,
      ({ name, also }) => [name, also],
      ({ name }) => (name === 'Leave' ? 5 : 0),
    );
    expect(recent.map(({ item }) => item.name)).toEqual(['Leave', 'Sign out']);
  });

  it('always finds the text itself, and any of its beginnings', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), fc.nat(), (text, length) => {
        const characters = [...text];
        const beginning = characters.slice(0, 1 + (length % characters.length)).join('');
        expect(fuzzyScore(text, text)).toBeDefined();
        expect(fuzzyScore(beginning, text)).toBeDefined();
      }),
    );
  });

  it('is looked for in the beginning of a text only, however long it is', () => {
    const long = `${'a'.repeat(1_000_000)}b`;
    expect(fuzzyScore('ab', long)).toBeUndefined();
    expect(fuzzyScore('a'.repeat(200), long)).toBeDefined();
  });
});

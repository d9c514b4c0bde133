import { describe, expect, it } from 'vitest';
import { isSelected, nothingSelected, pageState, type Selection, sizeOf, withPage, withRow } from './selection.ts';

const page = ['a', 'b', 'c'];
const some = (...ids: string[]): Selection => ({ type: 'some', ids: new Set(ids) });
const everything: Selection = { type: 'all-matching', count: 1_234 };

describe('a selection', () => {
  it('grows and shrinks row by row, over pages', () => {
    const two = withRow(withRow(some('z'), 'a', true, page), 'b', true, page);

    expect(two).toEqual(some('z', 'a', 'b'));
    expect(withRow(two, 'z', false, page)).toEqual(some('a', 'b'));
    expect(sizeOf(two)).toBe(3);
  });

  it('takes a page in and out, and keeps what is chosen elsewhere', () => {
    const whole = withPage(some('z'), page, true);

    expect(whole).toEqual(some('z', 'a', 'b', 'c'));
    expect(withPage(whole, page, false)).toEqual(some('z'));
  });

  it('says how the page stands', () => {
    expect(pageState(nothingSelected, page)).toBe('none');
    expect(pageState(some('b'), page)).toBe('some');
    expect(pageState(some(...page), page)).toBe('all');
    expect(pageState(everything, page)).toBe('all');
    expect(pageState(nothingSelected, [])).toBe('none');
  });

  it('of everything that matches has everybody, and becomes the rows in sight once one is taken out', () => {
    expect(isSelected(everything, 'never seen')).toBe(true);
    expect(sizeOf(everything)).toBe(1_234);
    expect(withRow(everything, 'b', false, page)).toEqual(some('a', 'c'));
    expect(withPage(everything, page, false)).toEqual(nothingSelected);
  });
});

import { describe, expect, it } from 'vitest';
import { countBranches, moveIn, rowsOf } from './tree.ts';

const node = (id: string, parentId: string | null) => ({ id, parentId });
/** Two branches from the first exchange; HEAD is at the end of the older one. */
const forked = [node('a', null), node('b', 'a'), node('c', 'a'), node('d', 'b'), node('e', 'c')];

describe('rowsOf', () => {
  it('keeps the way to HEAD on one line and puts side branches before it, one step in', () => {
    const rows = rowsOf(forked, 'd');

    expect(rows.map((row) => `${row.node.id}${row.depth}${row.onHeadPath ? '*' : ''}`)).toEqual([
      'a0*',
      'c1',
      'e1',
      'b0*',
      'd0*',
    ]);
  });

  it('goes on with the newest where HEAD does not lead', () => {
    expect(rowsOf(forked, null).map(({ node: { id }, depth }) => `${id}${depth}`)).toEqual([
      'a0',
      'b1',
      'd1',
      'c0',
      'e0',
    ]);
  });

  it('stays a straight line over ten thousand exchanges', () => {
    const long = Array.from({ length: 10_000 }, (_, index) => node(`${index}`, index === 0 ? null : `${index - 1}`));

    const rows = rowsOf(long, '9999');

    expect(rows).toHaveLength(10_000);
    expect(rows.every(({ depth }) => depth === 0)).toBe(true);
  });
});

describe('moveIn', () => {
  it('goes along the rows, to the parent and to the first child', () => {
    const rows = rowsOf(forked, 'd');

    expect(moveIn(rows, 0, 'ArrowDown')).toBe(1);
    expect(moveIn(rows, 0, 'ArrowUp')).toBeUndefined();
    expect(moveIn(rows, 3, 'ArrowLeft')).toBe(0);
    expect(moveIn(rows, 0, 'ArrowRight')).toBe(1);
    expect(moveIn(rows, 2, 'End')).toBe(4);
    expect(moveIn(rows, 2, 'x')).toBeUndefined();
  });
});

describe('countBranches', () => {
  it('counts the ends', () => {
    expect(countBranches(forked)).toBe(2);
  });
});

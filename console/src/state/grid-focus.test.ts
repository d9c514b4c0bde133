import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { moveInGrid } from './grid-focus.ts';

const lengths = [3, 1, 4];

describe('moving in a grid', () => {
  it.each([
    ['ArrowRight', { row: 0, column: 0 }, { row: 0, column: 1 }],
    ['ArrowLeft', { row: 0, column: 0 }, { row: 0, column: 0 }],
    ['ArrowDown', { row: 0, column: 2 }, { row: 1, column: 0 }],
    ['ArrowUp', { row: 2, column: 3 }, { row: 1, column: 0 }],
    ['End', { row: 2, column: 0 }, { row: 2, column: 3 }],
    ['Home', { row: 2, column: 3 }, { row: 2, column: 0 }],
    ['PageDown', { row: 0, column: 0 }, { row: 2, column: 0 }],
  ])('%s leads to the next place', (key, from, to) => {
    expect(moveInGrid(from, key, lengths)).toEqual(to);
  });

  it('goes to the corners with Control', () => {
    expect(moveInGrid({ row: 1, column: 0 }, 'End', lengths, true)).toEqual({ row: 2, column: 3 });
    expect(moveInGrid({ row: 2, column: 3 }, 'Home', lengths, true)).toEqual({ row: 0, column: 0 });
  });

  it('leaves other keys alone', () => {
    expect(moveInGrid({ row: 0, column: 0 }, 'Tab', lengths)).toBeUndefined();
  });

  it('never leaves the grid', () => {
    const keys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'];
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 60 }),
        fc.array(fc.tuple(fc.constantFrom(...keys), fc.boolean()), { maxLength: 40 }),
        (shape, presses) => {
          let place = { row: 0, column: 0 };
          for (const [key, withControl] of presses) {
            place = moveInGrid(place, key, shape, withControl) ?? place;
            expect(place.column).toBeLessThan(shape[place.row] ?? 0);
          }
        },
      ),
    );
  });
});

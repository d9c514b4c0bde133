import { encode } from '@toon-format/toon';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordOf, toonTable } from './toon-table.ts';

const cell = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.string(),
  fc.constantFrom(
    'true',
    'null',
    '',
    ' a',
    'a ',
    'a  b',
    '- a',
    '1',
    '1e5',
    'e5',
    '05',
    'a,b',
    'a:b',
    'a/b.md',
    'vault read',
    'x-1',
  ),
  fc.stringMatching(/^[A-Za-z0-9 _./-]{0,12}$/),
);
const tables = fc
  .uniqueArray(fc.constantFrom('tool', 'error', 'times', 'max_turns', 'a b', '1st'), { minLength: 1, maxLength: 4 })
  .chain((columns) =>
    fc.record({
      name: fc.constantFrom('tool_failure', 'a-b'),
      columns: fc.constant(columns),
      rows: fc.array(fc.tuple(...columns.map(() => cell)), { minLength: 1, maxLength: 5 }),
    }),
  );

describe('toonTable', () => {
  it('writes what the encoder writes', () => {
    fc.assert(
      fc.property(tables, (table) => {
        const records = table.rows.map((cells) =>
          Object.fromEntries(cells.map((value, place) => [table.columns[place], value])),
        );
        expect(recordOf(table)).toEqual({ [table.name]: records });
        expect(toonTable(table)).toBe(encode({ [table.name]: records }));
      }),
      { numRuns: 2_000 },
    );
  });
});

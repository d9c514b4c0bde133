import { encode } from '@toon-format/toon';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toonTable } from './toon-table.ts';

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
const rows = fc
  .uniqueArray(fc.constantFrom('tool', 'error', 'times', 'max_turns', 'a b', '1st'), { minLength: 1, maxLength: 4 })
  .chain((columns) =>
    fc.array(fc.record(Object.fromEntries(columns.map((column) => [column, cell]))), { minLength: 1, maxLength: 5 }),
  );

describe('toonTable', () => {
  it('writes what the encoder writes', () => {
    fc.assert(
      fc.property(fc.constantFrom('tool_failure', 'a-b'), rows, (name, table) => {
        expect(toonTable(name, table)).toBe(encode({ [name]: table }));
      }),
      { numRuns: 2_000 },
    );
  });

  it('leaves rows that differ in their columns to it', () => {
    const table = [{ tool: 'a', times: 2 }, { tool: 'b' }, { tool: 'c', error: 'x' }];

    expect(toonTable('failures', table)).toBe(encode({ failures: table }));
  });
});

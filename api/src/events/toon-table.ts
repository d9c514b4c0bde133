import { encode } from '@toon-format/toon';
import type { Json } from '../agent/json.ts';
import type { JsonRecord } from './event.ts';

/** Rows of cells, one for each column. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Json[])[];
}

/**
 * The table as TOON. What holds only whole numbers and plain words, as most notices do, is written here: the encoder
 * takes longer for that than a turn for everything else. It is asked about all other tables.
 */
export function toonTable(table: Table): string {
  return plainTable(table) ?? encode(recordOf(table));
}

/** The same as JSON would have it. */
export function recordOf({ name, columns, rows }: Table): Readonly<Record<string, readonly JsonRecord[]>> {
  return { [name]: rows.map((cells) => Object.fromEntries(columns.map((column, place) => [column, cells[place]]))) };
}

function plainTable({ name, columns, rows }: Table): string | undefined {
  const names = columns.join(',');
  if (!identifier.test(name) || !identifiers.test(names)) return undefined;
  let text = `${name}[${rows.length}]{${names}}:`;
  for (const cells of rows) {
    let before = '\n  ';
    for (const value of cells) {
      const cell = plainCell(value);
      if (cell === undefined) return undefined;
      text += before + cell;
      before = ',';
    }
  }
  return text;
}

const identifier = /^[A-Za-z_]\w*$/;
const identifiers = /^[A-Za-z_]\w*(?:,[A-Za-z_]\w*)*$/;
/** No sign that means something, no space at its ends, and nothing that reads as a number. */
const words = /^[A-Za-z][A-Za-z0-9_./]*(?: [A-Za-z0-9_./]+)*$/;

function plainCell(value: Json): string | undefined {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : undefined;
  if (typeof value !== 'string' || !words.test(value)) return undefined;
  return value === 'true' || value === 'false' || value === 'null' ? undefined : value;
}

import { encode } from '@toon-format/toon';
import type { Json } from '../agent/json.ts';
import type { JsonRecord } from './event.ts';

/**
 * Rows under a name, as TOON. What holds only whole numbers and plain words, as most notices do, is written here: the
 * encoder takes longer for that than a turn for everything else. It is asked about all other rows.
 */
export function toonTable(name: string, rows: readonly JsonRecord[]): string {
  return plainTable(name, rows) ?? encode({ [name]: rows });
}

function plainTable(name: string, rows: readonly JsonRecord[]): string | undefined {
  const columns = Object.keys(rows[0] ?? {});
  if (!identifier.test(name) || columns.length === 0 || !columns.every((column) => identifier.test(column)))
    return undefined;
  let text = `${name}[${rows.length}]{${columns.join(',')}}:`;
  for (const row of rows) {
    if (Object.keys(row).length !== columns.length) return undefined;
    let before = '\n  ';
    for (const column of columns) {
      const cell = plainCell(row[column]);
      if (cell === undefined) return undefined;
      text += before + cell;
      before = ',';
    }
  }
  return text;
}

const identifier = /^[A-Za-z_]\w*$/;
/** No sign that means something, no space at its ends, and nothing that reads as a number. */
const words = /^[A-Za-z][A-Za-z0-9_./]*(?: [A-Za-z0-9_./]+)*$/;

function plainCell(value: Json | undefined): string | undefined {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : undefined;
  if (typeof value !== 'string' || !words.test(value)) return undefined;
  return value === 'true' || value === 'false' || value === 'null' ? undefined : value;
}

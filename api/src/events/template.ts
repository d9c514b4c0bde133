import type { Json } from '../agent/json.ts';
import { grouped } from '../agent/words.ts';
import type { JsonRecord } from './event.ts';

const longestValue = 300;

/** Fills in `{part}` and `{times}`. A part that the payload lacks is left empty; no value is taken for a template. */
export function fillTemplate(template: string, payload: JsonRecord, times: number): string {
  const filled = template.replace(/\{(\w+)\}/g, (_whole, part: string) =>
    part === 'times' ? timesText(times) : valueText(Object.hasOwn(payload, part) ? payload[part] : undefined),
  );
  return times > 1 && !template.includes('{times}') ? `${filled} (${grouped(times)} times)` : filled;
}

/** One line of bounded length, whatever a tool wrote into it. */
export function valueText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return Number.isInteger(value) ? grouped(value) : String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const line = text
    .slice(0, longestValue * 2)
    .replace(/\s+/g, ' ')
    .trim();
  return (line.length <= longestValue ? line : `${line.slice(0, longestValue - 1)}…`).toWellFormed();
}

function timesText(times: number): string {
  return times > 1 ? `, ${grouped(times)} times` : '';
}

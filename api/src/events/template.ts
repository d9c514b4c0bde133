import type { Json } from '../agent/json.ts';
import { grouped } from '../agent/words.ts';
import type { JsonRecord } from './event.ts';

/** As long as a reminder or the words of a rule may be. */
const longestValue = 500;

/** Templates taken apart: texts and the names of parts, in turns. There are as many as subscribers. */
const takenApart = new Map<string, readonly string[]>();
const mostKept = 1_000;

/** Fills in `{part}` and `{times}`. A part that the payload lacks is left empty; no value is taken for a template. */
export function fillTemplate(template: string, payload: JsonRecord, times: number): string {
  const pieces = takenApart.get(template) ?? takeApart(template);
  let filled = '';
  let saysTimes = false;
  for (let place = 0; place < pieces.length; place += 1) {
    const piece = pieces[place] ?? '';
    if (place % 2 === 0) filled += piece;
    else if (piece === 'times') {
      filled += timesText(times);
      saysTimes = true;
    } else filled += valueText(partOf(payload, piece));
  }
  return times > 1 && !saysTimes ? `${filled} (${grouped(times)} times)` : filled;
}

/** What every object inherits is no part of a payload; none of that is a number. */
export function partOf(payload: JsonRecord, name: string): Json | undefined {
  const value = payload[name];
  return typeof value === 'number' || Object.hasOwn(payload, name) ? value : undefined;
}

function takeApart(template: string): readonly string[] {
  const pieces = template.split(/\{(\w+)\}/);
  if (takenApart.size >= mostKept) takenApart.clear();
  takenApart.set(template, pieces);
  return pieces;
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

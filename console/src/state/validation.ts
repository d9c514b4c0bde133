import { words } from '../words.ts';
import { formatNumber } from './number-format.ts';
import { highestAllowed, type SettingField, type SettingValue, type Standing } from './setting.ts';

const said = words.settings.invalid;

/** What a person put into a control: text as typed, a switch's position, or null for "no longer set". */
export type Entry = string | boolean | null;

export type Reading =
  | { readonly type: 'valid'; readonly value: SettingValue | null }
  | { readonly type: 'invalid'; readonly message: string };

/**
 * Turns an entry into a value, or says why it cannot be one. The sentences have the server's form, so that a person
 * reads the same words wherever a value is refused.
 */
export function readEntry(field: SettingField, standing: Standing, entry: Entry): Reading {
  if (entry === null) return { type: 'valid', value: null };
  if (typeof entry === 'boolean') return { type: 'valid', value: entry };
  const text = entry.trim();
  if (text === '' && field.optional) return { type: 'valid', value: null };
  return field.kind === 'WHOLE_NUMBER' ? readNumber(field, standing, text) : readText(field, text);
}

/** Spaces and commas between groups of three digits are how people write large numbers; nothing else is forgiven. */
const groupedNumber = /^[+-]?\d{1,3}(?:[, \u00a0\u202f]\d{3})+$/;

function readNumber(field: SettingField, standing: Standing, text: string): Reading {
  const value = Number(groupedNumber.test(text) ? text.replace(/[^\d+-]/g, '') : text);
  const numeric = text !== '' && Number.isFinite(value);
  const max = highestAllowed(field, standing);
  const fits = (field.min === null || value >= field.min) && (max === null || value <= max);
  if (numeric && Number.isInteger(value) && fits) return { type: 'valid', value };

  const noun = numeric && Number.isInteger(value) ? '' : said.wholeNumber;
  const ceiling = max === field.max ? '' : said.ceiling;
  const bounds = said.between(noun, bound(field.min), bound(max), ceiling);
  return invalid(field, bounds, numeric ? showNumber(value) : showText(text));
}

function readText(field: SettingField, text: string): Reading {
  const fits = text.length >= (field.min ?? 0) && text.length <= (field.max ?? Number.POSITIVE_INFINITY);
  if (fits && /^[\x21-\x7e]*$/.test(text)) return { type: 'valid', value: text };
  const bounds = said.characters(bound(field.min), bound(field.max));
  return invalid(field, bounds, showText(text));
}

function invalid(field: SettingField, bounds: string, sent: string): Reading {
  return { type: 'invalid', message: said.sentence(field.title, bounds, sent) };
}

function bound(value: number | null): string {
  return value === null ? said.any : formatNumber(value);
}

function showNumber(value: number): string {
  return Number.isInteger(value) ? formatNumber(value) : String(value);
}

function showText(text: string): string {
  if (text === '') return said.nothing;
  const quoted = JSON.stringify(text);
  return quoted.length > 60 ? `${quoted.slice(0, 57)}…` : quoted;
}

import { words } from '../words.ts';
import { formatNumber, withUnit } from './number-format.ts';
import { type SettingField, type SettingValue, type Standing, standingWith } from './setting.ts';
import type { Entry } from './validation.ts';

/** How values of settings read in running text. */

export function showValue(value: unknown, unit = ''): string {
  if (value === null || value === undefined) return words.settings.notSet;
  if (typeof value === 'number') return withUnit(value, unit);
  if (typeof value === 'boolean') return value ? words.settings.on : words.settings.off;
  return String(value);
}

/** A value set on this layer; for null what would be in force instead, and why. */
export function showOwn(field: SettingField, standing: Standing, own: SettingValue | null): string {
  if (own !== null) return showValue(own, field.unit);
  if (field.optional) return words.settings.none;
  const without = standingWith(standing, null);
  const name = words.settings.fallback[standing.fallbackLayer === 'ORGANISATION' ? 'ORGANISATION' : 'BUILT_IN'];
  return words.settings.fallbackValue(showValue(without.value, field.unit), name);
}

export function showEntry(field: SettingField, entry: Entry): string {
  if (entry === null || entry === '') return field.optional ? words.settings.none : words.settings.nothing;
  if (typeof entry === 'boolean') return showValue(entry);
  const number = Number(entry);
  return field.kind === 'WHOLE_NUMBER' && Number.isInteger(number) ? withUnit(number, field.unit) : entry;
}

/** "1–50 · default 15 · ceiling 20": the marks of the track, in words. */
export function limitsLine(field: SettingField, standing: Standing): string {
  const parts: string[] = [];
  if (field.kind === 'WHOLE_NUMBER' && field.min !== null && field.max !== null) {
    parts.push(`${formatNumber(field.min)}–${formatNumber(field.max)}`);
  }
  if (!field.optional) parts.push(words.settings.defaultPart(showValue(standing.fallback)));
  if (standing.ceiling !== null) parts.push(words.settings.ceilingPart(standing.ceiling));
  return parts.join(' · ');
}

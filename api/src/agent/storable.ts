import type { Json } from './json.ts';

/** PostgreSQL's JSON holds neither NUL nor half a surrogate pair. */
export function storableText(text: string): string {
  return text.isWellFormed() && !text.includes('\0') ? text : text.toWellFormed().replaceAll('\0', '');
}

/** The same for all texts of a value, keys included. */
export function storable(value: Json): Json {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [storableText(key), storable(entry ?? null)]));
}

/** Of what `JSON.stringify` has written. May say no of what only speaks of such characters. */
export function isStorableJson(text: string): boolean {
  return !/\\u(0000|d[89a-f])/i.test(text);
}

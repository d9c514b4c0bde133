import type { Json } from '../agent/json.ts';
import { grouped } from '../agent/words.ts';

/** Characters of JSON that a result may have. What is longer would fill the model's window, the log and the page. */
export const longestResult = 100_000;
const longestError = 2_000;

/** A tool's answer as plain JSON that every store can hold, cut when it is too long. Throws when it is no JSON at all. */
export function plainResult(value: unknown): Json {
  const text = JSON.stringify(value) ?? 'null';
  if (text.length > longestResult) return cut(value, text);
  return /\\u(0000|d[89a-f])/i.test(text) ? withoutUnstorable(JSON.parse(text)) : JSON.parse(text);
}

/** What the model and the person are told of something thrown: its message, never where in the code it happened. */
export function errorMessage(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message || thrown.name : typeof thrown === 'string' ? thrown : '';
  const text = storable(message.trim() === '' ? 'It failed without saying why.' : message);
  return text.length <= longestError ? text : `${text.slice(0, longestError - 1)}…`.toWellFormed();
}

function cut(value: unknown, text: string): Json {
  const note = `Cut: the result has ${grouped(text.length)} characters, and only the first ${grouped(longestResult)} are shown.`;
  if (typeof value === 'string') return `${storable(value.slice(0, longestResult))}\n[${note}]`;
  return { note, beginning: storable(text.slice(0, longestResult)) };
}

/** PostgreSQL's JSON holds neither NUL nor half a surrogate pair. */
function withoutUnstorable(value: Json): Json {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map(withoutUnstorable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [storable(key), withoutUnstorable(entry ?? null)]),
  );
}

function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

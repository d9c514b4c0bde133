import type { Json } from '../agent/json.ts';
import { isStorableJson, storable, storableText } from '../agent/storable.ts';
import { grouped } from '../agent/words.ts';

/** Characters of JSON that a result may have. What is longer would fill the model's window, the log and the page. */
export const longestResult = 100_000;
const longestError = 2_000;

/** No character takes more than this in JSON. */
const longestEscape = 6;

/** Results are written once, however many want to see them as text. */
const written = new WeakMap<object, string>();

/** What a model reads of a result. */
export function resultText(result: Json): string {
  if (typeof result === 'string') return result;
  if (typeof result !== 'object' || result === null) return JSON.stringify(result);
  const known = written.get(result);
  if (known !== undefined) return known;
  const text = JSON.stringify(result);
  written.set(result, text);
  return text;
}

/** A tool's answer as plain JSON that every store can hold, cut when it is too long. Throws when it is no JSON at all. */
export function plainResult(value: unknown): Json {
  if (typeof value === 'string' && value.length * longestEscape < longestResult) return storableText(value);
  const text = JSON.stringify(value) ?? 'null';
  if (text.length > longestResult) return cut(value, text);
  if (!isStorableJson(text)) return storable(JSON.parse(text));
  const result: Json = JSON.parse(text);
  if (typeof result === 'object' && result !== null) written.set(result, text);
  return result;
}

/** What the model and the person are told of something thrown: its message, never where in the code it happened. */
export function errorMessage(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message || thrown.name : typeof thrown === 'string' ? thrown : '';
  const text = storableText(message.trim() === '' ? 'It failed without saying why.' : message);
  return text.length <= longestError ? text : `${text.slice(0, longestError - 1)}…`.toWellFormed();
}

function cut(value: unknown, text: string): Json {
  const note = `Cut: the result has ${grouped(text.length)} characters, and only the first ${grouped(longestResult)} are shown.`;
  if (typeof value === 'string') return `${storableText(value.slice(0, longestResult))}\n[${note}]`;
  return { note, beginning: storableText(text.slice(0, longestResult)) };
}

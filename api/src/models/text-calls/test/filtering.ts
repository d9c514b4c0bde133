import type { KnownTools, Segment, TextCall } from '../text-call.ts';
import { TextCalls } from '../text-calls.ts';

const text = { type: 'string' } as const;

export const tools: KnownTools = new Map([
  ['vault_search', { type: 'object', properties: { query: text, limit: { type: 'integer' } } }],
  ['vault_read', { type: 'object', properties: { path: text } }],
  ['vault_list', { type: 'object', properties: { folder: text } }],
  ['vault_write', { type: 'object', properties: { path: text, body: text } }],
]);

export interface Filtered {
  /** What the reader sees. */
  readonly text: string;
  readonly calls: readonly TextCall[];
  /** The arguments of each call, as they would be read. */
  readonly inputs: readonly unknown[];
  readonly segments: readonly Segment[];
}

/** Sends pieces through the filter, one after the other; those that may pass it at a glance do, unless said otherwise. */
export function filter(
  pieces: string | readonly string[],
  known: KnownTools = tools,
  { closely = false } = {},
): Filtered {
  const calls = new TextCalls(known);
  const segments: Segment[] = [];
  for (const piece of [pieces].flat()) {
    if (closely || !calls.passWhole(piece)) calls.push(piece, segments);
    else segments.push({ type: 'text', text: piece });
  }
  calls.end(segments);
  const found = segments.flatMap((segment) => (segment.type === 'call' ? [segment.call] : []));
  return {
    text: segments.map((segment) => (segment.type === 'text' ? segment.text : '')).join(''),
    calls: found,
    inputs: found.map(({ name, input, problem }) => [name, problem ?? readable(input)]),
    segments,
  };
}

/** What the reader sees of a first piece before anything else came. */
export function shownAtOnce(piece: string): string {
  const segments: Segment[] = [];
  new TextCalls(tools).push(piece, segments);
  return segments.map((segment) => (segment.type === 'text' ? segment.text : '')).join('');
}

/** The text cut at these places, which may be anywhere and in any order. */
export function cutAt(whole: string, places: readonly number[]): readonly string[] {
  const sorted = [0, ...places.map((place) => place % (whole.length + 1)).toSorted((a, b) => a - b), whole.length];
  return sorted.slice(1).map((end, index) => whole.slice(sorted[index], end));
}

function readable(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

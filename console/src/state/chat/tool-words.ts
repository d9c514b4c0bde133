import type { JsonValue, ToolCard } from '@oracle-agent/sdk';
import { words } from '../../words.ts';

/** The first thing that tells one call from another: the query, the path. */
export function briefArguments(value: JsonValue): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return oneLine(value);
  const entries = Object.entries(value).filter(([, one]) => one !== '' && one !== null);
  const [first] = entries;
  if (!first) return '';
  return typeof first[1] === 'string'
    ? oneLine(first[1])
    : entries.map(([name, one]) => `${name}: ${oneLine(one)}`).join(', ');
}

/** How many there are, where a result is a list or holds one. */
export function briefResult({ result, status }: ToolCard): string {
  if (status !== 'OK' || result === null) return '';
  if (Array.isArray(result)) return words.tools.results(result.length);
  if (typeof result !== 'object') return '';
  const lists = Object.values(result).filter((value) => Array.isArray(value));
  const [only] = lists;
  return lists.length === 1 && only ? words.tools.results(only.length) : '';
}

export function durationText(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1_000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;
}

export function wholeText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return value === null ? words.tools.none : JSON.stringify(value, null, 2);
}

function oneLine(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.slice(0, 200).replace(/\s+/g, ' ');
}

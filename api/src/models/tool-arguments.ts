import type { Json } from '../agent/json.ts';
import { grouped } from '../agent/words.ts';
import { wellFormed } from './well-formed-text.ts';

/** Characters of JSON that a call's arguments may have. */
export const longestArguments = 1_000_000;
const deepestArguments = 100;
/** What is kept of arguments that are too long to be used. */
const excerpt = 500;

export interface ReadArguments {
  readonly argumentsText: string;
  readonly arguments?: Json;
  readonly problem?: string;
}

/** Reads what a model wrote as arguments. Nothing at all and null both mean that there are none. */
export function readArguments(written: string): ReadArguments {
  if (written.length > longestArguments) {
    return unusable(
      `${wellFormed(written.slice(0, excerpt))}…`,
      `The arguments are too long: at most ${grouped(longestArguments)} characters are taken.`,
    );
  }
  const argumentsText = wellFormed(written);
  const text = withStorableEscapes(argumentsText).trim();
  if (text === '' || text === 'null') return { argumentsText, arguments: {} };
  try {
    const value: Json = JSON.parse(text);
    if (isTooDeep(text, value)) {
      return unusable(argumentsText, `The arguments are nested more than ${deepestArguments} levels deep.`);
    }
    return { argumentsText, arguments: value };
  } catch {
    return unusable(argumentsText, 'The arguments are not valid JSON. Send one JSON object.');
  }
}

/** For a call that is known to be unusable, and why. */
export function refusedArguments(written: string, problem: string): ReadArguments {
  const text = written.length > longestArguments ? `${written.slice(0, excerpt)}…` : written;
  return unusable(wellFormed(text), problem);
}

function unusable(argumentsText: string, problem: string): ReadArguments {
  return { argumentsText, problem };
}

const unstorableEscape = /\\u(?:0000|d[89a-f])/i;
const anyEscape = /\\u(d[89ab]..)\\u(d[c-f]..)|\\(?:u(....)|.)/gis;

/** NUL and half surrogate pairs also come as escapes. Handled in the text: values may be too deep to walk. */
function withStorableEscapes(json: string): string {
  if (!unstorableEscape.test(json)) return json;
  return json.replace(anyEscape, (whole, _first, second: string | undefined, unit: string | undefined) => {
    if (second !== undefined || unit === undefined) return whole;
    if (unit === '0000') return '';
    return /^d[89a-f]/i.test(unit) ? '\\ufffd' : whole;
  });
}

/** Counting brackets answers for all but the strangest arguments. */
function isTooDeep(text: string, value: Json): boolean {
  let opened = 0;
  for (const character of text) if (character === '[' || character === '{') opened++;
  return opened > deepestArguments && isDeeperThan(deepestArguments, value);
}

function isDeeperThan(limit: number, value: Json): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= limit; depth++) {
    level = level.flatMap((entry) => (typeof entry === 'object' && entry !== null ? Object.values(entry) : []));
    if (level.length === 0) return false;
  }
  return true;
}

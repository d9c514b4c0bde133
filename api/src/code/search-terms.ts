import { wordsOf } from './code-words.ts';

const mostTerms = 12;
const longestQuery = 500;

/** Words that say nothing about code when there are others beside them. */
const empty = new Set(
  'a an and are as at be by can code defined do does find for from how in is it its of on or our that the there this to used was we what when where which who why with'.split(
    ' ',
  ),
);

/** One word of a question: an identifier or a plain word, either of which may be the beginning of a longer one. */
export interface Term {
  readonly words: readonly string[];
  /** As PostgreSQL reads it. */
  readonly tsquery: string;
}

export interface Asked {
  readonly terms: readonly Term[];
  /** The question as it would stand in a line, when that says more than its words do. */
  readonly phrase: string | undefined;
  /** Only lines with the phrase will do. */
  readonly exact: boolean;
}

export function readQuery(query: string): Asked {
  const text = query.toWellFormed().replaceAll('\0', '').replaceAll(/\s+/g, ' ').trim().slice(0, longestQuery);
  const quoted = /^"(.+)"$/.exec(text)?.[1];
  const phrase = quoted ?? text;
  const identifiers = [...new Set(phrase.match(/[\p{L}\p{N}_$]+/gu) ?? [])];
  const telling = identifiers.filter((word) => !empty.has(word.toLowerCase()));
  const chosen = telling.length > 0 ? telling : identifiers;
  const terms = chosen.slice(0, mostTerms).flatMap(termOf);
  const says = quoted !== undefined || identifiers.length > 1 || /[^\p{L}\p{N}]/u.test(phrase);
  return { terms, phrase: says && phrase !== '' ? phrase : undefined, exact: quoted !== undefined };
}

/** How well a line's words answer a term: 1 for the word itself, less for one that begins so or for its parts apart. */
export function likeness(words: readonly string[], { words: [whole = '', ...parts] }: Term): number {
  if (words.includes(whole)) return 1;
  const begins = (wanted: string) => words.some((word) => word.startsWith(wanted));
  if (begins(whole)) return 0.8;
  return parts.length > 0 && parts.every(begins) ? 0.6 : 0;
}

function termOf(identifier: string): readonly Term[] {
  const words = wordsOf(identifier);
  const [whole, ...parts] = words;
  if (whole === undefined) return [];
  const begins = (word: string) => `'${word}':*`;
  const tsquery = parts.length === 0 ? begins(whole) : `(${begins(whole)} | (${parts.map(begins).join(' & ')}))`;
  return [{ words, tsquery }];
}

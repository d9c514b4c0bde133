/** More words than this tell nothing more. */
const mostWords = 16;
const longestQuery = 1_000;

/** A question in words, or a query that means what it says. */
export interface Asked {
  readonly text: string;
  /** None when quotes or a minus ask for exactly what they say. */
  readonly words: readonly AskedWord[];
}

/** The last word may be unfinished: its beginning counts as well. */
export interface AskedWord {
  readonly word: string;
  readonly begins: boolean;
}

export function asked(query: string): Asked {
  const text = query.toWellFormed().normalize('NFC').replaceAll('\0', ' ').slice(0, longestQuery).toWellFormed();
  return { text, words: /"|(^|\s)-\S/.test(text) ? [] : wordsOf(text) };
}

function wordsOf(text: string): readonly AskedWord[] {
  const words = (text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*/gu) ?? []).slice(0, mostWords);
  const last = words.at(-1) ?? '';
  const begins = text.endsWith(last) && /^[\p{L}\p{M}\p{N}]{2,}$/u.test(last);
  return [...new Set(words)].map((word) => ({ word, begins: begins && word === last }));
}

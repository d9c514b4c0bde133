const longestWord = 60;
/** Of one word in one piece of text: enough to tell once from often. */
const mostPlaces = 8;
const lastPlace = 16_383;
/** PostgreSQL refuses a search vector of more than a megabyte; only data and minified code come near. */
const mostWords = 8_000;

/**
 * The words of code, in order: whole identifiers, and the parts that they are made of. `parseHTTPReply2` is found by its
 * whole name and by parse, http, reply and 2, all in lower case.
 */
export function wordsOf(text: string): readonly string[] {
  return (text.match(/[\p{L}\p{N}_$]+/gu) ?? []).flatMap((identifier) => {
    const parts = partsOf(identifier);
    const whole = identifier.replaceAll(/[_$]/g, '').toLowerCase();
    return (parts.length > 1 ? [whole, ...parts] : parts).map((word) => word.slice(0, longestWord));
  });
}

function partsOf(identifier: string): readonly string[] {
  return (identifier.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lt}\p{Lm}]+|\p{Lu}|\p{N}+/gu) ?? []).map((part) =>
    part.toLowerCase(),
  );
}

/** What weighs how much in a search: the names that are defined here, those of the path, everything else. */
export interface WeighedWords {
  readonly defined: readonly string[];
  readonly path: readonly string[];
  readonly text: readonly string[];
}

/**
 * As PostgreSQL reads a search vector. The project stands among the words, so that one look into the index answers both
 * which words and whose.
 */
export function searchVector(projectId: string, { defined, path, text }: WeighedWords): string {
  const places = new Map<string, string[]>();
  let place = 0;
  const add = (words: readonly string[], weight: string) => {
    for (const word of words) {
      const known = places.get(word) ?? [];
      if (known.length === 0 && places.size >= mostWords) continue;
      if (known.length < mostPlaces) known.push(`${Math.min(++place, lastPlace)}${weight}`);
      places.set(word, known);
    }
  };
  add(defined, 'A');
  add(path, 'B');
  add(text, '');
  return [...places]
    .map(([word, at]) => `'${word}':${at.join()}`)
    .concat(`'${projectWord(projectId)}'`)
    .join(' ');
}

export function projectWord(projectId: string): string {
  return `=${projectId.toLowerCase()}`;
}

/** Characters for private use, which the text that is marked does not have. */
export const startMark = '\ue000';
export const endMark = '\ue001';

const longestSnippet = 500;

/** A part of a snippet that matches, from `start` to before `end`, counted as JavaScript counts characters. */
export interface Highlight {
  readonly start: number;
  readonly end: number;
}

export interface Snippet {
  /** Plain text of at most 500 characters, on one line. */
  readonly text: string;
  readonly highlights: readonly Highlight[];
}

/** A passage on one line, and where in it the words are that the same passage, marked, has between marks. */
export function snippetOf(passage: string, marked: string): Snippet {
  const matching = matchesIn(passage, marked);
  let text = '';
  const highlights: { start: number; end: number }[] = [];
  for (const { piece, start } of pieces(passage)) {
    if (text !== '') text += ' ';
    const offset = text.length - start;
    const end = start + piece.length;
    for (const match of matching.filter((one) => one.start < end && one.end > start))
      highlights.push({ start: Math.max(match.start, start) + offset, end: Math.min(match.end, end) + offset });
    text += piece;
  }
  return cut(text, highlights);
}

function* pieces(passage: string) {
  for (const match of passage.matchAll(/\S+/g)) yield { piece: match[0], start: match.index };
}

/** None when the two are not the same text. */
function matchesIn(passage: string, marked: string): readonly Highlight[] {
  const found: Highlight[] = [];
  let at = 0;
  let start = 0;
  for (const part of marked.split(/([\ue000\ue001])/)) {
    if (part === startMark) start = at;
    else if (part === endMark) found.push({ start, end: at });
    else at += part.length;
  }
  return at === passage.length ? found : [];
}

function cut(text: string, highlights: readonly Highlight[]): Snippet {
  if (text.length <= longestSnippet) return { text, highlights };
  const kept = text.slice(0, longestSnippet - 1).replace(/ \S*$/, '');
  return {
    text: `${kept}…`.toWellFormed(),
    highlights: highlights.filter(({ end }) => end <= kept.length),
  };
}

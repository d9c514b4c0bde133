import type { Source } from './run-view.ts';

export interface Footnote {
  readonly number: number;
  readonly source: Source;
}

/** A line at the end of an answer that says what a number stands for: "[2] Title (path)". */
const definition = /^\[(\d{1,3})\][:\s]+(.+)$/gm;

/**
 * Sources with the numbers that the answer gives them. Where it lists what its numbers mean, that counts; otherwise they
 * are numbered as they came.
 */
export function footnotesOf(answer: string, sources: readonly Source[]): readonly Footnote[] {
  const taken = new Map<number, Source>();
  for (const [, number, text] of answer.matchAll(definition)) {
    const source = longestMatch(sources, text ?? '');
    if (source && ![...taken.values()].includes(source)) taken.set(Number(number), source);
  }
  let next = 1;
  for (const source of sources) {
    if ([...taken.values()].includes(source)) continue;
    while (taken.has(next)) next += 1;
    taken.set(next, source);
  }
  return [...taken].map(([number, source]) => ({ number, source })).sort((a, b) => a.number - b.number);
}

/** "notes/a.md" must not win over "more/notes/a.md" only because it came first. */
function longestMatch(sources: readonly Source[], text: string): Source | undefined {
  return sources.filter(({ path }) => text.includes(path)).sort((a, b) => b.path.length - a.path.length)[0];
}

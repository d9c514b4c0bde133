import type { Source } from './run-view.ts';

/** As much of a source as its number needs. */
type Named = Pick<Source, 'kind' | 'path' | 'line'>;

export interface Footnote<One extends Named = Source> {
  readonly number: number;
  readonly source: One;
}

/** A line at the end of an answer that says what a number stands for: "[2] Title (path)", as an item of a list or not. */
const definition = /^(?:[-*] )?\[(\d{1,3})\][:\s]+(.+)$/gm;

/**
 * Sources with the numbers that the answer gives them. Where it lists what its numbers mean, that counts; otherwise they
 * are numbered as they came, each place once.
 */
export function footnotesOf<One extends Named>(answer: string, sources: readonly One[]): readonly Footnote<One>[] {
  const taken = new Map<number, One>();
  for (const [, number, text] of answer.matchAll(definition)) {
    const source = bestMatch(sources, text ?? '');
    if (source && ![...taken.values()].includes(source)) taken.set(Number(number), source);
  }
  let next = 1;
  for (const source of sources) {
    if ([...taken.values()].some((one) => one.kind === source.kind && one.path === source.path)) continue;
    while (taken.has(next)) next += 1;
    taken.set(next, source);
  }
  return [...taken].map(([number, source]) => ({ number, source })).sort((a, b) => a.number - b.number);
}

/** Numbers in brackets, wherever they stand. */
const mark = /\[(\d{1,3})\]/g;

/** What the answer refers to, apart from what was found besides. An answer without any reference refers to all. */
export function parted<One extends Named>(
  answer: string,
  footnotes: readonly Footnote<One>[],
): { readonly cited: readonly Footnote<One>[]; readonly besides: readonly Footnote<One>[] } {
  const numbers = new Set([...answer.matchAll(mark)].map(([, number]) => Number(number)));
  const cited = footnotes.filter(({ number }) => numbers.has(number));
  if (cited.length === 0) return { cited: footnotes, besides: [] };
  return { cited, besides: footnotes.filter(({ number }) => !numbers.has(number)) };
}

const heading = /^(?:#{1,6} )?[*_]*Sources:?[*_]*:?\s*$/;
/** A longer end of an answer is no list of sources, and need not be looked through with every word that arrives. */
const longestList = 20_000;

/**
 * The answer without the list of sources that it ends with, for where they are shown anyway. A list that names anything
 * else stays: nothing that only the answer says may be lost.
 */
export function withoutSources(answer: string, sources: readonly Named[], growing: boolean): string {
  const start = answer.lastIndexOf('\n', answer.lastIndexOf('Sources')) + 1;
  if (start === 0 || answer.length - start > longestList) return answer;
  const [first = '', ...rest] = answer.slice(start).split('\n');
  const lines = rest.filter((line) => line.trim() !== '');
  if (!heading.test(first) || (lines.length === 0 && !growing)) return answer;
  // The last line may still be on its way.
  const complete = growing ? lines.slice(0, -1) : lines;
  const known = (line: string) => [...line.matchAll(definition)].some(([, , text]) => bestMatch(sources, text ?? ''));
  return complete.every(known) ? answer.slice(0, start).trimEnd() : answer;
}

/**
 * "notes/a.md" must not win over "more/notes/a.md" only because it came first, nor line 4 of a file over line 12 that is
 * meant.
 */
function bestMatch<One extends Named>(sources: readonly One[], text: string): One | undefined {
  const named = sources.filter(({ path }) => text.includes(path));
  const longest = Math.max(...named.map(({ path }) => path.length));
  const [first, ...others] = named.filter(({ path }) => path.length === longest);
  return [first, ...others].find((source) => source && namesLine(source, text)) ?? first;
}

function namesLine({ path, line }: Named, text: string): boolean {
  const behind = text.slice(text.indexOf(path) + path.length);
  return line !== null && [...behind.matchAll(/\d+/g)].some(([number]) => Number(number) === line);
}

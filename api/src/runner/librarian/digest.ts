import type { ResultShape } from '../../agent/delegation.ts';
import type { Json } from '../../agent/json.ts';
import type { Source } from '../../tools/tool.ts';
import { beginning } from './material.ts';

/** A long result on its way to the model. */
export interface LongResult {
  /** What there is too much of, such as "12 hits of vault_search". */
  readonly origin: string;
  readonly result: Json;
  /** The result as the model would get it. */
  readonly text: string;
  readonly sources: readonly Source[];
  readonly shape: ResultShape | undefined;
}

/** So many sources are named; the rest is counted. */
const mostNamed = 30;
/** A result that is not summarised is cut to this many tokens, or fewer where little is left. */
const longestShortened = 4_000;
const shortestShortened = 300;

/** What the model gets in place of a long result: the summary, where it comes from, and how to get at the whole. */
export function digestOf({ origin, sources, shape }: LongResult, summary: string): Json {
  return {
    summary,
    note: `The Librarian summarised ${origin}. ${howToSeeMore(shape)}`,
    ...named(sources, shape),
  };
}

/** What the model gets when nobody could summarise: as much of the result as there is room for, and why. */
export function shortenedResult(
  { result, text, origin, sources, shape }: LongResult,
  why: string,
  room: number,
  estimate: (text: string) => number,
): Json {
  const most = Math.min(longestShortened, Math.max(shortestShortened, Math.floor(room / 3)));
  const whole = estimate(text) <= most;
  const note = `${why} ${whole ? 'This is' : 'This is only the beginning of'} what was found: ${origin}. ${howToSeeMore(shape)}`;
  if (whole && typeof result === 'object' && result !== null && !Array.isArray(result))
    return { ...result, librarian: note };
  return { note, ...(whole ? { result } : { beginning: beginning(text, most, estimate) }), ...named(sources, shape) };
}

function howToSeeMore(shape: ResultShape | undefined): string {
  switch (shape?.kind) {
    case 'hits':
      return 'To see more, read one of the sources by its path, or search more narrowly.';
    case 'files':
      return 'To see more, read one of the sources by its path, list a subfolder, or search.';
    default:
      return 'To see more, ask for a smaller part of it.';
  }
}

function named(sources: readonly Source[], shape: ResultShape | undefined) {
  const listed = shape?.kind === 'files' ? shape.paths.map((path) => ({ path })) : [];
  const cited = sources.map(({ path, title }) => (title === undefined ? { path } : { path, title }));
  const all = [...new Map([...listed, ...cited].map((source) => [source.path, source])).values()];
  if (all.length === 0) return {};
  const more = all.length - mostNamed;
  return { sources: all.slice(0, mostNamed), ...(more > 0 ? { furtherSources: more } : {}) };
}

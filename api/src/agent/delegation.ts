import { counted, grouped } from './words.ts';

/** What a tool says its result consists of. One that says nothing is judged by size alone. */
export type ResultShape =
  | { readonly kind: 'hits'; readonly scores: readonly number[] }
  | { readonly kind: 'files'; readonly paths: readonly string[] }
  | { readonly kind: 'entries'; readonly count: number }
  /** It was made short already, and is not to be summarised again. */
  | { readonly kind: 'summary' };

export interface MeasuredResult {
  /** Estimated size, as the model would get it. */
  readonly tokens: number;
  readonly shape?: ResultShape | undefined;
}

/** What is more than this is summarised before the model gets it. */
export const delegationLimits = { tokens: 4_000, similarHits: 6, scoreSpread: 0.1, files: 10, entries: 20 } as const;

/** Scores are rounded; what lies exactly on the limit counts as within it. */
const rounding = 1e-9;

/** What there is too much of, in words, when a result should go to the Librarian first. Pure. */
export function shouldDelegate({ tokens, shape }: MeasuredResult): string | undefined {
  switch (shape?.kind) {
    case 'summary':
      return undefined;
    case 'hits':
      if (areSimilar(shape.scores)) return counted(shape.scores.length, 'hit');
      break;
    case 'files':
      if (shape.paths.length > delegationLimits.files) return counted(shape.paths.length, 'file');
      break;
    case 'entries':
      if (shape.count > delegationLimits.entries)
        return shape.count === 1 ? '1 entry' : `${grouped(shape.count)} entries`;
      break;
  }
  return tokens > delegationLimits.tokens ? counted(tokens, 'token') : undefined;
}

/** More than six hits that lie so close together that their order says little about which of them matter. */
function areSimilar(scores: readonly number[]): boolean {
  const { similarHits, scoreSpread } = delegationLimits;
  const sorted = scores.toSorted((one, other) => one - other);
  return sorted.some((score, index) => {
    const far = sorted[index + similarHits];
    return far !== undefined && far - score <= scoreSpread + rounding;
  });
}

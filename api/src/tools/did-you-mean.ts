/** A guess for a name that does not exist, or else what to try. */
export function didYouMean(nearest: readonly string[], otherwise: string): string {
  return nearest.length === 0 ? otherwise : `Did you mean ${nearest.join(' or ')}?`;
}

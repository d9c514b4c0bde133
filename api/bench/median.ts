export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * By how much the second of each pair is larger, as a factor: the mean of the middle three fifths, so that neither a
 * moment at which the machine did something else counts nor what the machine differs by from one minute to the next.
 */
export function meanRatio(pairs: readonly (readonly [number, number])[]): number {
  const ratios = pairs.map(([one, other]) => Math.log(other / one)).sort((one, other) => one - other);
  const cut = Math.floor(ratios.length / 5);
  const middle = ratios.slice(cut, ratios.length - cut);
  return Math.exp(middle.reduce((sum, ratio) => sum + ratio, 0) / middle.length);
}

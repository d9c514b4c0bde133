export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Of all but the fourth that cost the most: what else the machine does only adds. */
export function leastMean(values: readonly number[]): number {
  const least = values.toSorted((one, other) => one - other).slice(0, Math.ceil(values.length * 0.75));
  return least.reduce((sum, value) => sum + value, 0) / least.length;
}

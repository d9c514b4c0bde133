/** A step that crosses the range in at most 200, and that people would count in: 1, 2, 5, 10, 20, 50… */
export function stepFor(min: number, max: number): number {
  const finest = (max - min) / 200;
  for (let magnitude = 1; ; magnitude *= 10) {
    for (const factor of [1, 2, 5]) {
      if (factor * magnitude >= finest) return factor * magnitude;
    }
  }
}

/** The next multiple of the step: 12 345 goes to 13 000, not to 13 345. */
export function nextStep(value: number, step: number, direction: 1 | -1): number {
  return direction === 1 ? (Math.floor(value / step) + 1) * step : (Math.ceil(value / step) - 1) * step;
}

/** The nearest multiple of the step; both ends can always be reached. */
export function snap(value: number, min: number, max: number): number {
  const step = stepFor(min, max);
  if (value - min < step / 2) return min;
  if (max - value < step / 2) return max;
  return Math.min(Math.max(Math.round(value / step) * step, min), max);
}

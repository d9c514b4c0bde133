/** How long the provider asks to wait: in milliseconds, in seconds, or until a date. Undefined when it does not say. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const milliseconds = Number(headers['retry-after-ms'] || Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const asked = headers['retry-after']?.trim();
  if (!asked) return undefined;
  const seconds = Number(asked);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(asked);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

export interface RetryPolicy {
  /** Attempts in all. */
  readonly tries: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** From 0 to 1: many runs that failed together should not come back together. */
  readonly random: () => number;
}

export const usualRetries: RetryPolicy = { tries: 4, firstDelayMs: 500, longestDelayMs: 8_000, random: Math.random };

/** Doubles from one failure to the next, give or take a quarter. What the provider asks for is the least. */
export function retryDelayMs(policy: RetryPolicy, failures: number, askedMs: number | undefined): number {
  const doubled = Math.min(policy.longestDelayMs, policy.firstDelayMs * 2 ** (failures - 1));
  const spread = doubled * (0.75 + policy.random() / 2);
  return askedMs === undefined ? spread : askedMs + policy.random() * policy.firstDelayMs * 0.2;
}

/** Tokens as providers report them: cached input is part of the input, reasoning is part of the output. */
export interface Usage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  /** True when any part of it was estimated because the provider did not say. */
  readonly estimated: boolean;
}

export const noUsage: Usage = Object.freeze({
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  estimated: false,
});

/** More than any model reads or writes at once. What a run adds up to still fits wherever it is stored and shown. */
export const mostTokens = 10_000_000;

/** Providers have been seen to send negative, missing and fractional counts; none of them may lower what was used. */
export function addUsage(sum: Usage, usage: Usage): Usage {
  return {
    inputTokens: sum.inputTokens + wholeTokens(usage.inputTokens),
    cachedInputTokens: sum.cachedInputTokens + wholeTokens(usage.cachedInputTokens),
    outputTokens: sum.outputTokens + wholeTokens(usage.outputTokens),
    reasoningTokens: sum.reasoningTokens + wholeTokens(usage.reasoningTokens),
    estimated: sum.estimated || usage.estimated,
  };
}

/** What counts against the budget. */
export function totalTokens(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens;
}

export function wholeTokens(count: number): number {
  return Number.isFinite(count) && count > 0 ? Math.min(Math.ceil(count), mostTokens) : 0;
}

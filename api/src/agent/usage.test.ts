import { describe, expect, it } from 'vitest';
import { addUsage, mostTokens, noUsage, totalTokens } from './usage.ts';

describe('Usage', () => {
  const call = { inputTokens: 100, cachedInputTokens: 60, outputTokens: 40, reasoningTokens: 30, estimated: false };

  it('keeps input, cached input, output and reasoning apart', () => {
    expect(addUsage(call, call)).toEqual({
      inputTokens: 200,
      cachedInputTokens: 120,
      outputTokens: 80,
      reasoningTokens: 60,
      estimated: false,
    });
  });

  it('counts input and output against the budget, which already include cached input and reasoning', () => {
    expect(totalTokens(call)).toBe(140);
  });

  it('stays an estimate once any part of it was estimated', () => {
    expect(addUsage(call, { ...noUsage, estimated: true }).estimated).toBe(true);
  });

  it('never sinks, whatever a provider reports', () => {
    const odd = { ...noUsage, inputTokens: -5, outputTokens: Number.NaN, reasoningTokens: 0.2 };

    expect(addUsage(call, odd)).toEqual({ ...call, reasoningTokens: 31 });
  });

  it('counts of one report no more than can be believed', () => {
    expect(addUsage(noUsage, { ...call, inputTokens: 3e9 }).inputTokens).toBe(mostTokens);
  });
});

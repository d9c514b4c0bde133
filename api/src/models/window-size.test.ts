import { describe, expect, it } from 'vitest';
import { windowSizeOf } from './window-size.ts';

describe('the size of a model’s window', () => {
  it.each([
    ['an exact id', 'openrouter/deepseek/deepseek-r1', 64_000],
    ['an id without its suffix', 'openrouter/deepseek/deepseek-r1:free', 64_000],
    ['a family', 'anthropic/claude-some-day', 200_000],
    ['anything else', 'openai/llama-of-my-own', 64_000],
    ['a simulated model', 'simulated/long', 64_000],
  ])('is found by %s', (_by, name, size) => {
    expect(windowSizeOf(name)).toBe(size);
  });
});

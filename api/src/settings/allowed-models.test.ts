import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkAllowedModels, isModelAllowed, readAllowedModels } from './allowed-models.ts';

describe('allowed models', () => {
  it.each([
    [[], 'anything', true],
    [['offline'], 'offline', true],
    [['offline'], 'offline2', false],
    [['openrouter/*'], 'openrouter/vendor/model', true],
    [['openrouter/*'], 'openai/model', false],
    [['*/claude-*'], 'openrouter/claude-x', true],
    [['a*a'], 'a', false],
    [['a*b*c'], 'a-c-b', false],
    [['simulated.loop'], 'simulated/loop', false],
  ])('%j allows %s: %s', (allowed, model, expected) => {
    expect(isModelAllowed(allowed, model)).toBe(expected);
  });

  it('mean the same as a regular expression with `.*` for each `*`', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 8 });
    const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*'), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(patterns, text, (one, model) => {
        expect(isModelAllowed([one], model)).toBe(new RegExp(`^${one.replaceAll('*', '.*')}$`).test(model));
      }),
    );
  });

  it('are checked one by one, and read whatever is stored', () => {
    expect(checkAllowedModels(['offline', 'two words', ''])).toHaveLength(2);
    expect(checkAllowedModels(Array.from({ length: 101 }, (_, index) => `m${index}`))).toHaveLength(1);
    expect(readAllowedModels({ allowedModels: ['offline', 7, 'two words'] })).toEqual(['offline']);
    expect(readAllowedModels(null)).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { readPatterns, writePatterns } from './allowed-models.ts';

describe('the list of allowed models', () => {
  it('is read line by line, without blanks, empty lines and repetitions', () => {
    expect(readPatterns(' offline \n\nopenrouter/*, offline\n')).toEqual(['offline', 'openrouter/*']);
    expect(readPatterns(' \n ')).toEqual([]);
  });

  it('is written as it is read', () => {
    expect(readPatterns(writePatterns(['offline', 'openai/*']))).toEqual(['offline', 'openai/*']);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText } from './exact-text.ts';

const anyText = fc.string({ unit: fc.constantFrom('a', '\0', '\u0001', '\ud800', '\udc00', '🦉', '"', '\\', '\n') });

describe('exact text', () => {
  it('comes back as it was, through what PostgreSQL can hold', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const stored = encodeText(text);

        expect(stored.includes('\0')).toBe(false);
        expect(stored.isWellFormed()).toBe(true);
        expect(decodeText(stored)).toBe(text);
      }),
    );
  });

  it('is stored as it is when it can be', () => {
    expect(encodeText('Why is the sky "blue"? 🦉')).toBe('Why is the sky "blue"? 🦉');
  });
});

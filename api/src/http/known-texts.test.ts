import { describe, expect, it } from 'vitest';
import { KnownTexts } from './known-texts.ts';

describe('KnownTexts', () => {
  it('gives every text back as it is, however many and however long', () => {
    const known = new KnownTexts();
    const texts = Array.from({ length: 2_000 }, (_, index) => `query q${index} { me { id } }`);

    expect([...texts, ...texts].map((text) => known.textOf(text))).toEqual([...texts, ...texts]);
    expect(known.textOf('x'.repeat(100_000))).toHaveLength(100_000);
  });

  it('leaves what is no text to whoever checks it', () => {
    expect(new KnownTexts().textOf(7 as never)).toBe(7);
  });
});

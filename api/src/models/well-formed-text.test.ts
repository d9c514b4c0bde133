import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WellFormedText, wellFormed } from './well-formed-text.ts';

/** Text made of whatever models send: letters, pairs, halves, NUL. */
const anyText = fc
  .array(fc.constantFrom('a', 'é', '😊', '\ud83d', '\ude0a', '\0'), { maxLength: 12 })
  .map((parts) => parts.join(''));

describe('WellFormedText', () => {
  it('gives the same text wherever it was cut into deltas', () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.nat(12)), (text, cuts) => {
        const places = [0, ...cuts.filter((cut) => cut < text.length).sort((one, other) => one - other), text.length];
        const deltas = places.slice(1).map((place, index) => text.slice(places[index], place));
        const cleaner = new WellFormedText();
        const given = deltas.map((delta) => cleaner.push(delta));

        expect([...given, cleaner.end()].join('')).toBe(wellFormed(text));
        expect(given.every((delta) => delta.isWellFormed() && !delta.includes('\0'))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('passes ordinary text on untouched', () => {
    expect(new WellFormedText().push('Grüße 😊')).toBe('Grüße 😊');
  });
});

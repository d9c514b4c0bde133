import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { framesOf, frameTextOf, longestFramed } from './text-frames.ts';

/** Reads frames back by the letter of the standard. */
function read(bytes: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    expect(bytes[at]).toBe(0x81);
    const short = bytes[at + 1] ?? 0;
    const length = short === 126 ? bytes.readUInt16BE(at + 2) : short;
    const body = at + (short === 126 ? 4 : 2);
    expect(short === 126 ? length > 125 : short < 126).toBe(true); // the shortest form is required
    texts.push(bytes.toString('utf8', body, body + length));
    at = body + length;
  }
  return texts;
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.tuple(fc.constantFrom('x', 'é', '語', '😀'), fc.integer({ min: 0, max: 10_000 })).map(([c, n]) => c.repeat(n)),
);

/** Texts in which characters may be halved, anywhere and as often as can be. */
const halved = fc
  .array(fc.constantFrom('\ud83e', '\udd89', '🦉', 'x', 'é', 'x'.repeat(122)), { maxLength: 300 })
  .map((parts) => parts.join(''));

describe('texts as WebSocket frames', () => {
  it('hold every text, in order', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 40 }), (texts) => {
        expect(read(framesOf(texts))).toEqual(texts);
      }),
    );
  });

  it('hold the longest text there may be, and lengths around the step', () => {
    const texts = [124, 125, 126, 127].map((length) => 'x'.repeat(length));

    expect(read(framesOf(['語'.repeat(longestFramed), ...texts]))).toEqual(['語'.repeat(longestFramed), ...texts]);
  });

  it('are the same written as one text, where every character is one byte, and only there', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 40 }), (texts) => {
        const plain = texts.every((each) => /^[\0-\x7f]*$/.test(each));
        const frames = frameTextOf(texts);

        expect(frames !== undefined).toBe(plain);
        if (frames !== undefined) expect(Buffer.from(frames, 'latin1')).toEqual(framesOf(texts));
      }),
      { examples: [[[124, 125, 126, 127, 256, longestFramed].map((length) => 'x'.repeat(length))]] },
    );
  });

  it('hold a mark in place of half a character, since no frame of text may hold the half', () => {
    fc.assert(
      fc.property(fc.array(halved, { maxLength: 20 }), (texts) => {
        expect(read(framesOf(texts))).toEqual(texts.map((each) => each.toWellFormed()));
        if (texts.some((each) => !each.isWellFormed())) expect(frameTextOf(texts)).toBeUndefined();
      }),
      {
        examples: [
          [['\ud83e', '\udd89']], // one character in two texts stays two halves
          [[`${'x'.repeat(122)}\ud83e`, `${'x'.repeat(123)}\ud83e`]], // 125 bytes, and one more
          [['\ud83e'.repeat(longestFramed)]],
        ],
      },
    );
  });

  it('leave what was made before untouched', () => {
    const first = framesOf(['first']);
    framesOf(['second']);

    expect(read(first)).toEqual(['first']);
  });
});

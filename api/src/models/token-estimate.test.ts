import fc from 'fast-check';
import { estimateTokenCount } from 'tokenx';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from './token-estimate.ts';

const pieces = fc.constantFrom(
  ...['word', 'Word', 'uncommonly', 'x', '123456', '4', 'a1', "it's", ' ', '  ', '\n', '\n\n', '\n  ', '\r\n', '\t'],
  ...[
    '.',
    ',',
    '...',
    '("',
    '{"page":',
    '[[]]',
    '#######',
    '-',
    '_',
    'größer',
    'été',
    'żółw',
    'привет',
    'καλά',
    '😀',
    '👍🏽',
  ],
  ...[
    '日本',
    '。',
    '、',
    'カナ',
    '한국어',
    '　',
    '\u00a0',
    '\u2028',
    '\ufeff',
    'é',
    '\ud83d',
    '\u0000',
    '\u007f',
    '\u0080',
    'don’t',
    '–',
    '…',
    '“',
    '\u2011',
    '‼',
    'long and plain words '.repeat(12),
  ],
);

describe('estimateTokens', () => {
  it('estimates as tokenx does, whatever the text', () => {
    const anyText = fc.oneof(
      fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: 'grapheme-ascii', maxLength: 60 }),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        expect(estimateTokens(text)).toBe(estimateTokenCount(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['', 0],
    ['a word or two ', 4],
    ['{"page":12}', 5],
    ['one.\ntwo', 3],
    ['one\ntwo', 3],
    ['one\n\n  two', 3],
  ])('takes %j for %i tokens', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });
});

import { describe, expect, it } from 'vitest';
import { longestArguments, readArguments } from './tool-arguments.ts';

describe('readArguments', () => {
  it('takes out of escapes what no store can hold', () => {
    const written = String.raw`{"a":"x\u0000y","b":"\ud83d\ude0a","c":"\ud83d!","d":"\\u0000","e\u0000":"\uDE0A"}`;

    expect(readArguments(written).arguments).toEqual({
      a: 'xy',
      b: '😊',
      c: '\ufffd!',
      d: String.raw`\u0000`,
      e: '\ufffd',
    });
  });

  it('accepts what is just short enough and refuses what is not', () => {
    const filling = longestArguments - '{"a":""}'.length;

    expect(readArguments(`{"a":"${'x'.repeat(filling)}"}`).problem).toBeUndefined();
    expect(readArguments(`{"a":"${'x'.repeat(filling + 1)}"}`).problem).toContain('1,000,000');
  });

  it('refuses nesting that would break whoever walks it', () => {
    expect(readArguments(`${'['.repeat(200_000)}${']'.repeat(200_000)}`).problem).toContain('nested');
    expect(readArguments(`{"a":[${Array(500).fill('{}').join(',')}]}`).problem).toBeUndefined();
  });
});

import type { CallToolResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { readCallResult } from './call-result.ts';

const text = (words: string) => ({ type: 'text', text: words }) as const;

describe('the result of a call', () => {
  it.each<[string, CallToolResult, unknown]>([
    ['one text', { content: [text('fine')] }, 'fine'],
    ['several texts', { content: [text('one'), text('two')] }, ['one', 'two']],
    ['nothing', { content: [] }, []],
    [
      'structured, with the same as text',
      { content: [text('{"b":1,"a":2}')], structuredContent: { a: 2, b: 1 } },
      { a: 2, b: 1 },
    ],
    [
      'structured, with more as text',
      { content: [text('hot')], structuredContent: { a: 2 } },
      { structured: { a: 2 }, text: ['hot'] },
    ],
    [
      'a picture',
      { content: [{ type: 'image', mimeType: 'image/png', data: 'A'.repeat(4_000) }] },
      '[image, image/png, 3,000 bytes: not shown]',
    ],
    [
      'a resource as text',
      { content: [{ type: 'resource', resource: { uri: 'note://1', text: 'words' } }] },
      '[resource note://1]\nwords',
    ],
    [
      'a resource as bytes',
      { content: [{ type: 'resource', resource: { uri: 'note://1', blob: 'AAAA' } }] },
      '[resource note://1, binary, 3 bytes: not shown]',
    ],
  ])('that is %s', (_what, result, read) => {
    expect(readCallResult(result)).toEqual(read);
  });

  it('that is an error is thrown in its own words', () => {
    expect(() => readCallResult({ isError: true, content: [text('No such file.')] })).toThrow('No such file.');
    expect(() => readCallResult({ isError: true, content: [] })).toThrow('The tool failed without saying why.');
  });
});

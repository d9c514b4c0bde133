import { describe, expect, it } from 'vitest';
import { EventStream, longestLine } from './event-stream.ts';

function payloadsOf(...pieces: readonly string[]): readonly string[] {
  const events = new EventStream();
  const payloads: string[] = [];
  for (const piece of pieces) events.push(piece, payloads);
  events.end(payloads);
  return payloads;
}

describe('EventStream', () => {
  it.each([
    ['as the standard says', 'data: 1\n\ndata: 2\n\n'],
    ['with Windows line ends', 'data: 1\r\n\r\ndata: 2\r\n\r\n'],
    ['without a blank', 'data:1\n\ndata:2\n\n'],
    ['with blanks before it', ' data: 1\n\n  data: 2\n\n'],
    ['without an empty line between events', 'data: 1\ndata: 2\n'],
    ['without an end of line at the end', 'data: 1\n\ndata: 2'],
    ['with comments, names and ids', ': hello\n\nevent: x\nid: 7\ndata: 1\n\nretry: 5\ndata: 2\n\n'],
  ])('takes events written %s', (_how, text) => {
    expect(payloadsOf(text)).toEqual(['1', '2']);
  });

  it('joins a payload of several lines', () => {
    expect(payloadsOf('data: {"a":\ndata: 1}\n\n')).toEqual(['{"a":\n1}']);
  });

  it('notices keep-alives', () => {
    const events = new EventStream();
    events.push(': still here\n\n', []);

    expect(events.sawComment).toBe(true);
  });

  it('refuses a line that never ends', () => {
    const piece = 'x'.repeat(longestLine / 4);

    expect(() => payloadsOf(piece, piece, piece, piece, 'x')).toThrow(RangeError);
  });
});

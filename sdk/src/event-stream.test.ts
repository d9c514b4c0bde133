import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEvents, type ServerSentEvent } from './event-stream.ts';

function bodyOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

async function read(...pieces: readonly string[]): Promise<readonly ServerSentEvent[]> {
  const encoder = new TextEncoder();
  return Array.fromAsync(readEvents(bodyOf(pieces.map((piece) => encoder.encode(piece)))));
}

describe('server-sent events', () => {
  it('are read with their names; without one they are messages', async () => {
    expect(await read('event: next\ndata: {"a":1}\n\ndata:b\n\n')).toEqual([
      { event: 'next', data: '{"a":1}' },
      { event: 'message', data: 'b' },
    ]);
  });

  it('may have several lines, any line break, comments and fields that do not matter', async () => {
    expect(await read(':\n\n: ping\r\nid: 7\r\ndata: a\r\ndata: b\r\n\r\nevent: complete\r\r')).toEqual([
      { event: 'message', data: 'a\nb' },
      { event: 'complete', data: '' },
    ]);
  });

  it('are left out when they were cut off', async () => {
    expect(await read('data: whole\n\ndata: half')).toEqual([{ event: 'message', data: 'whole' }]);
  });

  it('are the same however their bytes are cut', async () => {
    const text =
      ': hi\r\n\r\nevent: next\r\ndata: {"text":"Grüße, 世界 🌍"}\r\n\r\nevent: next\ndata: 2\n\nevent: complete\n\n';
    const bytes = new TextEncoder().encode(text);
    const whole = await Array.fromAsync(readEvents(bodyOf([bytes])));
    expect(whole).toHaveLength(3);

    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: bytes.length })), async (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const pieces = places.slice(1).map((end, index) => bytes.slice(places[index], end));
        expect(await Array.fromAsync(readEvents(bodyOf(pieces)))).toEqual(whole);
      }),
    );
  });

  it('let the body go when the reader leaves', async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: x\n\n')),
      cancel() {
        cancelled = true;
      },
    });
    for await (const _ of readEvents(body)) break;

    expect(cancelled).toBe(true);
  });
});

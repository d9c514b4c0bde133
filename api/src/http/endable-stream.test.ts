import { describe, expect, it } from 'vitest';
import { EndableStream } from './endable-stream.ts';

/** A source that gives what it is told to, and remembers whether it was let go. */
function createSource() {
  const waiting: ((result: IteratorResult<string, undefined>) => void)[] = [];
  const source = {
    returned: 0,
    next: () => new Promise<IteratorResult<string, undefined>>((resolve) => void waiting.push(resolve)),
    return: async () => {
      source.returned += 1;
      return { done: true as const, value: undefined };
    },
    give: (value: string) => waiting.shift()?.({ done: false, value }),
    finish: () => waiting.shift()?.({ done: true, value: undefined }),
  };
  return source;
}

function open() {
  const source = createSource();
  const watching = { end: (_last: string): void => undefined, stopped: 0 };
  const stream = new EndableStream<string>(source, (end) => {
    watching.end = end;
    return () => {
      watching.stopped += 1;
    };
  });
  return { source, watching, stream };
}

const done = { done: true, value: undefined };

describe('a stream that can be ended', () => {
  it('passes everything on, and stops watching at its own end', async () => {
    const { source, watching, stream } = open();
    const results = [stream.next(), stream.next(), stream.next()];
    source.give('a');
    source.give('b');
    source.finish();

    expect(await Promise.all(results)).toEqual([{ done: false, value: 'a' }, { done: false, value: 'b' }, done]);
    expect(await stream.next()).toEqual(done);
    expect(watching.stopped).toBe(1);
  });

  it('ends with the last value while somebody waits, and lets the source go', async () => {
    const { source, watching, stream } = open();
    const results = [stream.next(), stream.next()];
    watching.end('over');
    source.give('too late');

    expect(await Promise.all(results)).toEqual([{ done: false, value: 'over' }, done]);
    expect([source.returned, watching.stopped]).toEqual([1, 1]);
  });

  it('keeps the last value for whoever comes next', async () => {
    const { source, watching, stream } = open();
    const first = stream.next();
    source.give('a');
    await first;
    watching.end('over');
    watching.end('again');

    expect([await stream.next(), await stream.next()]).toEqual([{ done: false, value: 'over' }, done]);
  });

  it('is let go of while it waits', async () => {
    const { source, watching, stream } = open();
    const waiting = stream.next();

    expect(await stream.return()).toEqual(done);
    expect(await waiting).toEqual(done);
    expect([source.returned, watching.stopped]).toEqual([1, 1]);
  });

  it('passes a failure on', async () => {
    const { watching, stream } = open();
    const failing = new EndableStream<string>(
      { next: () => Promise.reject(new Error('Broken.')) },
      () => () => undefined,
    );

    await expect(failing.next()).rejects.toThrow('Broken.');
    expect(await failing.next()).toEqual(done);
    expect([watching.stopped, stream[Symbol.asyncIterator]()]).toEqual([0, stream]);
  });
});

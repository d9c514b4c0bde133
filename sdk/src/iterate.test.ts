import { describe, expect, it } from 'vitest';
import { iterate, type Sink } from './iterate.ts';

function makeSource() {
  const source = { sink: undefined as Sink<object> | undefined, stops: 0 };
  const start = (sink: Sink<object>) => {
    source.sink = sink;
    return () => {
      source.stops += 1;
    };
  };
  return { source, start };
}

describe('iterate', () => {
  it('starts with the first step, not before', () => {
    const { source, start } = makeSource();

    iterate(start, new AbortController().signal);

    expect(source.sink).toBeUndefined();
  });

  it('delivers what arrived while the reader was busy, then ends', async () => {
    const { source, start } = makeSource();
    const items = iterate(start, new AbortController().signal);
    const first = items.next();
    source.sink?.next({ n: 1 });
    source.sink?.next({ n: 2 });
    source.sink?.complete();

    expect(await first).toEqual({ done: false, value: { n: 1 } });
    expect(await items.next()).toEqual({ done: false, value: { n: 2 } });
    expect((await items.next()).done).toBe(true);
    expect(source.stops).toBe(1);
  });

  it('throws a failure after what came before it', async () => {
    const { source, start } = makeSource();
    const items = iterate(start, new AbortController().signal);
    const first = items.next();
    source.sink?.next({ n: 1 });
    source.sink?.error(new Error('lost'));

    expect((await first).value).toEqual({ n: 1 });
    await expect(items.next()).rejects.toThrow('lost');
  });

  it('stops the source at once when aborted, even while the reader is busy', async () => {
    const { source, start } = makeSource();
    const controller = new AbortController();
    const items = iterate(start, controller.signal);
    const first = items.next();
    source.sink?.next({ n: 1 });
    source.sink?.next({ n: 2 });
    await first;

    controller.abort();

    expect(source.stops).toBeGreaterThan(0);
    expect((await items.next()).done).toBe(true);
  });
});

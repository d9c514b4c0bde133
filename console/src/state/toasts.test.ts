import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createToasts } from './toasts.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const texts = (toasts: ReturnType<typeof createToasts>) => toasts.shown().map(({ text }) => text);
const succeed = async () => undefined;

describe('toasts', () => {
  it('go by themselves, those with a way back later', () => {
    const toasts = createToasts();
    toasts.show({ text: 'plain' });
    toasts.show({ text: 'undoable', undo: succeed });

    vi.advanceTimersByTime(6_000);
    expect(texts(toasts)).toEqual(['undoable']);
    vi.advanceTimersByTime(5_000);
    expect(texts(toasts)).toEqual([]);
  });

  it('stay while any hand holds them, then count anew', () => {
    const toasts = createToasts();
    toasts.show({ text: 'held' });
    toasts.hold('pointer');
    toasts.hold('focus');
    toasts.show({ text: 'came while held' });

    vi.advanceTimersByTime(60_000);
    toasts.release('pointer');
    vi.advanceTimersByTime(60_000);
    expect(texts(toasts)).toEqual(['held', 'came while held']);
    toasts.release('focus');
    vi.advanceTimersByTime(5_000);
    expect(texts(toasts)).toEqual([]);
  });

  it('that tell of a failure stay until they are dismissed', () => {
    const toasts = createToasts();
    const id = toasts.show({ text: 'failed', tone: 'failure' });

    vi.advanceTimersByTime(600_000);
    expect(texts(toasts)).toEqual(['failed']);
    toasts.dismiss(id);
    expect(texts(toasts)).toEqual([]);
  });

  it('take back the newest that can be, once', async () => {
    const toasts = createToasts();
    const undone: string[] = [];
    const undo = (name: string) => async () => void undone.push(name);
    toasts.show({ text: 'first', undo: undo('first') });
    toasts.show({ text: 'second', undo: undo('second') });
    toasts.show({ text: 'without' });

    expect(toasts.undoNewest()).toBe(true);
    expect(toasts.undoNewest()).toBe(true);
    expect(toasts.undoNewest()).toBe(false);
    await vi.advanceTimersByTimeAsync(0);

    expect(undone).toEqual(['second', 'first']);
    expect(texts(toasts)).toEqual(['without', 'Undone.', 'Undone.']);
  });

  it('say why something could not be taken back', async () => {
    const toasts = createToasts();
    toasts.show({ text: 'deleted', undo: async () => 'The path is taken.' });
    toasts.show({ text: 'thrown', undo: () => Promise.reject(new Error('secret')) });

    toasts.undoNewest();
    toasts.undoNewest();
    await vi.advanceTimersByTimeAsync(60_000);

    expect(texts(toasts)).toEqual(['Not undone: Something went wrong.', 'Not undone: The path is taken.']);
  });

  it('are four at most; the oldest makes room', () => {
    const toasts = createToasts();
    for (const text of ['1', '2', '3', '4', '5']) toasts.show({ text });

    expect(texts(toasts)).toEqual(['2', '3', '4', '5']);
  });
});

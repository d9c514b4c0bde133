import { describe, expect, it } from 'vitest';
import { makeFrameQueue } from './frame-queue.ts';

/** Frames that come when the test says so, in which each piece of work takes the given time. */
function makeFrames(takes: number) {
  const frames: (() => void)[] = [];
  const drawn: string[] = [];
  let time = 0;
  const queue = makeFrameQueue(
    (work) => frames.push(work),
    () => time,
  );
  return {
    drawn,
    frames,
    add: (name: string) =>
      queue.add(() => {
        drawn.push(name);
        time += takes;
      }),
    next: () => frames.shift()?.(),
  };
}

describe('what can wait a frame', () => {
  it('is drawn with the next one, what came last first', () => {
    const { drawn, add, next, frames } = makeFrames(1);
    for (const name of ['first', 'second', 'third']) add(name);
    expect(drawn).toEqual([]);
    next();

    expect(drawn).toEqual(['third', 'second', 'first']);
    expect(frames).toEqual([]);
  });

  it('leaves most of each frame to the browser, however much there is', () => {
    const { drawn, add, next } = makeFrames(2);
    for (let count = 0; count < 10; count++) add(String(count));
    const drawnAfter = [1, 2, 3, 4].map(() => {
      next();
      return drawn.length;
    });

    expect(drawnAfter).toEqual([3, 6, 9, 10]);
  });

  it('goes on even when one piece takes longer than a frame', () => {
    const { drawn, add, next } = makeFrames(100);
    for (const name of ['a', 'b']) add(name);
    next();
    next();
    add('c');
    next();

    expect(drawn).toEqual(['b', 'a', 'c']);
  });
});

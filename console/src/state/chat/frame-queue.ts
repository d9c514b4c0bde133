/** So much of a frame goes to drawing; the rest is the browser's, for layout and paint. In milliseconds. */
const frameShare = 6;

/**
 * Draws what can wait a frame, as much as fits into each: a long text that is opened at once does not hold up the page.
 * What came last is drawn first, as the end of a conversation is what its reader sees.
 */
export function makeFrameQueue(
  nextFrame: (work: () => void) => void = (work) => soon(work),
  now: () => number = () => performance.now(),
) {
  const waiting: (() => void)[] = [];
  let scheduled = false;

  function work() {
    const until = now() + frameShare;
    do waiting.pop()?.();
    while (waiting.length > 0 && now() < until);
    scheduled = waiting.length > 0;
    if (scheduled) nextFrame(work);
  }

  return {
    add(draw: () => void) {
      waiting.push(draw);
      if (scheduled) return;
      scheduled = true;
      nextFrame(work);
    },
  };
}

/** Hidden pages get no frames, but their state should be true when they are seen again. */
export function soon(work: () => void): void {
  if (isSeen()) requestAnimationFrame(work);
  else setTimeout(work, 250);
}

export function isSeen(): boolean {
  return document.visibilityState === 'visible';
}

/** One for the whole page: what is drawn in different places shares the same frames. */
export const frameQueue = makeFrameQueue();

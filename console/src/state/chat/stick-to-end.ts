import { createSignal, onCleanup } from 'solid-js';

/** Nearer than this counts as being at the end. */
const near = 60;

/** Keeps the end of a growing page in sight, or one thing in it, unless the reader has scrolled away from it. */
export function createStickToEnd(active: () => boolean) {
  const [away, setAway] = createSignal(false);
  let frame: HTMLElement | undefined;
  let last = 0;
  let lastHeight = 0;
  /** What is kept at the top instead of the end, until the reader scrolls. While it is not there, the end is. */
  let held: (() => HTMLElement | undefined) | undefined;

  const observer = new ResizeObserver(() => {
    if (held) toHeld();
    else if (active() && !away()) toEnd();
  });
  onCleanup(() => observer.disconnect());

  function toEnd() {
    held = undefined;
    setAway(false);
    if (frame) frame.scrollTop = frame.scrollHeight;
  }

  function toHeld() {
    if (!frame) return;
    const element = held?.();
    if (element) element.scrollIntoView({ block: 'start' });
    else frame.scrollTop = frame.scrollHeight;
    last = frame.scrollTop;
    lastHeight = frame.scrollHeight;
    setAway(distance(frame) > near);
  }

  function scrolled() {
    if (!frame) return;
    if (held) {
      // What arrives above moves the page too, and then changes its height; the reader only moves it.
      if (Math.abs(frame.scrollTop - last) <= 1 || frame.scrollHeight !== lastHeight) return;
      held = undefined;
    }
    // Only a movement upwards is the reader's, unless what was read has become shorter.
    if (distance(frame) <= near) setAway(false);
    else if (frame.scrollTop < last && frame.scrollHeight >= lastHeight) setAway(true);
    last = frame.scrollTop;
    lastHeight = frame.scrollHeight;
  }

  return {
    away,
    toEnd,
    /** Stays where it is, whatever grows. */
    leave() {
      held = undefined;
      setAway(true);
    },
    /** Keeps the beginning of something in sight, as soon as it is there, while what is above it still grows. */
    hold(find: () => HTMLElement | undefined) {
      held = find;
      toHeld();
    },
    watch(scrolling: HTMLElement, content: HTMLElement) {
      frame = scrolling;
      scrolling.addEventListener('scroll', scrolled, { passive: true });
      observer.observe(content);
      observer.observe(scrolling);
    },
  };
}

function distance({ scrollHeight, scrollTop, clientHeight }: HTMLElement): number {
  return scrollHeight - scrollTop - clientHeight;
}

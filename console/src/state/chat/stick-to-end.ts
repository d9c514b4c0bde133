import { createSignal, onCleanup } from 'solid-js';

/** Nearer than this counts as being at the end. */
const near = 60;

/** Keeps the end of a growing page in sight, unless the reader has scrolled away from it. */
export function createStickToEnd(active: () => boolean) {
  const [away, setAway] = createSignal(false);
  let frame: HTMLElement | undefined;
  let last = 0;
  let lastHeight = 0;

  const observer = new ResizeObserver(() => {
    if (active() && !away()) toEnd();
  });
  onCleanup(() => observer.disconnect());

  function toEnd() {
    setAway(false);
    if (frame) frame.scrollTop = frame.scrollHeight;
  }

  function scrolled() {
    if (!frame) return;
    const distance = frame.scrollHeight - frame.scrollTop - frame.clientHeight;
    // Only a movement upwards is the reader's, unless what was read has become shorter.
    if (distance <= near) setAway(false);
    else if (frame.scrollTop < last && frame.scrollHeight >= lastHeight) setAway(true);
    last = frame.scrollTop;
    lastHeight = frame.scrollHeight;
  }

  return {
    away,
    toEnd,
    /** Stays where it is, whatever grows. */
    leave: () => setAway(true),
    watch(scrolling: HTMLElement, content: HTMLElement) {
      frame = scrolling;
      scrolling.addEventListener('scroll', scrolled, { passive: true });
      observer.observe(content);
      observer.observe(scrolling);
    },
  };
}

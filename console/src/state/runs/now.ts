import { createEffect, createSignal, onCleanup } from 'solid-js';

/** The time on this device, once a second for as long as something counts on. */
export function createNow(counting: () => boolean): () => number {
  const [now, setNow] = createSignal(Date.now());
  createEffect(() => {
    if (!counting()) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    onCleanup(() => clearInterval(timer));
  });
  return now;
}

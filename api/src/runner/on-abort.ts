const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Tells of a signal's abort, at once when it has happened already; answers with how to be told no more. A signal gets one
 * listener, however many wait for it: for something as short as a tool call, an event listener of its own costs much.
 */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) {
    act();
    return () => undefined;
  }
  const waiting = listeners.get(signal) ?? listenTo(signal);
  waiting.add(act);
  return () => void waiting.delete(act);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const waiting = new Set<() => void>();
  listeners.set(signal, waiting);
  signal.addEventListener(
    'abort',
    () => {
      for (const act of waiting) act();
    },
    { once: true },
  );
  return waiting;
}

/** Where a source puts what it has. */
export interface Sink<Item> {
  next(item: Item): void;
  error(failure: unknown): void;
  complete(): void;
}

/** So much may wait for a slow reader, and what to fail with when it would be more. */
export interface Room {
  readonly items: number;
  readonly failure: unknown;
}

/**
 * Turns a source of callbacks into a loop. The source starts with the first step and is stopped however the loop
 * ends. What arrives while the reader is busy waits for it, as far as there is room; then the source is stopped, and the
 * loop fails after what it has. Aborting ends the loop at once and quietly.
 */
export async function* iterate<Item extends object>(
  start: (sink: Sink<Item>) => () => void,
  signal: AbortSignal,
  room: Room = { items: Number.POSITIVE_INFINITY, failure: undefined },
): AsyncGenerator<Item, void, void> {
  if (signal.aborted) return;
  const waiting: Item[] = [];
  let ending: { readonly failure?: unknown } | undefined;
  let wake = () => {};
  let stop = () => {};

  function end(how: { readonly failure?: unknown }) {
    ending ??= how;
    wake();
  }
  function abort() {
    waiting.length = 0;
    stop(); // not left to the loop: its reader may be busy for long
    end({});
  }

  signal.addEventListener('abort', abort);
  stop = start({
    next(item) {
      if (ending) return;
      waiting.push(item);
      wake();
      if (waiting.length < room.items) return;
      end({ failure: room.failure });
      stop();
    },
    error: (failure) => end({ failure }),
    complete: () => end({}),
  });
  try {
    for (;;) {
      const item = waiting.shift();
      if (item) {
        yield item;
      } else if (ending) {
        if ('failure' in ending) throw ending.failure;
        return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    signal.removeEventListener('abort', abort);
    stop();
  }
}

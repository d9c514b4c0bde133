/** Somebody with texts to send. */
export interface Flushing {
  flush(): void;
}

let waiting: Flushing[] = [];

/** At the end of this round of the event loop, with all others who have something to send: one callback serves them all. */
export function flushSoon(one: Flushing): void {
  if (waiting.push(one) > 1) return;
  setImmediate(() => {
    const all = waiting;
    waiting = [];
    for (const each of all) each.flush();
  });
}

import { Readable } from 'node:stream';
import type { DirectEvents } from './direct-events.ts';

/** So that nothing between server and client takes the connection for dead. */
const pingMs = 12_000;
const ping = ':\n\n';
const complete = 'event: complete\ndata:\n\n';

/**
 * The body of a response of server-sent events. Results of one round of the event loop leave together: a system call
 * for each costs more than everything else about it.
 */
export function eventStreamBody(events: DirectEvents): Readable {
  let pending = ping; // some clients wait for the first bytes of a body
  let over = false;
  let scheduled = false;
  let full = false;
  let begun = false;

  const body = new Readable({
    read() {
      full = false;
      if (begun) return events.resume();
      begun = true;
      schedule();
      events.sendTo({ send, end });
    },
    destroy(error, done) {
      clearInterval(pinging);
      events.close();
      done(error);
    },
  });
  const pinging = setInterval(() => {
    if (!full) write(ping);
  }, pingMs);

  function send(text: string): boolean {
    write(`event: next\ndata: ${text}\n\n`);
    return !full;
  }
  function end(): void {
    over = true;
    write(complete);
    clearInterval(pinging);
  }
  function write(text: string): void {
    pending += text;
    schedule();
  }
  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  }
  function flush(): void {
    scheduled = false;
    if (body.destroyed) return;
    if (pending !== '') full = !body.push(pending);
    pending = '';
    if (over) body.push(null);
  }
  return body;
}

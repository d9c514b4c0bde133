import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';

/** Above so many bytes on their way to a client, senders wait until what they send has been taken. */
const highWaterMark = 64 * 1024;

type Data = Parameters<WebSocket['send']>[0];
type Options = Parameters<WebSocket['send']>[1];
type Sent = (error?: Error) => void;

/**
 * A WebSocket whose messages of one round of the event loop leave together: a system call for each message costs more
 * than everything else about it. Whoever sends is told at once to go on, as long as the client keeps up.
 */
export class BatchingWebSocket extends WebSocket {
  #stream: Duplex | undefined;
  #corked = false;

  /** The connection underneath; without it, messages leave one by one. */
  sendThrough(stream: Duplex): void {
    this.#stream = stream;
  }

  override send(data: Data, options?: Options | Sent, callback?: Sent): void {
    const sent = typeof options === 'function' ? options : callback;
    const given = typeof options === 'object' ? options : {};
    const mustWait = this.bufferedAmount > highWaterMark;
    this.#cork();
    super.send(data, given, mustWait ? sent : undefined);
    if (!mustWait) sent?.();
  }

  /** Sends a text; when the client does not keep up, answers false, and calls back once it was taken. */
  sendText(text: string, taken: () => void): boolean {
    const mustWait = this.bufferedAmount > highWaterMark;
    this.#cork();
    super.send(text, mustWait ? taken : undefined);
    return !mustWait;
  }

  #cork(): void {
    const stream = this.#stream;
    if (this.#corked || stream === undefined) return;
    this.#corked = true;
    stream.cork();
    setImmediate(() => {
      this.#corked = false;
      stream.uncork();
    });
  }
}

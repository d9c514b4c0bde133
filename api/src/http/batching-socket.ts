import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { flushSoon } from './end-of-round.ts';
import { framesOf, frameTextOf, longestFramed } from './text-frames.ts';

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
  /** Texts that leave at the end of this round, before anything else that is sent. */
  #texts: string[] | undefined;
  #characters = 0;
  /** For a sign of life, without an answer yet. */
  #asked = false;

  /** The connection underneath; without it, messages leave one by one. */
  sendThrough(stream: Duplex): void {
    this.#stream = stream;
  }

  /** Asks the client for a sign of life; one that has given none since it was last asked is gone. */
  askForLife(): void {
    if (this.#asked) this.terminate();
    else if (this.readyState === WebSocket.OPEN) {
      this.#asked = true;
      this.ping();
    }
  }

  /** A text arrives as one, not as bytes: whoever takes it may hold on to it for as long as a subscription lasts. */
  override emit(event: string | symbol, ...args: readonly unknown[]): boolean {
    if (event === 'pong') this.#asked = false;
    const [data, isBinary] = args;
    if (event !== 'message' || isBinary !== false || !Buffer.isBuffer(data)) return super.emit(event, ...args);
    return super.emit(event, data.toString('utf8'), isBinary);
  }

  override send(data: Data, options?: Options | Sent, callback?: Sent): void {
    const sent = typeof options === 'function' ? options : callback;
    const given = typeof options === 'object' ? options : {};
    if (this.#sendByItself(data, given, sent)) sent?.();
  }

  /**
   * Sends a text. When the client does not keep up, answers false, and has the sender resume once it was taken; when the
   * client is leaving, answers false for good.
   */
  sendText(text: string, sender: { resume(): void }): boolean {
    if (this.readyState !== WebSocket.OPEN) return false; // nobody will get it, nor what comes after it
    if (this.#stream === undefined || text.length > longestFramed)
      return this.#sendByItself(text, {}, resuming(sender));
    if (this.#texts) this.#texts.push(text);
    else {
      this.#texts = [text];
      flushSoon(this);
    }
    this.#characters += text.length;
    if (!this.#isBehind()) return true;
    this.#flush(resuming(sender));
    return false;
  }

  /** What waits must not come after the goodbye. */
  override close(code?: number, reason?: string | Buffer): void {
    this.#flush();
    super.close(code, reason);
  }

  #sendByItself(data: Data, options: Exclude<Options, Sent>, taken: Sent | undefined): boolean {
    const mustWait = this.#isBehind();
    this.#flush();
    this.#cork();
    super.send(data, options ?? {}, mustWait ? taken : undefined);
    return !mustWait;
  }

  #isBehind(): boolean {
    return this.bufferedAmount + this.#characters > highWaterMark;
  }

  /** Sends the texts that wait. */
  flush(): void {
    this.#flush();
  }

  #flush(taken?: (error?: Error | null) => void): void {
    const texts = this.#texts;
    if (!texts) return;
    this.#texts = undefined;
    this.#characters = 0;
    if (this.readyState !== WebSocket.OPEN) return;
    const frames = frameTextOf(texts);
    if (frames === undefined) this.#stream?.write(framesOf(texts), taken);
    else this.#stream?.write(frames, 'latin1', taken);
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

/** What was not taken was not because the client is gone: there is nothing to resume for. */
function resuming(sender: { resume(): void }): (error?: Error | null) => void {
  return (error) => {
    if (!error) sender.resume();
  };
}

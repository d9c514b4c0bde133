import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable, type Writable } from 'node:stream';
import type { DirectEvents } from './direct-events.ts';
import { flushSoon } from './end-of-round.ts';

/** So that nothing between server and client takes the connection for dead. */
const pingMs = 12_000;
const ping = ':\n\n';
/** Above so many characters in one round, senders wait for the next, and until the client has taken them. */
const highWaterMark = 64 * 1024;
const complete = 'event: complete\ndata:\n\n';

/**
 * The body of a response of server-sent events. It is only ever piped into the response, and then writes there itself:
 * results of one round of the event loop leave together, in one text with the lengths that HTTP wants around it. A
 * system call for each, or a stream in between, would cost more than everything else about them.
 */
export class EventStreamBody extends Readable {
  #pending = ping; // some clients wait for the first bytes of a body
  #scheduled = false;
  #full = false;
  /** The sender waits for what is pending to leave. */
  #held = false;
  #over = false;
  #pinging: NodeJS.Timeout | undefined;
  #response: ServerResponse | undefined;
  /** What the response goes out on, from when its head is out: the way through the response costs as much as the text. */
  #socket: Socket | undefined;
  /** As HTTP wants them. */
  #chunked = false;

  constructor(private readonly events: DirectEvents) {
    super({ read: () => undefined });
  }

  override pipe<Destination extends NodeJS.WritableStream>(destination: Destination): Destination {
    const response = destination as NodeJS.WritableStream as ServerResponse;
    this.#response = response;
    this.#chunked = response.chunkedEncoding;
    response.chunkedEncoding = false; // done here, in the same text
    response.on('drain', this.#drained);
    this.#pinging = setInterval(() => {
      if (!this.#full) this.#write(ping);
    }, pingMs);
    this.#schedule();
    this.events.sendTo({
      send: (text) => {
        this.#write(`event: next\ndata: ${text}\n\n`);
        this.#held = this.#pending.length > highWaterMark;
        return !this.#full && !this.#held;
      },
      end: () => {
        this.#over = true;
        this.#write(complete);
        clearInterval(this.#pinging);
      },
    });
    return destination;
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearInterval(this.#pinging);
    this.#socket?.off('drain', this.#drained);
    this.events.close();
    done(error);
  }

  #write(text: string): void {
    this.#pending += text;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    flushSoon(this);
  }

  readonly #drained = (): void => {
    this.#full = false;
    this.events.resume();
  };

  /** Sends what waits. */
  flush(): void {
    this.#scheduled = false;
    const text = this.#pending;
    this.#pending = '';
    if (this.destroyed) return;
    this.#send(text);
    if (!this.#held) return;
    this.#held = false;
    if (!this.#full) this.events.resume();
  }

  #send(text: string): void {
    const response = this.#response;
    if (!response) return;
    const bytes = Buffer.byteLength(text);
    const framed = this.#chunked ? `${bytes.toString(16)}\r\n${text}\r\n` : text;
    const out: Writable = this.#socket ?? response;
    this.#full = !out.write(framed, bytes === text.length ? 'latin1' : 'utf8');
    if (!this.#over) this.#takeSocket(response);
    else {
      this.#socket?.off('drain', this.#drained);
      response.chunkedEncoding = this.#chunked;
      response.end();
    }
  }

  /** A response that waits for the one before it on the same connection has none yet. */
  #takeSocket({ socket }: ServerResponse): void {
    if (this.#socket || !socket) return;
    this.#socket = socket;
    socket.on('drain', this.#drained);
  }
}

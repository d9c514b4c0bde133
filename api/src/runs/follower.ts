import { setTimeout as pause } from 'node:timers/promises';
import { type FollowedChunk, type HeldChunk, Inbox } from './inbox.ts';
import type { LogPage } from './log-reading.ts';
import { Turns } from './turns.ts';

/** After so many chunks without waiting, others get their turn: a long replay must not starve other streams. */
const breath = 64;
/** However many replays there are, everything else comes in between so many of them. */
const replaysPerRound = 8;
const turns = new Turns(() => replaysPerRound);
const retryAfter = 250;

type Result = IteratorResult<FollowedChunk, undefined>;

/** Takes chunks as they come, without a promise for each. */
export interface ChunkTaker {
  /** False when no more should come until `Follower.resume` is called. */
  take(chunk: FollowedChunk): boolean;
  /** There will be no more. */
  end(): void;
}

export interface FollowerSource {
  /** The next page after a seq. Undefined when there is no such run. */
  readPage(after: number): Promise<LogPage | undefined>;
  onClose(follower: Follower): void;
  /** Whoever takes the chunks failed to, and gets no more. */
  onFailure?(error: unknown): void;
  /** The run's last chunk was handed over. */
  onDone?(): void;
}

/**
 * One reader of one run, who asks for one chunk after the other or has them pushed. Written by hand rather than as a generator, because `return()` must answer at once, even
 * while `next()` waits for a model that thinks for a minute.
 */
export class Follower implements AsyncIterableIterator<FollowedChunk, undefined> {
  readonly #inbox: Inbox;
  readonly #source: FollowerSource;
  readonly #waiting: ((result: Result) => void)[] = [];
  #taker: ChunkTaker | undefined;
  /** The taker has all it can take for now. */
  #held = false;
  #closed = false;
  #reading = false;
  #unbroken = 0;
  #breathing = false;
  /** Waits for more to come, which is then given together. */
  #gathering: NodeJS.Timeout | undefined;

  /** Stands at the log's present end when that is known to be `after`; otherwise reads first. */
  constructor(
    source: FollowerSource,
    after: number,
    atEnd: boolean,
    /** How long deltas are gathered to be given as one; 0 gives each by itself. */
    private readonly gatherMs = 0,
  ) {
    this.#source = source;
    this.#inbox = new Inbox(after, gatherMs > 0);
    if (!atEnd) this.#inbox.doubt();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result> {
    if (this.#closed) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#serve();
    });
  }

  /** From now on chunks go to the taker. Not to be mixed with `next`. */
  pushTo(taker: ChunkTaker): void {
    this.#taker = taker;
    if (this.#closed) taker.end();
    else this.#serve();
  }

  /** The taker can take more. */
  resume(): void {
    this.#held = false;
    this.#serve();
  }

  return(): Promise<Result> {
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** What waits is answered with the end. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#gathering);
    for (const resolve of this.#waiting.splice(0)) resolve({ done: true, value: undefined });
    this.#source.onClose(this);
    try {
      this.#taker?.end();
    } catch (error) {
      this.#source.onFailure?.(error);
    }
  }

  offer(chunks: readonly HeldChunk[]): void {
    this.#inbox.offer(chunks);
    this.#serve();
  }

  /** The log goes so far. */
  note(seq: number): void {
    this.#inbox.note(seq);
    this.#serve();
  }

  /** Something may have been missed. */
  doubt(): void {
    this.#inbox.doubt();
    this.#serve();
  }

  /** What goes wrong with one reader is nothing to the run, nor to its other readers. */
  #serve(): void {
    try {
      this.#giveAll();
    } catch (error) {
      this.#source.onFailure?.(error);
      this.close();
    }
  }

  #giveAll(): void {
    while (this.#isWanted() && !this.#breathing && this.#gathering === undefined) {
      if (this.#unbroken >= breath && this.#inbox.count > 0) {
        this.#breathe();
        return;
      }
      const chunk = this.#inbox.take();
      if (chunk === undefined) {
        const given = this.#unbroken > 0;
        this.#unbroken = 0;
        if (this.#inbox.behind) void this.#read();
        else if (given && this.gatherMs > 0) this.#gather();
        return;
      }
      this.#unbroken++;
      this.#give(chunk);
      if (chunk.type === 'DoneChunk') {
        this.#source.onDone?.();
        this.close();
      }
    }
  }

  #isWanted(): boolean {
    return this.#taker ? !this.#held && !this.#closed : this.#waiting.length > 0;
  }

  #give(chunk: FollowedChunk): void {
    if (this.#taker) this.#held = !this.#taker.take(chunk);
    else this.#waiting.shift()?.({ done: false, value: chunk });
  }

  #breathe(): void {
    this.#breathing = true;
    turns.wait(() => {
      this.#breathing = false;
      this.#unbroken = 0;
      this.#serve();
    });
  }

  /** Not after a silence: its first chunk is given at once. */
  #gather(): void {
    this.#gathering = setTimeout(() => {
      this.#gathering = undefined;
      this.#serve();
    }, this.gatherMs);
  }

  /** The database may be away for a while; the reader waits with us. */
  async #read(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    const page = await this.#source.readPage(this.#inbox.ask()).catch(() => 'failed' as const);
    if (page === 'failed') await pause(retryAfter, undefined, { ref: false });
    this.#reading = false;
    if (this.#closed) return;
    if (page === undefined) return this.close();
    if (page === 'failed') return this.doubt();
    this.#inbox.accept(page.chunks, page.last);
    if (page.ended && page.chunks.length === 0 && this.#inbox.count === 0) return this.close();
    this.#serve();
  }
}

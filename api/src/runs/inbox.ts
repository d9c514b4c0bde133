import type { Chunk } from '../agent/chunk.ts';

/** `fromSeq` differs from `seq` where deltas were merged, for a slow reader or one who wants them gathered. */
export type FollowedChunk = Chunk & { readonly fromSeq: number };

/** A stored chunk on its way to readers, with the length of its JSON. Shared between readers, so never changed. */
export interface HeldChunk {
  readonly chunk: FollowedChunk;
  readonly size: number;
}

/** A reader for whom so many still wait when more arrive is slow: what arrives is merged where it can be. */
const slowFrom = 64;
/** When there is no room for more, nor anything to merge, the reader goes back to the database. */
const mostChunks = 1_024;
const mostCharacters = 256 * 1024;
/** Gathered deltas are no longer than this, so that a replay still comes in pieces that can be shown one by one. */
const mostGathered = 2_000;

/**
 * What waits for one reader, and where the reader stands in the log. Pure. Stored chunks are offered in any way that
 * happens: late, twice, or not at all. Only the one that comes next is held, so the reader gets each exactly once and
 * in order; whatever else is known to exist, `behind` says, and is read from the database.
 */
export class Inbox {
  #held: HeldChunk[] = [];
  #taken = 0;
  #size = 0;
  /** Everything up to here was taken or is held. */
  #position: number;
  /** The log is known to go at least this far. */
  #known = 0;
  /** It may go further than is known. */
  #uncertain = false;
  #asked = 0;

  constructor(
    after: number,
    /** Whether the reader wants deltas that wait together as one. */
    private readonly gathers = false,
  ) {
    this.#position = after;
  }

  get behind(): boolean {
    return this.#uncertain || this.#position < this.#known;
  }

  get count(): number {
    return this.#held.length - this.#taken;
  }

  get size(): number {
    return this.#size;
  }

  /** The log goes so far; its chunks are not at hand. */
  note(seq: number): void {
    if (seq > this.#known) this.#known = seq;
  }

  /** Something may have been missed. */
  doubt(): void {
    this.#uncertain = true;
  }

  /** Chunks fresh from their commit. A reader who keeps up gets them one by one, however many come together. */
  offer(batch: readonly HeldChunk[]): void {
    const slow = this.count >= slowFrom;
    for (const held of batch) {
      const { seq } = held.chunk;
      this.note(seq);
      if (seq !== this.#position + 1) continue;
      const kept = this.#gather(held) || (slow && this.#merge(held)) || this.#hold(held) || this.#merge(held);
      if (kept) this.#position = seq;
    }
  }

  /** After which seq to read a page. What is noted from now on may be missing from it. */
  ask(): number {
    this.#uncertain = false;
    this.#asked = this.#position;
    return this.#position;
  }

  /** The page that was asked for; `last` is how far the log went then. Chunks may have been offered meanwhile. */
  accept(page: readonly HeldChunk[], last: number): void {
    const claimedTooMuch = this.#asked > last && this.#position === this.#asked;
    if (claimedTooMuch) this.#position = last;
    for (const held of page) {
      if (held.chunk.seq !== this.#position + 1) continue;
      this.#position = held.chunk.seq;
      if (this.#gather(held)) continue;
      this.#held.push(held);
      this.#size += held.size;
    }
    this.note(last);
  }

  take(): FollowedChunk | undefined {
    const held = this.#held[this.#taken];
    if (held === undefined) return undefined;
    this.#taken++;
    this.#size -= held.size;
    if (this.#taken === this.#held.length || this.#taken >= slowFrom) {
      this.#held = this.#held.slice(this.#taken);
      this.#taken = 0;
    }
    return held.chunk;
  }

  #gather(held: HeldChunk): boolean {
    const waiting = this.gathers ? this.#held.at(-1) : undefined;
    if (!waiting) return false;
    return lengthOf(waiting.chunk) + lengthOf(held.chunk) <= mostGathered && this.#merge(held);
  }

  #hold(held: HeldChunk): boolean {
    if (this.count > 0 && (this.count >= mostChunks || this.#size + held.size > mostCharacters)) return false;
    this.#held.push(held);
    this.#size += held.size;
    return true;
  }

  #merge(next: HeldChunk): boolean {
    const last = this.#held.at(-1);
    if (last === undefined || this.#size + next.size > mostCharacters) return false;
    const chunk = mergeDeltas(last.chunk, next.chunk);
    if (chunk === undefined) return false;
    this.#held[this.#held.length - 1] = { chunk, size: last.size + next.size };
    this.#size += next.size;
    return true;
  }
}

function lengthOf(chunk: FollowedChunk): number {
  return 'text' in chunk ? chunk.text.length : 0;
}

/** Two adjacent deltas of one kind as one, which takes the place of both. */
export function mergeDeltas(one: FollowedChunk, next: FollowedChunk): FollowedChunk | undefined {
  const isDelta = next.type === 'ContentChunk' || next.type === 'ThinkingChunk';
  if (!isDelta || one.type !== next.type || one.seq + 1 !== next.fromSeq) return undefined;
  return { ...next, fromSeq: one.fromSeq, text: one.text + next.text };
}

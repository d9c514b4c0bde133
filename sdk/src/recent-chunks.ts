import type { OracleChunk } from './chunk.ts';

/** So many are kept for readers of the same run; whoever falls behind reads on from the server. */
const mostKept = 1_024;

/** The last chunks of a run, for any number of readers who each stand somewhere in it. */
export class RecentChunks {
  #kept: OracleChunk[] = [];
  /** Everything up to here was let go. */
  #start: number;

  constructor(after: number) {
    this.#start = after;
  }

  push(chunk: OracleChunk): void {
    this.#kept.push(chunk);
    if (this.#kept.length <= mostKept) return;
    // Half at a time, so that letting go costs nothing to speak of.
    const gone = this.#kept.splice(0, mostKept / 2);
    this.#start = gone.at(-1)?.seq ?? this.#start;
  }

  /** The first chunk behind a position; undefined when it is yet to come. */
  after(position: number): OracleChunk | undefined | 'gone' {
    if (position < this.#start) return 'gone';
    let low = 0;
    let high = this.#kept.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#kept[middle]?.seq ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return this.#kept[low];
  }
}

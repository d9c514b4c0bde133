/** Where a chunk stands: from which seq to which, more than one where deltas were merged for a slow reader. */
interface Place {
  readonly seq: number;
  readonly fromSeq?: number;
}

/** Keeps account of how far a run has been read. */
export interface Cursor {
  /** The last seq seen. */
  readonly seq: number | undefined;
  /** What to do with a chunk: new ones follow the last one seen. Values without a place are always new. */
  judge(value: unknown): 'new' | 'seen' | 'gap';
}

/** Starts behind `after`; without it, wherever the first chunk stands. */
export function makeCursor(after?: number): Cursor {
  let seq = after;
  return {
    get seq() {
      return seq;
    },
    judge(value) {
      if (!isPlace(value)) return 'new';
      if (seq !== undefined && value.seq <= seq) return 'seen';
      // Also where the two only overlap: half a merged chunk cannot be taken, the whole rest can be asked for again.
      if (seq !== undefined && value.fromSeq !== undefined && value.fromSeq !== seq + 1) return 'gap';
      seq = value.seq;
      return 'new';
    },
  };
}

function isPlace(value: unknown): value is Place {
  return typeof value === 'object' && value !== null && 'seq' in value && typeof value.seq === 'number';
}

import { expect } from 'vitest';
import type { OracleChunk } from '../src/index.ts';

/**
 * Expects that a reader saw a run whole: every seq once and in order, and the same things at the same places. Deltas may
 * have been merged on the way, so that texts are compared as a whole.
 */
export function expectSameRun(seen: readonly OracleChunk[], truth: readonly OracleChunk[]): void {
  let last = 0;
  for (const { fromSeq, seq } of seen) {
    expect(fromSeq).toBe(last + 1);
    last = seq;
  }
  expect(joined(seen)).toEqual(joined(truth));
}

function joined(chunks: readonly OracleChunk[]): readonly object[] {
  const result: OracleChunk[] = [];
  for (const chunk of chunks) {
    const last = result.at(-1);
    const isDelta = chunk.__typename === 'ContentChunk' || chunk.__typename === 'ThinkingChunk';
    if (isDelta && last?.__typename === chunk.__typename && 'text' in last) {
      result[result.length - 1] = { ...chunk, fromSeq: last.fromSeq, text: last.text + chunk.text };
    } else {
      result.push(chunk);
    }
  }
  return result;
}

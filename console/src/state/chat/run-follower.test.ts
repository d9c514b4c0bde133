import type { OracleChunk } from '@oracle-agent/sdk';
import { createRoot } from 'solid-js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveConnection } from '../live-connection.ts';
import { createRunFollower } from './run-follower.ts';

const frames: (() => void)[] = [];
beforeEach(() => {
  frames.length = 0;
  vi.stubGlobal('document', { visibilityState: 'visible' });
  vi.stubGlobal('requestAnimationFrame', (work: () => void) => frames.push(work));
});
afterEach(() => vi.unstubAllGlobals());

function chunk(seq: number, text: string): OracleChunk {
  const place = { runId: 'r', seq, fromSeq: seq, at: '2026-11-16T09:30:00.000Z', agent: null };
  return { __typename: 'ContentChunk', ...place, text } as OracleChunk;
}

function follow() {
  const asked: unknown[] = [];
  let give: (chunk: OracleChunk) => void = () => {};
  const live: Pick<LiveConnection, 'follow'> = {
    follow(_document, variables, sink) {
      asked.push(variables());
      give = (chunk) => sink.onData({ oracleRun: chunk } as never);
      return () => {};
    },
  };
  const follower = createRoot(() => createRunFollower(live, 'r'));
  return { follower, asked, give };
}

describe('a run that is followed', () => {
  it('is shown once a frame, each chunk once, however many come', () => {
    const { follower, give, asked } = follow();
    for (const seq of [1, 2, 2, 3]) give(chunk(seq, `${seq} `));
    expect([follower.view().text, frames.length]).toEqual(['', 1]);
    frames.shift()?.();

    expect([follower.view().text, frames.length]).toEqual(['1 2 3 ', 0]);
    expect(asked).toEqual([{ runId: 'r', after: 0, gather: 30 }]);
  });

  it('is taken in at once while nobody looks', () => {
    vi.useFakeTimers();
    vi.stubGlobal('document', { visibilityState: 'hidden' });
    const { follower, give } = follow();
    for (let seq = 1; seq <= 30; seq++) give(chunk(seq, 'x'.repeat(900)));
    vi.runOnlyPendingTimers();
    vi.useRealTimers();

    expect([follower.view().text.length, frames.length]).toEqual([27_000, 0]);
  });

  it('takes in a long replay piece by piece, and all of it', () => {
    const { follower, give } = follow();
    const pieces = Array.from({ length: 30 }, (_, index) => 'x'.repeat(900) + index);
    for (const [index, text] of pieces.entries()) give(chunk(index + 1, text));
    const lengths: number[] = [];
    for (let frame = frames.shift(); frame; frame = frames.shift()) {
      frame();
      lengths.push(follower.view().text.length);
    }

    expect(lengths[0]).toBeLessThan(2_000);
    expect(lengths.length).toBeGreaterThan(6);
    expect(follower.view().text).toBe(pieces.join(''));
  });
});

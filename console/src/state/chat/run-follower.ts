import { emptyView, foldChunks, type OracleChunk, type RunView } from '@oracle-agent/sdk';
import { OracleRunDocument } from '@oracle-agent/sdk/documents';
import { createSignal } from 'solid-js';
import type { LiveConnection } from '../live-connection.ts';
import { isSeen, soon } from './frame-queue.ts';

/** Deltas come as one for so many milliseconds: more often than every other frame nobody sees. */
const gather = 30;
/** How much text a frame takes in: less after frames that took long, more after others. In characters. */
const share = { first: 1_000, least: 500, most: 4_000 };
/** From so many milliseconds on a frame took long. */
const longFrame = 30;
/** What anything but text counts as. */
const otherThanText = 200;

export type RunFollower = ReturnType<typeof createRunFollower>;

/** Chunks that arrive together are shown together: one change for each frame, and no more in it than there is time for. */
export function createRunFollower(live: Pick<LiveConnection, 'follow'>, runId: string, onEnd: () => void = () => {}) {
  const [view, setView] = createSignal<RunView>(emptyView);
  const [problem, setProblem] = createSignal<string>();
  const waiting: OracleChunk[] = [];
  let lastSeq = 0;
  let scheduled = false;
  let taken = share.first;
  let shownAt = 0;

  function receive(chunk: OracleChunk) {
    if (chunk.seq <= lastSeq) return;
    lastSeq = chunk.seq;
    waiting.push(chunk);
    if (scheduled) return;
    scheduled = true;
    shownAt = 0;
    soon(show);
  }

  function show() {
    const now = performance.now();
    if (shownAt > 0) taken = now - shownAt < longFrame ? taken * 1.5 : taken / 2;
    taken = Math.min(Math.max(taken, share.least), share.most);
    shownAt = now;
    const chunks = waiting.splice(0, isSeen() ? countWithin(waiting, taken) : waiting.length);
    setView((view) => chunks.reduce(foldChunks, view));
    scheduled = waiting.length > 0;
    if (scheduled) soon(show);
    if (view().ending) {
      stop();
      onEnd();
    }
  }

  const stop = live.follow(OracleRunDocument, () => ({ runId, after: lastSeq, gather }), {
    onData: ({ oracleRun }) => receive(oracleRun),
    onRefusal: ([first]) => setProblem(first?.message),
    patient: true,
    isOver: () => view().ending !== undefined || waiting.some(({ __typename }) => __typename === 'DoneChunk'),
  });

  return { runId, view, problem, stop };
}

/** How many of the chunks have no more text than this together; the first one always. */
function countWithin(chunks: readonly OracleChunk[], characters: number): number {
  let length = 0;
  const over = chunks.findIndex((chunk, index) => {
    length += 'text' in chunk ? chunk.text.length : otherThanText;
    return index > 0 && length > characters;
  });
  return over === -1 ? chunks.length : over;
}

export type RunFollowers = ReturnType<typeof createRunFollowers>;

const mostKept = 200;

/** One follower for each run, shared by whatever shows it; ended runs stay known, so that going back is instant. */
export function createRunFollowers(live: LiveConnection, onEnd: (runId: string) => void) {
  const followers = new Map<string, RunFollower>();

  return {
    of(runId: string): RunFollower {
      const known = followers.get(runId);
      if (known) return known;
      const follower = createRunFollower(live, runId, () => onEnd(runId));
      followers.set(runId, follower);
      if (followers.size > mostKept) forgetOldest();
      return follower;
    },
    stop() {
      for (const follower of followers.values()) follower.stop();
      followers.clear();
    },
  };

  function forgetOldest() {
    for (const [runId, follower] of followers) {
      if (!follower.view().ending) continue;
      followers.delete(runId);
      return;
    }
  }
}

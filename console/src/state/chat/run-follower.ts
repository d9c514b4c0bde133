import { emptyView, foldChunks, type OracleChunk, type RunView } from '@oracle-agent/sdk';
import { OracleRunDocument } from '@oracle-agent/sdk/documents';
import { createSignal } from 'solid-js';
import type { LiveConnection } from '../live-connection.ts';

/** Drawing takes a part of each frame only: what does not fit waits for the next. In milliseconds and in chunks. */
const frameShare = 8;
const step = 20;

export type RunFollower = ReturnType<typeof createRunFollower>;

/** Chunks that arrive together are shown together: one change for each frame, however many there are. */
export function createRunFollower(live: LiveConnection, runId: string, onEnd: () => void = () => {}) {
  const [view, setView] = createSignal<RunView>(emptyView);
  const [problem, setProblem] = createSignal<string>();
  const waiting: OracleChunk[] = [];
  let lastSeq = 0;
  let scheduled = false;

  function receive(chunk: OracleChunk) {
    if (chunk.seq <= lastSeq) return;
    lastSeq = chunk.seq;
    waiting.push(chunk);
    if (scheduled) return;
    scheduled = true;
    soon(show);
  }

  function show() {
    const until = performance.now() + frameShare;
    do {
      const chunks = waiting.splice(0, step);
      setView((now) => chunks.reduce(foldChunks, now));
    } while (waiting.length > 0 && performance.now() < until);
    scheduled = waiting.length > 0;
    if (scheduled) soon(show);
    if (view().ending) {
      stop();
      onEnd();
    }
  }

  const stop = live.follow(OracleRunDocument, () => ({ runId, after: lastSeq }), {
    onData: ({ oracleRun }) => receive(oracleRun),
    onRefusal: ([first]) => setProblem(first?.message),
    patient: true,
    isOver: () => view().ending !== undefined || waiting.some(({ __typename }) => __typename === 'DoneChunk'),
  });

  return { runId, view, problem, stop };
}

/** Hidden pages get no frames, but their state should be true when they are seen again. */
function soon(work: () => void): void {
  if (document.visibilityState === 'visible') requestAnimationFrame(work);
  else setTimeout(work, 250);
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

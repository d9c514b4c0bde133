import { setImmediate as nextRound } from 'node:timers/promises';
import { Follower } from '../src/runs/follower.ts';
import type { HeldChunk } from '../src/runs/inbox.ts';
import type { RunLog } from '../src/runs/run-log.ts';
import type { Pace } from './pace.ts';

/** As many as a run says before others get their turn: what a commit under load brings of one run. */
const batch = 64;

/**
 * From now on a followed run is read from the log once, and then handed to real followers from memory, as commits
 * would bring it. Everything from there to the client is the product's own.
 */
export function followFromMemory(log: RunLog, paceNow: () => Pace): void {
  const follow = log.follow.bind(log);
  const known = new Map<string, Promise<readonly HeldChunk[]>>();
  log.follow = (runId) => {
    const chunks = known.get(runId) ?? readAll(follow(runId, 0));
    known.set(runId, chunks);
    let open = true;
    const source = { readPage: async () => undefined, onClose: () => (open = false) };
    const follower = new Follower(source, 0, true);
    const isOpen = () => open;
    // Copies, so that no stream can share anything with another: each stands for a run of its own.
    const own = chunks.then((all) => all.map(({ chunk, size }) => ({ chunk: { ...chunk }, size })));
    void own.then((all) => (paceNow().everyMs > 0 ? trickle(follower, all, paceNow()) : pour(follower, all, isOpen)));
    return follower;
  };
}

async function readAll(chunks: AsyncIterable<HeldChunk['chunk']>): Promise<readonly HeldChunk[]> {
  const all: HeldChunk[] = [];
  for await (const chunk of chunks) all.push({ chunk, size: JSON.stringify(chunk).length });
  return all;
}

async function pour(follower: Follower, chunks: readonly HeldChunk[], isOpen: () => boolean): Promise<void> {
  for (let start = 0; start < chunks.length && isOpen(); start += batch) {
    follower.offer(chunks.slice(start, start + batch));
    await nextRound();
  }
}

function trickle(follower: Follower, chunks: readonly HeldChunk[], { everyMs, chunks: count }: Pace): void {
  let sent = 0;
  const timer = setInterval(() => {
    const next = chunks[sent++];
    if (next) follower.offer([next]);
    if (sent < count) return;
    clearInterval(timer);
    follower.close();
  }, everyMs);
}

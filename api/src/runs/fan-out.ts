import type { Follower } from './follower.ts';
import type { HeldChunk } from './inbox.ts';

/** The readers on this server, by run. Hands them what is stored, and tells them what is stored elsewhere. */
export class FanOut {
  readonly #followers = new Map<string, Set<Follower>>();

  add(runId: string, follower: Follower): void {
    const followers = this.#followers.get(runId) ?? new Set();
    this.#followers.set(runId, followers.add(follower));
  }

  remove(runId: string, follower: Follower): void {
    const followers = this.#followers.get(runId);
    followers?.delete(follower);
    if (followers?.size === 0) this.#followers.delete(runId);
  }

  has(runId: string): boolean {
    return this.#followers.has(runId);
  }

  publish(runId: string, chunks: readonly HeldChunk[]): void {
    for (const follower of this.#of(runId)) follower.offer(chunks);
  }

  /** Another server has stored the log up to here. */
  note(runId: string, seq: number): void {
    for (const follower of this.#of(runId)) follower.note(seq);
  }

  /** Announcements may have been missed. */
  doubtAll(): void {
    for (const runId of [...this.#followers.keys()]) for (const follower of this.#of(runId)) follower.doubt();
  }

  closeAll(): void {
    for (const runId of [...this.#followers.keys()]) for (const follower of this.#of(runId)) follower.close();
  }

  /** A copy, because a follower that comes to its end leaves the set. */
  #of(runId: string): readonly Follower[] {
    return [...(this.#followers.get(runId) ?? [])];
  }
}

import { type Watch, Watchers } from '../watchers.ts';
import type { Follower } from './follower.ts';
import type { HeldChunk } from './inbox.ts';

/** The readers on this server, by run. Hands them what is stored, and tells them what is stored elsewhere. */
export class FanOut {
  readonly #followers = new Watchers<Follower>();

  /** Until the watch is ended, which is for the follower's source to do. */
  add(runId: string, follower: Follower): Watch {
    return this.#followers.add(runId, follower);
  }

  has(runId: string): boolean {
    return this.#followers.has(runId);
  }

  publish(runId: string, chunks: readonly HeldChunk[]): void {
    for (const follower of this.#followers.of(runId)) follower.offer(chunks);
  }

  /** Another server has stored the log up to here. */
  note(runId: string, seq: number): void {
    for (const follower of this.#followers.of(runId)) follower.note(seq);
  }

  /** Announcements may have been missed. */
  doubtAll(): void {
    for (const follower of this.#all()) follower.doubt();
  }

  closeAll(): void {
    for (const follower of this.#all()) follower.close();
  }

  #all(): readonly Follower[] {
    return this.#followers.topics.flatMap((runId) => this.#followers.of(runId));
  }
}

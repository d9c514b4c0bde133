import type { ChangeFeed } from '../store/changes.ts';
import type { Database } from '../store/database.ts';
import { Token } from '../store/entities/token.ts';
import type { Viewer } from './viewer.ts';

/** setTimeout takes no longer delay; a token that lives longer is looked at again then. */
const longestDelay = 2 ** 31 - 1;

/** Tells live subscriptions when the token that opened them expires or is revoked, on whichever server. */
export class TokenWatch {
  readonly #watched = new Map<string, Set<() => void>>();
  readonly #stopListening: () => void;

  constructor(
    private readonly database: Database,
    changes: ChangeFeed,
  ) {
    this.#stopListening = changes.listen((change) => {
      if (change.type === 'token-revoked') this.#end(change.tokenId);
      if (change.type === 'changes-missed') void this.#recheck();
    });
  }

  /** Calls back once when the viewer's token ends; the returned function stops watching. */
  onEnd(viewer: Viewer, callback: () => void): () => void {
    const callbacks = this.#watched.get(viewer.tokenId) ?? new Set();
    this.#watched.set(viewer.tokenId, callbacks.add(callback));
    let timer: NodeJS.Timeout | undefined;
    const wait = () => {
      if (!viewer.tokenExpiresAt) return;
      const left = viewer.tokenExpiresAt.getTime() - Date.now();
      timer = setTimeout(() => (left > longestDelay ? wait() : callback()), Math.min(Math.max(left, 0), longestDelay));
    };
    wait();
    return () => {
      clearTimeout(timer);
      callbacks.delete(callback);
      if (callbacks.size === 0) this.#watched.delete(viewer.tokenId);
    };
  }

  close(): void {
    this.#stopListening();
  }

  #end(tokenId: string): void {
    for (const callback of [...(this.#watched.get(tokenId) ?? [])]) callback();
  }

  async #recheck(): Promise<void> {
    const ids = [...this.#watched.keys()];
    if (ids.length === 0) return;
    const alive = await this.database.fork().find(Token, { id: { $in: ids }, revokedAt: null }, { fields: ['id'] });
    const aliveIds = new Set(alive.map((token) => token.id));
    for (const id of ids) if (!aliveIds.has(id)) this.#end(id);
  }
}

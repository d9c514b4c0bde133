import type { ChangeFeed } from '../store/changes.ts';
import type { Database } from '../store/database.ts';
import type { Viewer } from './viewer.ts';

/** setTimeout takes no longer delay; a token that lives longer is looked at again then. */
const longestDelay = 2 ** 31 - 1;

const pauseAfterFailure = 1_000;

/** Tells live subscriptions when the token that opened them expires or is revoked, on whichever server. */
export class TokenWatch {
  readonly #watched = new Map<string, Set<() => void>>();
  readonly #unchecked = new Set<string>();
  readonly #stopListening: () => void;
  #retry: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    changes: ChangeFeed,
  ) {
    this.#stopListening = changes.listen((change) => {
      if (change.type === 'token-revoked') this.#end(change.tokenId);
      if (change.type === 'changes-missed') this.#check([...this.#watched.keys()]);
    });
  }

  /** Calls back once when the viewer's token ends; the returned function stops watching. */
  onEnd(viewer: Viewer, callback: () => void): () => void {
    const callbacks = this.#watched.get(viewer.tokenId) ?? new Set();
    this.#watched.set(viewer.tokenId, callbacks.add(callback));
    this.#checkSoon(viewer.tokenId); // it may have ended between signing in and now
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
    clearTimeout(this.#retry);
  }

  #end(tokenId: string): void {
    for (const callback of [...(this.#watched.get(tokenId) ?? [])]) callback();
  }

  /** Together with all others that are asked for at this moment. */
  #checkSoon(id: string): void {
    if (this.#unchecked.size === 0) {
      setImmediate(() => {
        const ids = [...this.#unchecked];
        this.#unchecked.clear();
        this.#check(ids);
      });
    }
    this.#unchecked.add(id);
  }

  /** Ends what was revoked. When the database is away, everything watched is looked at once it is back. */
  #check(ids: readonly string[]): void {
    if (ids.length === 0) return;
    this.#findAlive(ids).then(
      (alive) => {
        for (const id of ids) if (!alive.has(id)) this.#end(id);
      },
      () => {
        clearTimeout(this.#retry);
        this.#retry = setTimeout(() => this.#check([...this.#watched.keys()]), pauseAfterFailure).unref();
      },
    );
  }

  async #findAlive(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const alive = await this.database.sql.query<{ id: string }>('alive-tokens', aliveTokens, [ids]);
    return new Set(alive.map(({ id }) => id));
  }
}

const aliveTokens = 'select id from tokens where id = any($1::uuid[]) and revoked_at is null';

import type { ChangeFeed } from '../store/changes.ts';
import type { Database } from '../store/database.ts';
import { Gathered } from '../store/gathered.ts';
import type { Sql } from '../store/sql.ts';
import { type Watch, Watchers } from '../watchers.ts';
import type { Viewer } from './viewer.ts';

/** setTimeout takes no longer delay; a token that lives longer is looked at again then. */
const longestDelay = 2 ** 31 - 1;

const pauseAfterFailure = 1_000;

/** Lives as long as a token does. */
export interface TokenUser {
  /** Called once. */
  tokenEnded(): void;
}

/** Tells live subscriptions when the token that opened them expires or is revoked, on whichever server. */
export class TokenWatch {
  /** By token. */
  readonly #users = new Watchers<TokenUser>();
  readonly #alive: Gathered<string, true>;
  readonly #stopListening: () => void;
  #retry: NodeJS.Timeout | undefined;

  constructor(database: Database, changes: ChangeFeed) {
    this.#alive = new Gathered((ids) => readAlive(database.sql, ids));
    this.#stopListening = changes.listen((change) => {
      if (change.type === 'token-revoked') this.#end(change.tokenId);
      if (change.type === 'changes-missed') this.#checkAll();
    });
  }

  watch(user: TokenUser, { tokenId, tokenExpiresAt }: Viewer): Watch {
    const watch = this.#users.add(tokenId, user);
    this.#check(tokenId); // it may have ended between signing in and now
    if (!tokenExpiresAt) return watch;
    const { callOff } = callAt(tokenExpiresAt, () => user.tokenEnded());
    return {
      end: () => {
        callOff();
        watch.end();
      },
    };
  }

  close(): void {
    this.#stopListening();
    clearTimeout(this.#retry);
  }

  #end(tokenId: string): void {
    for (const user of this.#users.of(tokenId)) user.tokenEnded();
  }

  /** Ends what was revoked. When the database is away, everything watched is looked at once it is back. */
  #check(id: string): void {
    this.#alive.find(id).then(
      (alive) => {
        if (!alive) this.#end(id);
      },
      () => {
        clearTimeout(this.#retry);
        this.#retry = setTimeout(() => this.#checkAll(), pauseAfterFailure).unref();
      },
    );
  }

  #checkAll(): void {
    for (const id of this.#users.topics) this.#check(id);
  }
}

function callAt(moment: Date, callback: () => void): { callOff(): void } {
  let timer: NodeJS.Timeout;
  const wait = () => {
    const left = moment.getTime() - Date.now();
    timer = setTimeout(() => (left > longestDelay ? wait() : callback()), Math.min(Math.max(left, 0), longestDelay));
  };
  wait();
  return { callOff: () => clearTimeout(timer) };
}

async function readAlive(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, true>> {
  const alive = await sql.query<{ id: string }>('alive-tokens', aliveTokens, [ids]);
  return new Map(alive.map(({ id }) => [id, true]));
}

const aliveTokens = 'select id from tokens where id = any($1::uuid[]) and revoked_at is null';

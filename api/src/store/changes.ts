import type { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import type { Logger } from '../logger.ts';

/** What one server tells all others through the database, itself included. */
export type Change =
  | { readonly type: 'settings-changed'; readonly userId: string | null }
  | { readonly type: 'token-revoked'; readonly tokenId: string }
  /** These runs' logs now go so far. The server that wrote them knows already; nobody's (null) everyone should read. */
  | { readonly type: 'run-appended'; readonly serverId: string | null; readonly runs: readonly RunReach[] }
  | { readonly type: 'run-cancelled'; readonly runId: string }
  /** Runs of this person are gone, with their exchanges. */
  | { readonly type: 'runs-removed'; readonly userId: string }
  /** An MCP server was added, changed or removed. */
  | { readonly type: 'mcp-changed'; readonly serverId: string }
  /** Rules or their switches, of a person or (null) of everybody. */
  | { readonly type: 'rules-changed'; readonly userId: string | null }
  /** What a person wants to be told was changed. */
  | { readonly type: 'notifications-changed'; readonly userId: string }
  /** Something came into, or was seen in, a person's inbox. */
  | { readonly type: 'inbox-changed'; readonly userId: string }
  /** Notes of this project were changed, moved or deleted. The database itself says so. */
  | { readonly type: 'notes-changed'; readonly projectId: string }
  /** The connection was lost for a while: anything may have changed. */
  | { readonly type: 'changes-missed' };

/** A run's id and the last seq of its stored log. */
export type RunReach = readonly [runId: string, lastSeq: number];

/** For statements that announce by themselves: `pg_notify(changesChannel, JSON)`. */
export const changesChannel = 'oracle_changes';

/** Within a transaction, the change is announced when it commits, and not at all when it does not. */
export async function announce(em: EntityManager, change: Change): Promise<void> {
  await em.execute(`select pg_notify('${changesChannel}', ?)`, [JSON.stringify(change)]);
}

/** Many at once, in one round trip. */
export async function announceAll(em: EntityManager, changes: readonly Change[]): Promise<void> {
  const statement = `select pg_notify('${changesChannel}', told::text) from jsonb_array_elements(?::jsonb) told`;
  if (changes.length > 0) await em.execute(statement, [JSON.stringify(changes)]);
}

const shortestPause = 200;
const longestPause = 3_000;

export interface ChangeFeed {
  listen(handler: (change: Change) => void): () => void;
  close(): Promise<void>;
}

/** Follows the announcements for as long as the server runs; reconnects by itself. */
export async function followChanges(url: string, log: Logger): Promise<ChangeFeed> {
  const handlers = new Set<(change: Change) => void>();
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  function tell(change: Change): void {
    for (const handler of [...handlers]) handler(change);
  }

  /** Whoever has the database can announce anything; what is not ours is passed over. */
  function hear(payload: string): void {
    try {
      const change: unknown = JSON.parse(payload);
      if (typeof change === 'object' && change !== null && 'type' in change) tell(change as Change);
    } catch {
      log.warn({}, 'an announcement could not be read');
    }
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      application_name: 'oracle-agent changes',
    });
    next.on('notification', ({ payload }) => hear(payload ?? ''));
    next.on('error', () => undefined); // `end` follows and reconnects
    await next.connect();
    if (closed) return void (await next.end());
    await next.query(`listen ${changesChannel}`);
    client = next;
    next.on('end', () => {
      if (!closed) log.warn({}, 'change feed lost, reconnecting');
      reconnect(shortestPause);
    });
  }

  function reconnect(delay: number): void {
    client = undefined;
    if (closed) return;
    retry = setTimeout(() => {
      connect().then(
        () => {
          log.info({}, 'change feed is back');
          tell({ type: 'changes-missed' });
        },
        () => reconnect(Math.min(delay * 2, longestPause)),
      );
    }, delay);
  }

  await connect();
  return {
    listen(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}

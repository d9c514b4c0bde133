import type { Logger } from '../logger.ts';
import { announce, type ChangeFeed } from '../store/changes.ts';
import type { Database } from '../store/database.ts';
import { Gathered } from '../store/gathered.ts';
import type { Sql } from '../store/sql.ts';
import { type Watch, Watchers } from '../watchers.ts';

/** How one subscriber stands with one person. */
export interface NotificationState {
  readonly subscriber: string;
  readonly enabled: boolean;
  readonly firedAt: Date | null;
}

/** Which subscribers a person has switched off, and when each last told them something. */
export class NotificationSettings {
  /** What runs under way know of their people; told again when it changes. */
  readonly #watchers = new Watchers<(off: ReadonlySet<string>) => void>();
  #readings = 0;
  /** Which reading they know. */
  readonly #known = new Map<string, number>();
  readonly #stopListening: () => void;
  /** By person; nobody who has switched nothing off. */
  readonly #off: Gathered<string, ReadonlySet<string>>;
  /** By person and subscriber. */
  readonly #fired: Gathered<string, true>;

  constructor(
    private readonly database: Database,
    changes: ChangeFeed,
    private readonly log: Logger,
  ) {
    this.#off = new Gathered((userIds) => readSwitchedOff(database.sql, userIds));
    this.#fired = new Gathered((fired) => noteFired(database.sql, fired));
    this.#stopListening = changes.listen((change) => {
      if (change.type === 'notifications-changed') void this.#tell(change.userId);
      if (change.type === 'changes-missed') for (const userId of this.#watchers.topics) void this.#tell(userId);
    });
  }

  async states(userId: string): Promise<readonly NotificationState[]> {
    const rows = await this.database
      .fork()
      .execute<{ subscriber: string; enabled: boolean; fired_at: Date | null }[]>(
        'select subscriber, enabled, fired_at from notification_states where user_id = ?',
        [userId],
      );
    return rows.map(({ subscriber, enabled, fired_at }) => ({
      subscriber,
      enabled,
      firedAt: fired_at === null ? null : new Date(fired_at),
    }));
  }

  async switchedOff(userId: string): Promise<ReadonlySet<string>> {
    return (await this.#off.find(userId)) ?? new Set();
  }

  /** Runs under way on this server know of it when it resolves; on others, a moment later. */
  async set(userId: string, subscriber: string, enabled: boolean): Promise<void> {
    await this.database.fork().transactional(async (em) => {
      await em.execute(
        `insert into notification_states (user_id, subscriber, enabled) values (?, ?, ?)
         on conflict (user_id, subscriber) do update set enabled = excluded.enabled`,
        [userId, subscriber, enabled],
      );
      await announce(em, { type: 'notifications-changed', userId });
    });
    await this.#tell(userId);
  }

  async fired(userId: string, subscribers: readonly string[]): Promise<void> {
    await Promise.all(subscribers.map((subscriber) => this.#fired.find(`${userId} ${subscriber}`)));
  }

  /** Calls back with what the person has switched off, each time that it changes. */
  watch(userId: string, callback: (off: ReadonlySet<string>) => void): Watch {
    const watch = this.#watchers.add(userId, callback);
    return {
      end: () => {
        watch.end();
        if (!this.#watchers.has(userId)) this.#known.delete(userId);
      },
    };
  }

  close(): void {
    this.#stopListening();
  }

  /** Readings may overtake each other: one that began earlier than what is known is passed over. */
  async #tell(userId: string): Promise<void> {
    if (!this.#watchers.has(userId)) return;
    this.#readings += 1;
    const reading = this.#readings;
    try {
      const off = await this.switchedOff(userId);
      if (reading < (this.#known.get(userId) ?? 0)) return;
      this.#known.set(userId, reading);
      for (const callback of this.#watchers.of(userId)) callback(off);
    } catch (error) {
      this.log.warn({ reason: String(error) }, 'what a person switched off could not be read');
    }
  }
}

async function readSwitchedOff(
  sql: Sql,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await sql.query<{ user_id: string; off: readonly string[] }>('switched-off', switchedOff, [userIds]);
  return new Map(rows.map(({ user_id, off }) => [user_id, new Set(off)]));
}

const switchedOff = `
  select user_id, array_agg(subscriber) as off from notification_states
  where user_id = any($1::uuid[]) and not enabled group by user_id`;

async function noteFired(sql: Sql, fired: readonly string[]): Promise<ReadonlyMap<string, true>> {
  const pairs = fired.map((pair) => pair.split(' ', 2));
  await sql.query('subscribers-fired', subscribersFired, [pairs.map(([id]) => id), pairs.map(([, name]) => name)]);
  return new Map();
}

/** In order, lest two servers wait for each other. Does not wait for the disk: whatever is lost is told again. */
const subscribersFired = `
  with unhurried as materialized (select set_config('synchronous_commit', 'off', true))
  insert into notification_states (user_id, subscriber, fired_at)
  select user_id, subscriber, clock_timestamp()
  from unhurried, unnest($1::uuid[], $2::text[]) as fired (user_id, subscriber)
  order by user_id, subscriber
  on conflict (user_id, subscriber) do update set fired_at = excluded.fired_at`;

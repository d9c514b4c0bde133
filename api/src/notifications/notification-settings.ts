import type { Logger } from '../logger.ts';
import { announce, type ChangeFeed } from '../store/changes.ts';
import type { Database } from '../store/database.ts';

/** How one subscriber stands with one person. */
export interface NotificationState {
  readonly subscriber: string;
  readonly enabled: boolean;
  readonly firedAt: Date | null;
}

/** Which subscribers a person has switched off, and when each last told them something. */
export class NotificationSettings {
  /** What runs under way know of their people; told again when it changes. */
  readonly #watched = new Map<string, Set<(off: ReadonlySet<string>) => void>>();
  readonly #stopListening: () => void;

  constructor(
    private readonly database: Database,
    changes: ChangeFeed,
    private readonly log: Logger,
  ) {
    this.#stopListening = changes.listen((change) => {
      if (change.type === 'notifications-changed') this.#tell(change.userId);
      if (change.type === 'changes-missed') for (const userId of this.#watched.keys()) this.#tell(userId);
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
    const states = await this.states(userId);
    return new Set(states.filter(({ enabled }) => !enabled).map(({ subscriber }) => subscriber));
  }

  async set(userId: string, subscriber: string, enabled: boolean): Promise<void> {
    await this.database.fork().transactional(async (em) => {
      await em.execute(
        `insert into notification_states (user_id, subscriber, enabled) values (?, ?, ?)
         on conflict (user_id, subscriber) do update set enabled = excluded.enabled`,
        [userId, subscriber, enabled],
      );
      await announce(em, { type: 'notifications-changed', userId });
    });
  }

  async fired(userId: string, subscribers: readonly string[]): Promise<void> {
    await this.database.fork().execute(
      `insert into notification_states (user_id, subscriber, fired_at)
       select ?, subscriber, clock_timestamp() from unnest(?::text[]) as subscriber
       on conflict (user_id, subscriber) do update set fired_at = excluded.fired_at`,
      [userId, `{${subscribers.join(',')}}`],
    );
  }

  /** Calls back with what the person has switched off, each time that it changes. */
  watch(userId: string, callback: (off: ReadonlySet<string>) => void): () => void {
    const watchers = this.#watched.get(userId) ?? new Set();
    this.#watched.set(userId, watchers.add(callback));
    return () => {
      watchers.delete(callback);
      if (watchers.size === 0) this.#watched.delete(userId);
    };
  }

  close(): void {
    this.#stopListening();
  }

  #tell(userId: string): void {
    if (!this.#watched.has(userId)) return;
    this.switchedOff(userId).then(
      (off) => {
        for (const callback of this.#watched.get(userId) ?? []) callback(off);
      },
      (error: unknown) => this.log.warn({ reason: String(error) }, 'what a person switched off could not be read'),
    );
  }
}

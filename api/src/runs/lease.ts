import type { Logger } from '../logger.ts';
import { RepeatedWarning } from '../repeated-warning.ts';
import type { Sql } from '../store/sql.ts';

export interface LeaseTimes {
  readonly heartbeatMs: number;
  /** A server that was silent for so long has lost its runs. */
  readonly leaseMs: number;
  readonly sweepMs: number;
  /** So long a server must have been seen silent before it counts as dead. */
  readonly watchMs: number;
  /** So long a run may belong to this server without its process having opened the log. */
  readonly orphanMs: number;
}

export const usualTimes: LeaseTimes = {
  heartbeatMs: 500,
  leaseMs: 2_000,
  sweepMs: 400,
  watchMs: 1_200,
  orphanMs: 10_000,
};

/** This server's sign of life in the database. Also brings word of runs that somebody wants stopped. */
export class Lease {
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  #stopped = false;
  readonly #failed: RepeatedWarning;

  constructor(
    private readonly sql: Sql,
    private readonly serverId: string,
    private readonly heartbeatMs: number,
    private readonly logger: Logger,
    private readonly onCancelled: (runId: string) => void,
  ) {
    this.#failed = new RepeatedWarning(logger, 'heartbeat failed');
  }

  /** Resolves after the first heartbeat: before it, a run of this server would be nobody's. */
  async start(): Promise<void> {
    await this.#beat();
    this.#schedule();
  }

  /** Leaves at once: runs that are still this server's may be taken over without waiting. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#beating;
    await this.sql.query('leave', 'delete from servers where id = $1', [this.serverId]).catch((error: unknown) => {
      this.logger.warn({ reason: String(error) }, 'could not leave; the lease will run out');
    });
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#beating = this.#beat().catch((error: unknown) => {
        this.#failed.tell({ reason: String(error) });
      });
      void this.#beating.then(() => this.#schedule());
    }, this.heartbeatMs);
  }

  async #beat(): Promise<void> {
    const cancelled = await this.sql.query<{ id: string }>('heartbeat', heartbeat, [this.serverId]);
    for (const { id } of cancelled) this.onCancelled(id);
  }
}

const heartbeat = `
  with beat as (
    insert into servers (id, heartbeat_at) values ($1, clock_timestamp())
    on conflict (id) do update set heartbeat_at = excluded.heartbeat_at
  )
  select id from runs where owner = $1 and status = 'RUNNING' and cancel_requested_at is not null`;

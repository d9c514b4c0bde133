import { ReleasingMap } from '../releasing-map.ts';
import { type Change, type ChangeFeed, changesChannel } from '../store/changes.ts';
import type { Sql } from '../store/sql.ts';
import type { FollowedChunk } from './inbox.ts';

/** So long a caller is kept waiting for the end of a run that was told to stop. */
const patienceMs = 2_000;

export interface CancellationsDependencies {
  readonly sql: Sql;
  readonly changes: ChangeFeed;
  follow(runId: string, after: number, signal: AbortSignal): AsyncIterable<FollowedChunk>;
}

/**
 * Asks for runs to be stopped, on whichever server they run, and tells the runs of this one. The wish is a column of
 * the run: announcements are quick, and the next stored chunk or heartbeat brings it when one was missed.
 */
export class Cancellations {
  readonly #callbacks = new ReleasingMap<string, () => void>();
  readonly #stopListening: () => void;

  constructor(private readonly dependencies: CancellationsDependencies) {
    this.#stopListening = dependencies.changes.listen((change) => {
      if (change.type === 'run-cancelled') this.tell(change.runId);
    });
  }

  /**
   * Resolves when the run has ended, or after two seconds. True for the one call that ended it; false when it had
   * ended already, ended by itself meanwhile, or another call had asked before. Who may ask is the caller's to check.
   */
  async request(runId: string): Promise<boolean> {
    const change: Change = { type: 'run-cancelled', runId };
    const [row] = await this.dependencies.sql.query<{ asked: boolean; running: boolean; last: number }>('cancel', ask, [
      runId,
      JSON.stringify(change),
    ]);
    if (!row?.running) return false;
    const reason = await this.#end(runId, row.last);
    return row.asked && (reason === undefined || reason === 'CANCELLED');
  }

  /** Calls back once when somebody wants this run stopped; the returned function stops listening. */
  onRequest(runId: string, callback: () => void): () => void {
    this.#callbacks.set(runId, callback);
    return () => {
      if (this.#callbacks.get(runId) === callback) this.#callbacks.delete(runId);
    };
  }

  /** Somebody wants this run stopped. */
  tell(runId: string): void {
    const callback = this.#callbacks.get(runId);
    this.#callbacks.delete(runId);
    callback?.();
  }

  close(): void {
    this.#stopListening();
  }

  async #end(runId: string, after: number): Promise<string | undefined> {
    for await (const chunk of this.dependencies.follow(runId, after, AbortSignal.timeout(patienceMs))) {
      if (chunk.type === 'DoneChunk') return chunk.terminationReason;
    }
    return undefined;
  }
}

const ask = `
  with asked as (
    update runs set cancel_requested_at = clock_timestamp()
    where id = $1 and status = 'RUNNING' and cancel_requested_at is null
    returning id
  )
  select (select count(pg_notify('${changesChannel}', $2)) from asked) > 0 as asked, status = 'RUNNING' as running,
    coalesce((select max(seq) from run_chunks where run_id = $1), 0) as last
  from runs where id = $1`;

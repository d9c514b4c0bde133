import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../logger.ts';
import { retrying } from '../store/retry.ts';
import type { Sql } from '../store/sql.ts';
import type { HeldChunk } from './inbox.ts';
import { insertEntries, type LogEntry, type OwnedRun } from './log-statements.ts';

/** A run's log, as the group commit sees it. */
export interface CommittedLog {
  readonly runId: string;
  /** These are stored, in order; someone asked for the run to be cancelled. */
  committed(chunks: readonly HeldChunk[], cancelled: boolean): void;
  /** Nothing more of this run will be stored by this server. */
  lose(reason: string): void;
}

type Entry = LogEntry<CommittedLog>;

/**
 * A batch starts no sooner than this after the one before: twice the company for little more delay. After a pause the
 * first entry goes at once, with what comes in the same round of the event loop.
 */
const paceMs = 3;
const batchEntries = 2_000;
const batchCharacters = 2 * 1024 * 1024;
/** Above this much waiting, producers should pause; below half of it they may go on. */
const congestedEntries = 10_000;
const congestedCharacters = 8 * 1024 * 1024;

/**
 * Stores the entries of all runs of this process, one statement at a time and many entries in each, in the order in
 * which they came. While the database is away everything waits; nothing is lost, and nothing is stored twice.
 */
export class GroupCommit {
  #waiting: Entry[] = [];
  #characters = 0;
  #added = 0;
  #settled = 0;
  #working = false;
  #startedAt = Number.NEGATIVE_INFINITY;
  #drains: { readonly upTo: number; readonly resolve: () => void }[] = [];
  #roomWanted: (() => void)[] = [];
  readonly #stopped = new AbortController();

  constructor(
    private readonly sql: Sql,
    private readonly serverId: string,
    private readonly logger: Logger,
  ) {}

  get congested(): boolean {
    return this.#isCongested(1);
  }

  add(entry: Entry): void {
    this.#waiting.push(entry);
    this.#added++;
    this.#characters += entry.json.length;
    if (this.#working) return;
    this.#working = true;
    const early = this.#early();
    if (early > 0) setTimeout(() => void this.#work(), early);
    else setImmediate(() => void this.#work());
  }

  /** Everything added so far is stored, or its run was lost. */
  drained(): Promise<void> {
    if (this.#settled === this.#added) return Promise.resolve();
    return new Promise((resolve) => this.#drains.push({ upTo: this.#added, resolve }));
  }

  ready(): Promise<void> {
    return this.congested ? new Promise((resolve) => this.#roomWanted.push(resolve)) : Promise.resolve();
  }

  /** Gives up on what cannot be stored now. */
  stop(): void {
    this.#stopped.abort();
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      this.#startedAt = performance.now();
      const batch = this.#nextBatch();
      await this.#store(batch);
      this.#settled += batch.length;
      this.#wake();
      const early = this.#early();
      if (early > 0 && this.#waiting.length > 0 && this.#waiting.length < batchEntries) await pause(early);
    }
    this.#working = false;
  }

  /** How long the next batch has to wait; nothing, or less, when it may start. */
  #early(): number {
    return paceMs - (performance.now() - this.#startedAt);
  }

  #nextBatch(): readonly Entry[] {
    if (this.#waiting.length <= batchEntries && this.#characters <= batchCharacters) return this.#takeAll();
    let count = 0;
    let characters = 0;
    for (const { json } of this.#waiting) {
      if (count === batchEntries || (count > 0 && characters + json.length > batchCharacters)) break;
      count++;
      characters += json.length;
    }
    this.#characters -= characters;
    const batch = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    return batch;
  }

  #takeAll(): readonly Entry[] {
    const all = this.#waiting;
    this.#waiting = [];
    this.#characters = 0;
    return all;
  }

  /** One run's entries that the database refuses for good must not hold up those of others. */
  async #store(batch: readonly Entry[]): Promise<void> {
    let owned: readonly OwnedRun[];
    try {
      owned = await retrying(() => insertEntries(this.sql, this.serverId, batch), this.#stopped.signal);
    } catch (error) {
      const runs = Map.groupBy(batch, ({ log }) => log);
      if (runs.size > 1 && !this.#stopped.signal.aborted) {
        for (const entries of runs.values()) await this.#store(entries);
        return;
      }
      for (const log of runs.keys()) {
        this.logger.error({ runId: log.runId, reason: String(error) }, 'a run could not be stored');
        log.lose('its log could not be stored');
      }
      return;
    }
    this.#settle(batch, owned);
  }

  /** It is stored: whatever fails from here on is no reason to store it again, and nothing to other runs. */
  #settle(batch: readonly Entry[], owned: readonly OwnedRun[]): void {
    const cancelled = new Map(owned.map((run) => [run.id, run.cancelled]));
    for (const [log, chunks] of chunksByLog(batch)) {
      const isCancelled = cancelled.get(log.runId);
      try {
        if (isCancelled === undefined) log.lose('another server has taken it over');
        else log.committed(chunks, isCancelled);
      } catch (error) {
        this.logger.error({ runId: log.runId, reason: String(error) }, 'what was stored of a run could not be told');
      }
    }
  }

  #wake(): void {
    const drains = this.#drains;
    this.#drains = drains.filter(({ upTo }) => upTo > this.#settled);
    for (const { upTo, resolve } of drains) if (upTo <= this.#settled) resolve();
    if (this.#roomWanted.length === 0 || this.#isCongested(0.5)) return;
    for (const resolve of this.#roomWanted.splice(0)) resolve();
  }

  #isCongested(share: number): boolean {
    return this.#waiting.length > congestedEntries * share || this.#characters > congestedCharacters * share;
  }
}

function chunksByLog(batch: readonly Entry[]): ReadonlyMap<CommittedLog, readonly HeldChunk[]> {
  const stored = new Map<CommittedLog, HeldChunk[]>();
  let last: CommittedLog | undefined;
  let chunks: HeldChunk[] = [];
  for (const { log, held } of batch) {
    if (log !== last) {
      last = log;
      chunks = stored.get(log) ?? [];
      stored.set(log, chunks);
    }
    if (held) chunks.push(held);
  }
  return stored;
}

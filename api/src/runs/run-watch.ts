import { setTimeout as pause } from 'node:timers/promises';
import { Repeater } from '@repeaterjs/repeater';
import type { Logger } from '../logger.ts';
import type { Change, ChangeFeed } from '../store/changes.ts';
import type { RunRecord, RunStore } from './run-store.ts';

/** Runs that have changed since the last time, newest first. */
export interface RunsChange {
  readonly runs: readonly RunRecord[];
  /** More may have changed than is told here: lists should be read anew. */
  readonly reload: boolean;
}

/** Whoever follows hears no more often than this: what happens meanwhile is told together. */
const paceMs = 1_000;
/** The first of several things that happen together waits so long for the others. */
const gatherMs = 50;
const mostAtOnce = 100;
const mostWaiting = 1_000;
const mostOwners = 10_000;

/** Tells which runs have changed, on whichever server they run: begun, gone a step further, or ended. */
export class RunWatch {
  /** Whose runs are; lest those of others are read again and again. */
  readonly #owners = new Map<string, string>();

  constructor(
    private readonly changes: ChangeFeed,
    private readonly store: RunStore,
    private readonly log: Logger,
  ) {}

  /** Of one person, or of everybody: those under way first, then every change. Slow readers get fewer, not older, ones. */
  follow(userId: string | undefined): AsyncIterable<RunsChange> {
    return new Repeater<RunsChange>(async (push, stop) => {
      const stopped = new AbortController();
      const resting = (ms: number) => pause(ms, undefined, { signal: stopped.signal }).catch(() => undefined);
      const waiting = new Waiting(userId);
      const stopListening = this.changes.listen((change) => waiting.note(change));
      void stop.then(() => {
        stopListening();
        stopped.abort();
        waiting.wake();
      });
      while (!stopped.signal.aborted) {
        const told = await this.#take(waiting, userId);
        if (told) await push(told);
        if (told) await resting(paceMs);
        await waiting.something;
        await resting(gatherMs);
      }
    });
  }

  /** While the database is away, nobody can be told anything; after that, everything has to be read again. */
  async #take(waiting: Waiting, userId: string | undefined): Promise<RunsChange | undefined> {
    try {
      return await this.#read(waiting.take(), userId);
    } catch (error) {
      this.log.warn({ reason: String(error) }, 'changed runs could not be read');
      waiting.doubt();
      await pause(paceMs);
      return undefined;
    }
  }

  async #read({ ids, reload }: Taken, userId: string | undefined): Promise<RunsChange | undefined> {
    const isForeign = (id: string) => userId !== undefined && (this.#owners.get(id) ?? userId) !== userId;
    if (reload) return { runs: await this.store.underWay(userId, mostAtOnce), reload };
    const wanted = ids.filter((id) => !isForeign(id));
    if (wanted.length === 0) return undefined;
    const found = await this.store.findAll(wanted);
    for (const run of found) this.#remember(run);
    const runs = found.filter(({ id }) => !isForeign(id));
    return runs.length > 0 ? { runs, reload } : undefined;
  }

  #remember({ id, userId }: RunRecord): void {
    this.#owners.set(id, userId);
    const [oldest] = this.#owners.size > mostOwners ? this.#owners.keys() : [];
    if (oldest !== undefined) this.#owners.delete(oldest);
  }
}

interface Taken {
  readonly ids: readonly string[];
  readonly reload: boolean;
}

/** What one reader has not been told yet. */
class Waiting {
  readonly #ids = new Set<string>();
  /** At first nobody knows what was missed. */
  #reload = true;
  #wake = Promise.withResolvers<void>();

  constructor(private readonly userId: string | undefined) {}

  note(change: Change): void {
    switch (change.type) {
      case 'run-appended':
        for (const [runId] of change.runs) this.#ids.add(runId);
        if (this.#ids.size > mostWaiting) this.#reload = true;
        break;
      case 'runs-removed':
        if (this.userId !== undefined && change.userId !== this.userId) return;
        this.#reload = true;
        break;
      case 'changes-missed':
        this.#reload = true;
        break;
      default:
        return;
    }
    if (this.#reload) this.#ids.clear();
    this.wake();
  }

  doubt(): void {
    this.#reload = true;
    this.wake();
  }

  wake(): void {
    this.#wake.resolve();
  }

  take(): Taken {
    const ids = [...this.#ids].slice(0, mostAtOnce);
    const reload = this.#reload;
    for (const id of ids) this.#ids.delete(id);
    this.#reload = false;
    if (this.#ids.size === 0) this.#wake = Promise.withResolvers();
    return { ids, reload };
  }

  get something(): Promise<void> {
    return this.#wake.promise;
  }
}

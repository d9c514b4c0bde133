import type { EventBus } from '../events/bus.ts';
import type { Source } from '../tools/tool.ts';
import type { MoveOutcome, Vault, WriteOutcome } from '../vault/vault.ts';
import type { Watch } from '../watchers.ts';
import type { NoteChanges } from './note-changes.ts';
import type { NoteStore, OwnWork } from './note-store.ts';
import { changeInWords, type NoteState, ReadNotes, type StaleNote } from './read-notes.ts';

export interface SourceWatchPorts {
  readonly changes: NoteChanges;
  readonly store: NoteStore;
  report(error: unknown): void;
}

/**
 * Watches over the notes that a conversation relies on, for one run: tells at its beginning what became of those that
 * earlier exchanges cite, and from then on whatever becomes of them or of what the run itself has read.
 */
export class SourceWatch {
  readonly #notes = new ReadNotes();
  readonly #watch: Watch;
  #bus: EventBus | undefined;
  /** Found out before anybody could be told. */
  #atBeginning: readonly StaleNote[] = [];
  #begun = false;
  #ended = false;
  /** Something in the project has changed since the run began. */
  #changed = false;
  #looking = false;
  #again = false;
  /** Writes of the run itself that are under way. */
  #writing = 0;
  /** Counts what the run read and wrote: what was looked up before is out of date then. */
  #moment = 0;

  constructor(
    private readonly ports: SourceWatchPorts,
    private readonly projectId: string,
  ) {
    this.#watch = ports.changes.watch(projectId, () => {
      this.#changed = true;
      this.#look();
    });
  }

  /** The run follows this exchange: what the conversation read until then counts as well. Never rejects. */
  async follow(exchangeId: string): Promise<void> {
    const { store, report } = this.ports;
    try {
      const earlier = await store.readNotes(exchangeId);
      if (earlier.length === 0) return;
      const states = await store.states(this.projectId, earlier);
      this.#notes.remember(earlier);
      if (this.#notes.stale(states).length > 0) this.#forgive(await store.ownWork(exchangeId), states);
      this.#atBeginning = this.#notes.stale(states);
      for (const stale of this.#atBeginning) this.#notes.tell(stale);
      if (this.#begun) this.#tellBeginning(); // late
    } catch (error) {
      report(error);
    }
  }

  listen(bus: EventBus): void {
    this.#bus = bus;
    const listening = bus.on('agent.turn.start', () => {
      bus.off(listening);
      this.#begun = true;
      this.#tellBeginning();
    });
    bus.on('session.end', () => {
      this.#ended = true;
    });
    if (this.#changed) this.#look();
  }

  cited(source: Source): void {
    this.#moment += 1;
    this.#notes.cite(source);
    if (this.#changed) this.#look(); // it may have changed between the reading and now
  }

  /** The vault as the run's tools have it: what they change themselves is no news. */
  guard(vault: Vault): Vault {
    return {
      search: (...given) => vault.search(...given),
      read: (...given) => vault.read(...given),
      list: (...given) => vault.list(...given),
      write: (...given) => this.#own(() => vault.write(...given)),
      move: (...given) => this.#own(() => vault.move(...given)),
    };
  }

  close(): void {
    this.#ended = true;
    this.#watch.end();
  }

  #tellBeginning(): void {
    for (const stale of this.#atBeginning) this.#tell(stale);
    this.#atBeginning = [];
  }

  /** What the conversation did itself is no news to it. */
  #forgive(own: OwnWork, states: readonly NoteState[]): void {
    for (const { change, state, alsoChanged = change === 'CHANGED' } of this.#notes.stale(states)) {
      if (!state || (change === 'MOVED' && !own.moved(state))) continue;
      if (!alsoChanged || own.wrote(state)) this.#notes.wrote(state);
    }
  }

  async #own<Outcome extends WriteOutcome | MoveOutcome>(work: () => Promise<Outcome>): Promise<Outcome> {
    this.#writing += 1;
    try {
      const outcome = await work();
      if ('note' in outcome) this.#notes.wrote(outcome.note);
      return outcome;
    } finally {
      this.#writing -= 1;
      this.#moment += 1;
      if (this.#changed) this.#look();
    }
  }

  /** One look at a time; whatever happens meanwhile causes one more. */
  #look(): void {
    this.#again = true;
    if (this.#looking || !this.#bus) return;
    void this.#lookUntilSure();
  }

  async #lookUntilSure(): Promise<void> {
    this.#looking = true;
    while (this.#again && this.#writing === 0 && !this.#ended) {
      this.#again = false;
      const { all } = this.#notes;
      if (all.length === 0) break;
      const moment = this.#moment;
      try {
        const states = await this.ports.store.states(this.projectId, all);
        if (moment !== this.#moment || this.#writing > 0) this.#again = true;
        else for (const stale of this.#notes.stale(states)) this.#tell(stale);
      } catch (error) {
        this.ports.report(error);
      }
    }
    this.#looking = false;
  }

  #tell(stale: StaleNote): void {
    if (this.#ended) return;
    this.#notes.tell(stale);
    const { path, title, change, state, alsoChanged = false } = stale;
    this.#bus?.emit('source.stale', {
      path,
      ...(title === undefined ? {} : { title }),
      change,
      what: changeInWords(stale),
      ...(change === 'MOVED' && state ? { newPath: state.path } : {}),
      ...(state && (change === 'CHANGED' || alsoChanged) ? { changedAt: state.updatedAt.toISOString() } : {}),
    });
  }
}

import { tokensSoFar } from '../agent/state.ts';
import type { EventBus } from '../events/bus.ts';
import type { ModelNotice } from '../events/model-notice.ts';
import { openRunEvents, type RunEvents, type RunView } from '../events/run-events.ts';
import { reminderSubscriber, type SelfNotice, SelfNotices } from '../events/self-notices.ts';
import type { Subscriber } from '../events/subscriber.ts';
import type { Logger } from '../logger.ts';
import type { Source } from '../tools/tool.ts';
import type { Vault } from '../vault/vault.ts';
import type { Watch } from '../watchers.ts';
import { within } from '../within.ts';
import { leftOverOf, reminderIdOf } from './left-notices.ts';
import type { NoteChanges } from './note-changes.ts';
import type { NoteStore } from './note-store.ts';
import type { NoticeStore } from './notice-store.ts';
import type { NotificationSettings } from './notification-settings.ts';
import { SourceWatch, type SourceWatchPorts } from './source-watch.ts';
import type { SubscriberFiles } from './subscriber-files.ts';

export interface NotificationDependencies {
  readonly files: Pick<SubscriberFiles, 'subscribers'>;
  readonly settings: NotificationSettings;
  readonly store: NoticeStore;
  readonly notes: NoteStore;
  readonly noteChanges: NoteChanges;
  readonly log: Logger;
}

/** A run neither begins nor ends later than this because of its notices. */
const patienceMs = 2_000;

/** A run whose events are to be opened. */
export interface NotifiedRun {
  readonly userId: string;
  readonly projectId: string;
  readonly runId: string;
  /** The exchange that it follows. */
  readonly parentId: string | null;
}

/** Hears of every event, the sub-agent's included. */
export type RunListener = (bus: EventBus, view: RunView) => void;

/** The events of one run, prepared: who listens, what waits from earlier sessions, which sources have changed. */
export interface RunNotifications {
  open(view: RunView, listeners: readonly RunListener[]): RunEvents;
  /** With the id of the call that asks for it. */
  notifySelf(notice: Omit<SelfNotice, 'id'>, callId: string): string;
  /** The run relies on it from now on. */
  cited(source: Source): void;
  /** For the tools of the run. */
  guard(vault: Vault): Vault;
  /** Before the run's last word: what nobody was told is kept for the next session. */
  keepRest(): Promise<void>;
  close(): void;
}

/** Prepares the events of runs. Each has a bus of its own, and subscribers as they are declared and switched on. */
export class Notifications {
  constructor(private readonly dependencies: NotificationDependencies) {}

  /** Never rejects: a run goes on without what could not be read. */
  async prepare(run: NotifiedRun): Promise<RunNotifications> {
    const { settings, store } = this.dependencies;
    const { userId, projectId, runId, parentId } = run;
    const sources = new SourceWatch(this.#watchPorts(runId), projectId);
    const prepared = new PreparedRun(this.dependencies, run, sources);
    const claiming = store.claim(userId, projectId, runId);
    const [off, waiting] = await Promise.all([
      this.#unlessAway(settings.switchedOff(userId), () => new Set<string>()),
      this.#unlessAway(claiming, () => {
        // Whatever it brings now comes too late for this run.
        claiming.then(() => store.giveBack(runId)).catch(() => undefined);
        return [];
      }),
      parentId === null ? undefined : within(patienceMs, sources.follow(parentId)),
    ]);
    prepared.begin(off, waiting);
    return prepared;
  }

  #watchPorts(runId: string): SourceWatchPorts {
    const { notes: store, noteChanges: changes, log } = this.dependencies;
    const report = (error: unknown) => log.warn({ runId, reason: String(error) }, 'notes could not be looked up');
    return { store, changes, report };
  }

  async #unlessAway<T extends object>(reading: Promise<T>, otherwise: () => T): Promise<T> {
    try {
      const read = await within(patienceMs, reading);
      if (read !== undefined) return read;
      throw new Error(`There was no answer for ${patienceMs} ms.`);
    } catch (error) {
      this.dependencies.log.warn({ reason: String(error) }, 'notifications could not be read');
      return otherwise();
    }
  }
}

class PreparedRun implements RunNotifications {
  readonly #own = new SelfNotices();
  readonly #fired = new Set<string>();
  /** What the model should have been told. */
  readonly #unheard: ModelNotice[] = [];
  readonly #watch: Watch;
  /** What is switched on now; made anew when a file or a switch has changed. */
  #chosen: { readonly from: readonly Subscriber[]; readonly subscribers: readonly Subscriber[] } | undefined;
  #view: RunView | undefined;
  #off: ReadonlySet<string> | undefined;

  constructor(
    private readonly dependencies: NotificationDependencies,
    private readonly run: NotifiedRun,
    private readonly sources: SourceWatch,
  ) {
    this.#watch = dependencies.settings.watch(run.userId, (off) => {
      this.#off = off;
      this.#chosen = undefined;
    });
  }

  /** What was read meanwhile; a switch that changed since then knows better. */
  begin(off: ReadonlySet<string>, waiting: readonly SelfNotice[]): void {
    this.#off ??= off;
    // Switched off a moment after they were claimed, they wait on: at the end of the run they are given back.
    const nextSession = this.#off.has(reminderSubscriber);
    for (const notice of waiting) this.#own.add({ ...notice, nextSession }, 0);
  }

  open(view: RunView, listeners: readonly RunListener[]): RunEvents {
    const heard = listeners.map((listen) => (bus: EventBus) => listen(bus, view));
    if (view.subAgent !== undefined) {
      const core = coreOf(this.dependencies.files.subscribers);
      return openRunEvents(view, { subscribers: () => core, listeners: heard, later });
    }
    this.#view = view;
    return openRunEvents(view, {
      subscribers: () => this.#subscribers(),
      listeners: [...heard, (bus) => this.#own.listen(bus, knownOf(view)), (bus) => this.sources.listen(bus)],
      later,
      onTold: ({ id }) => this.#fired.add(id),
      onLeftOver: (notices) => this.#unheard.push(...notices),
    });
  }

  notifySelf(notice: Omit<SelfNotice, 'id'>, callId: string): string {
    const turn = this.#view?.turn() ?? 0;
    if (!this.#own.add({ ...notice, id: reminderIdOf(this.run.runId, turn, callId) }, turn))
      throw new Error('Too many reminders are waiting already.');
    return notice.nextSession === true ? 'You will be reminded in the next session.' : 'You will be reminded.';
  }

  cited(source: Source): void {
    this.sources.cited(source);
  }

  guard(vault: Vault): Vault {
    return this.sources.guard(vault);
  }

  async keepRest(): Promise<void> {
    const { store, log } = this.dependencies;
    const { runId } = this.run;
    const leftOver = leftOverOf(runId, this.#unheard.splice(0), this.#own.takeRest());
    const { back, fresh, dropped } = leftOver;
    if (back.length === 0 && fresh.length === 0) return;
    if (dropped > 0) log.warn({ runId, dropped }, 'there were more notices for the next session than it can be told');
    const report = (error: unknown) =>
      log.error({ runId, reason: String(error) }, 'notices for the next session could not be kept');
    await within(patienceMs, store.keep(this.run, leftOver).catch(report));
  }

  close(): void {
    const { settings, log } = this.dependencies;
    this.#watch.end();
    this.sources.close();
    if (this.#fired.size === 0) return;
    settings.fired(this.run.userId, [...this.#fired]).catch((error: unknown) => {
      log.warn({ runId: this.run.runId, reason: String(error) }, 'what was told could not be noted');
    });
  }

  #subscribers(): readonly Subscriber[] {
    const { subscribers: all } = this.dependencies.files;
    if (this.#chosen?.from !== all) this.#chosen = { from: all, subscribers: switchedOn(all, this.#off ?? nobody) };
    return this.#chosen.subscribers;
  }
}

function coreOf(all: readonly Subscriber[]): readonly Subscriber[] {
  return switchedOn(all, new Set(all.flatMap(({ id, core }) => (core ? [] : [id]))));
}

const nobody: ReadonlySet<string> = new Set();
const knownChoices = new WeakMap<readonly Subscriber[], Map<string, readonly Subscriber[]>>();
const mostChoices = 100;

/** The same list for all who have switched off the same: what is found out about a list is found out once. */
function switchedOn(all: readonly Subscriber[], off: ReadonlySet<string>): readonly Subscriber[] {
  if (off.size === 0) return all;
  const choices = knownChoices.get(all) ?? new Map<string, readonly Subscriber[]>();
  knownChoices.set(all, choices);
  const choice = [...off].sort().join(' ');
  const known = choices.get(choice);
  if (known) return known;
  const subscribers = all.filter(({ id, core }) => core || !off.has(id));
  if (choices.size < mostChoices) choices.set(choice, subscribers);
  return subscribers;
}

function knownOf(view: RunView) {
  return {
    windowSize: view.windowSize,
    turn: () => view.turn(),
    messages: () => view.messages(),
    promptTokens: () => view.promptTokens(),
    tokensUsed: () => tokensSoFar(view.state()),
  };
}

function later(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}

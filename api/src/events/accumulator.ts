import { type EventName, payloadOf, type RunEvent, severityRank } from './event.ts';
import { EventNames } from './event-names.ts';
import { matchesPattern } from './event-pattern.ts';
import { type InjectPoint, priorities, type Subscriber } from './subscriber.ts';
import { fillTemplate } from './template.ts';

/** One thing that happened, and how often since it was last told. */
export interface Counted {
  /** The latest of them. */
  readonly event: RunEvent;
  readonly times: number;
  /** When the first of them happened, and its number. */
  readonly since: number;
  readonly first: number;
}

/** What one subscriber has to say now, oldest first. */
export interface Notification {
  readonly subscriber: Subscriber;
  readonly entries: readonly Counted[];
}

/** `key` is what it waits under; the subscriber's file may make another one of the same event by the time it is told. */
type Waiting = Omit<Counted, 'event' | 'times'> & { readonly key: string; event: RunEvent; times: number };

/** How many different things of one subscriber may wait; beyond that the oldest is told early. */
const mostWaiting = 100;
/** How many told keys are remembered to recognise repeats. */
const mostRemembered = 500;

/**
 * Gathers what the subscribers of one run want to say until it is time to say it. Pure: time comes with the events and
 * the questions. Nothing is lost here: what is not told at once is told at its inject point or at the end.
 */
export class Accumulator {
  #wanted: Wanted;
  /** One for each subscriber who has heard of something, which is nobody in most runs. */
  #queues: Queue[] = [];
  #waiting = false;

  constructor(subscribers: readonly Subscriber[]) {
    this.#wanted = wantedBy(subscribers);
  }

  /** From now on these. What waits for one that is gone is forgotten with it; one that has changed keeps what waits. */
  use(subscribers: readonly Subscriber[]): void {
    const present = new Map(subscribers.map((subscriber) => [subscriber.id, subscriber]));
    this.#queues = this.#queues.filter((queue) => {
      const subscriber = present.get(queue.subscriber.id);
      if (subscriber) queue.subscriber = subscriber;
      return subscriber !== undefined;
    });
    this.#wanted = wantedBy(subscribers);
  }

  /** Of events that could concern anybody. */
  get names(): EventNames {
    return this.#wanted.names;
  }

  /** False when nothing waits at all, as at most points. */
  get waits(): boolean {
    return this.#waiting;
  }

  /** What the event makes due at once. */
  take(event: RunEvent): readonly Notification[] {
    const due: Notification[] = [];
    for (const subscriber of this.#wanted.by(event.name)) {
      if (severityRank(event.severity) < severityRank(subscriber.severity)) continue;
      const queue = this.#queueOf(subscriber);
      queue.add(event);
      this.#waiting = true;
      const { batch, inject } = subscriber;
      if (batch ? queue.isFull(event.at) : inject === 'IMMEDIATE' || queue.isFull(event.at)) queue.flush(event.at, due);
    }
    return due.length > 1 ? inOrder(due) : due;
  }

  /** Everything that waits for this point, and every batch whose time is over. Immediate ones wait for no point longer. */
  reach(point: InjectPoint, now: number): readonly Notification[] {
    return this.#flush(now, point);
  }

  /** Batches whose time is over. */
  tick(now: number): readonly Notification[] {
    return this.#flush(now, undefined);
  }

  /** All that waits, also what is held back as a repetition. */
  end(now: number): readonly Notification[] {
    const due: Notification[] = [];
    for (const queue of this.#queues) queue.flush(now, due, true);
    return due.length > 1 ? inOrder(due) : due;
  }

  /** When a batch's time is over, if one waits. */
  get nextAt(): number | undefined {
    let next: number | undefined;
    for (const queue of this.#queues) {
      const { fullAt } = queue;
      if (fullAt !== undefined && (next === undefined || fullAt < next)) next = fullAt;
    }
    return next;
  }

  #queueOf(subscriber: Subscriber): Queue {
    for (const known of this.#queues) if (known.subscriber === subscriber) return known;
    const queue = new Queue(subscriber);
    this.#queues.push(queue);
    return queue;
  }

  #flush(now: number, point: InjectPoint | undefined): readonly Notification[] {
    const due: Notification[] = [];
    if (!this.#waiting) return due;
    this.#waiting = false;
    for (const queue of this.#queues) {
      if (queue.isEmpty) continue;
      if (queue.isDueAt(point) || queue.isFull(now)) queue.flush(now, due);
      this.#waiting ||= !queue.isEmpty;
    }
    return due.length > 1 ? inOrder(due) : due;
  }
}

/** Who wants which events, found out once for all runs that have the same subscribers. */
class Wanted {
  readonly names: EventNames;
  readonly #subscribers: readonly Subscriber[];
  readonly #known = new Map<EventName, readonly Subscriber[]>();

  constructor(subscribers: readonly Subscriber[]) {
    this.#subscribers = subscribers;
    this.names = new EventNames((name) => this.by(name).length > 0);
  }

  /** Those who want events of this name. */
  by(name: EventName): readonly Subscriber[] {
    const known = this.#known.get(name);
    if (known) return known;
    const found = this.#subscribers.filter(({ events }) => events.some((pattern) => matchesPattern(pattern, name)));
    if (this.#known.size < mostNames) this.#known.set(name, found);
    return found;
  }
}

/** Rules may emit events of any name; so many are remembered. */
const mostNames = 200;
const knownWants = new WeakMap<readonly Subscriber[], Wanted>();

function wantedBy(subscribers: readonly Subscriber[]): Wanted {
  let known = knownWants.get(subscribers);
  if (!known) {
    known = new Wanted(subscribers);
    knownWants.set(subscribers, known);
  }
  return known;
}

/** What waits for one subscriber. */
class Queue {
  /** Oldest first; never many. */
  #waiting: Waiting[] = [];
  /** When each key was last told. */
  #told: Map<string, number> | undefined;

  constructor(public subscriber: Subscriber) {}

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** When the first window is over; only for batches. */
  get fullAt(): number | undefined {
    const { batch } = this.subscriber;
    if (!batch || this.isEmpty) return undefined;
    const window = batch.window_seconds * 1_000;
    const ready = this.#ready(Number.POSITIVE_INFINITY);
    if (ready.length === 0) return undefined;
    return Math.min(...ready.map((one) => Math.max(one.since + window, this.#heldUntil(one))));
  }

  add(event: RunEvent): void {
    const key = this.#keyOf(event);
    const known = this.isEmpty ? undefined : this.#waiting.find((one) => one.key === key);
    if (known) {
      known.event = event;
      known.times += 1;
      return;
    }
    this.#waiting.push({ key, event, times: 1, since: event.at, first: event.number });
  }

  isDueAt(point: InjectPoint | undefined): boolean {
    const { inject } = this.subscriber;
    return point !== undefined && (inject === point || inject === 'IMMEDIATE');
  }

  isFull(now: number): boolean {
    if (this.#waiting.length >= mostWaiting) return true;
    const { batch } = this.subscriber;
    if (!batch) return false;
    const ready = this.#ready(now);
    const count = ready.reduce((sum, { times }) => sum + times, 0);
    const oldest = ready[0]?.since ?? Number.POSITIVE_INFINITY;
    return count >= batch.size || now - oldest >= batch.window_seconds * 1_000;
  }

  /** Adds what is to be told to what is due. */
  flush(now: number, due: Notification[], all = false): void {
    if (this.isEmpty) return;
    const full = this.#waiting.length >= mostWaiting;
    const ready = full ? this.#waiting : this.#ready(all ? Number.POSITIVE_INFINITY : now);
    if (ready.length === 0) return;
    this.#waiting = ready === this.#waiting ? [] : this.#waiting.filter((one) => !ready.includes(one));
    if (this.subscriber.dedupe) for (const { key } of ready) this.#remember(key, now);
    due.push({ subscriber: this.subscriber, entries: ready });
  }

  /** What was told a moment ago is held back and counted meanwhile; so is what never happened often enough yet. */
  #ready(now: number): readonly Waiting[] {
    const { dedupe } = this.subscriber;
    if (!dedupe) return this.#waiting;
    return this.#waiting.filter(
      (one) => (one.times >= dedupe.at_least || this.#told?.has(one.key) === true) && this.#heldUntil(one) <= now,
    );
  }

  #heldUntil({ key }: Waiting): number {
    const { dedupe } = this.subscriber;
    const told = dedupe && this.#told?.get(key);
    return dedupe && told !== undefined ? told + dedupe.window_seconds * 1_000 : Number.NEGATIVE_INFINITY;
  }

  #keyOf(event: RunEvent): string {
    const key = this.subscriber.dedupe?.key;
    return key === undefined ? event.dedupeKey : fillTemplate(key, payloadOf(event), 1);
  }

  #remember(key: string, now: number): void {
    this.#told ??= new Map();
    this.#told.delete(key);
    this.#told.set(key, now);
    const [oldest] = this.#told.keys();
    if (this.#told.size > mostRemembered && oldest !== undefined) this.#told.delete(oldest);
  }
}

/** By priority, then by age. */
function inOrder(notifications: readonly Notification[]): readonly Notification[] {
  return notifications.toSorted((one, other) => rank(one) - rank(other) || age(one) - age(other));
}

function rank({ subscriber, entries }: Notification): number {
  return Math.min(...entries.map((entry) => rankOf(subscriber, entry)));
}

function age({ entries }: Notification): number {
  return entries[0]?.first ?? 0;
}

/** The most important first. A payload may know better than its subscriber how much it matters. */
export function rankOf(subscriber: Subscriber, { event }: Counted): number {
  const { priority } = payloadOf(event);
  return priorities.indexOf(priorities.find((known) => known === priority) ?? subscriber.priority);
}

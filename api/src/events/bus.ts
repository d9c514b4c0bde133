import { BoundedEvents } from './bounded-events.ts';
import {
  dedupeKeyOf,
  definitionOf,
  type EventName,
  type EventSeverity,
  type JsonRecord,
  type PayloadOf,
  type RunEvent,
} from './event.ts';
import { EventNames } from './event-names.ts';

/** `place` is that of the event among all: see `definitionOf`. */
export type EventHandler = (event: RunEvent, place: number) => void;

/** Somebody who listens, and to what; other names count from the next event on. */
export interface EventListener {
  readonly names: EventNames;
  readonly hear: EventHandler;
}

/** One that is nothing but a function. */
export type Listening = EventListener & { names: EventNames };

export interface BusPorts {
  now(): number;
  /** Turns started so far. */
  turn(): number;
  /** A handler threw. It is isolated: all others still hear of the event. */
  reportFailure(error: unknown, event: RunEvent): void;
}

export interface EmitOptions {
  /** In place of the usual one. */
  readonly severity?: EventSeverity;
  readonly dedupeKey?: string;
}

const usual: EmitOptions = {};

/** What handlers may emit while they are being told of something. */
const mostWaiting = 1_000;
/** An event that follows from one that follows from one… this deep is a circle. */
const deepest = 8;

/**
 * The events of one run. Synchronous: `emit` returns when every handler has been told. What handlers emit themselves is
 * told after the event that they were told of, so that everybody hears of everything in the same order.
 */
export class EventBus {
  readonly #ports: BusPorts;
  readonly #capacity: number;
  /** Made anew when somebody comes or goes, so that an event is told to those who were there when it happened. */
  #listening: readonly EventListener[] = [];
  /** In most runs no handler ever emits anything. */
  #waiting: BoundedEvents | undefined;
  readonly #depths = new Map<RunEvent, number>();
  #count = 0;
  #depth = 0;
  #telling = false;

  constructor(ports: BusPorts, capacity = mostWaiting) {
    this.#ports = ports;
    this.#capacity = capacity;
  }

  /** Told of every event of these names. */
  on(names: string | EventNames, handler: EventHandler): Listening {
    const listening = { names: typeof names === 'string' ? EventNames.of(names) : names, hear: handler };
    this.add(listening);
    return listening;
  }

  add(listener: EventListener): void {
    this.#listening = [...this.#listening, listener];
  }

  off(listening: EventListener): void {
    this.#listening = this.#listening.filter((one) => one !== listening);
  }

  emit<Name extends EventName>(name: Name, payload: PayloadOf<Name>, options: EmitOptions = usual): void {
    if (this.#depth >= deepest) throw new Error(`"${name}" would follow from itself: handlers answer each other.`);
    const definition = definitionOf(name);
    const event = {
      number: ++this.#count,
      name,
      severity: options.severity ?? definition.severity,
      at: this.#ports.now(),
      turn: this.#ports.turn(),
      dedupeKey: options.dedupeKey ?? dedupeKeyOf(name, definition, payload as JsonRecord),
      payload,
    } as RunEvent; // the signature has checked that the payload is that of the name
    if (this.#telling) {
      this.#depths.set(event, this.#depth + 1);
      this.#waiting ??= new BoundedEvents(this.#capacity);
      this.#waiting.add(event);
    } else this.#tellAll(event, definition.place);
  }

  #tellAll(first: RunEvent, place: number): void {
    this.#telling = true;
    this.#tellEverybody(first, place);
    if (this.#waiting) this.#tellWaiting(this.#waiting);
    this.#telling = false;
    const dropped = this.#waiting?.takeDropped();
    if (dropped) this.emit('events.dropped', { dropped: dropped.count, mostSevere: dropped.mostSevere });
  }

  #tellWaiting(waiting: BoundedEvents): void {
    for (let event = waiting.take(); event; event = waiting.take()) {
      this.#depth = this.#depths.get(event) ?? 0;
      this.#tellEverybody(event, definitionOf(event.name).place);
    }
    this.#depth = 0;
    this.#depths.clear();
  }

  #tellEverybody(event: RunEvent, place: number): void {
    const everybody = this.#listening;
    for (let next = 0; next < everybody.length; next += 1) {
      const listening = everybody[next];
      if (listening?.names.has(event.name, place)) this.#tell(listening, event, place);
    }
  }

  #tell(listening: EventListener, event: RunEvent, place: number): void {
    try {
      listening.hear(event, place);
    } catch (error) {
      this.#ports.reportFailure(error, event);
    }
  }
}

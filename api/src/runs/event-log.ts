import { BoundedEvents } from '../events/bounded-events.ts';
import type { EventBus } from '../events/bus.ts';
import { type JsonRecord, type RunEvent, storedPayload } from '../events/event.ts';
import type { StoredEvent } from './log-statements.ts';

/** What waits while the database cannot keep up; beyond that, the least severe goes. */
const mostWaiting = 1_000;
const longestText = 2_000;
const longestPayload = 16_000;

export interface EventLogPorts {
  readonly congested: boolean;
  ready(): Promise<void>;
  recordEvent(event: Omit<StoredEvent, 'number'>, payload: string): void;
}

/** Puts every event of a run into its log, beside the chunks. A flood that cannot be stored is thinned, never waited for. */
export class EventLog {
  readonly #waiting = new BoundedEvents(mostWaiting);
  #bus: EventBus | undefined;
  /** From the run's clock, which never runs backwards, to that on the wall: what waits is stored with when it happened. */
  #toWallClock: number | undefined;
  #flushing = false;
  #ended = false;

  constructor(
    private readonly writer: EventLogPorts,
    private readonly agent: string | undefined,
  ) {}

  listen(bus: EventBus): void {
    this.#bus = bus;
    bus.on('*', (event) => this.#take(event));
  }

  #take(event: RunEvent): void {
    this.#toWallClock ??= Date.now() - event.at;
    if (event.name === 'session.end') this.#end();
    if (this.#ended || (!this.#flushing && !this.writer.congested)) {
      this.#record(event);
      return;
    }
    this.#waiting.add(event);
    if (this.#flushing) return;
    this.#flushing = true;
    void this.writer.ready().then(() => this.#flush());
  }

  /** The log is closed a moment later: what is not in it by then will never be. */
  #end(): void {
    this.#ended = true;
    this.#flush();
  }

  #flush(): void {
    this.#flushing = false;
    for (let event = this.#waiting.take(); event; event = this.#waiting.take()) this.#record(event);
    const dropped = this.#waiting.takeDropped();
    // Everybody should hear of it, so it comes back here as an event like any other.
    if (dropped) this.#bus?.emit('events.dropped', { dropped: dropped.count, mostSevere: dropped.mostSevere });
  }

  #record(event: RunEvent): void {
    const { turn, name, severity } = event;
    const { agent } = this;
    const stored = jsonOf(storedPayload(event));
    const at = Math.round(event.at + (this.#toWallClock ?? 0));
    this.writer.recordEvent({ at, turn, name, severity, ...(agent === undefined ? {} : { agent }) }, stored);
  }
}

/** Most payloads are short: only those that hold a long text are looked at part by part. */
function jsonOf(payload: JsonRecord): string {
  let json = JSON.stringify(payload);
  if (json.length > longestText) json = JSON.stringify(payload, shortened);
  return json.length <= longestPayload ? json : '{"leftOut":"The payload was too long."}';
}

function shortened(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > longestText ? `${value.slice(0, longestText)}…` : value;
}

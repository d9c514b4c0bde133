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
  recordEvent(event: Omit<StoredEvent, 'number' | 'at'>, payload: string): void;
}

/** Puts every event of a run into its log, beside the chunks. A flood that cannot be stored is thinned, never waited for. */
export class EventLog {
  readonly #waiting = new BoundedEvents(mostWaiting);
  #flushing = false;
  #ended = false;

  constructor(
    private readonly writer: EventLogPorts,
    private readonly agent: string | undefined,
  ) {}

  listen(bus: EventBus): void {
    bus.on('*', (event) => this.#take(event));
  }

  #take(event: RunEvent): void {
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
    if (!dropped) return;
    const payload = { dropped: dropped.count, mostSevere: dropped.mostSevere };
    this.#write({ turn: 0, name: 'events.dropped', severity: 'WARNING' }, payload);
  }

  #record(event: RunEvent): void {
    this.#write(event, storedPayload(event));
  }

  #write({ turn, name, severity }: Pick<RunEvent, 'turn' | 'name' | 'severity'>, payload: JsonRecord): void {
    const { agent } = this;
    const json = JSON.stringify(payload, shortened);
    const stored = json.length <= longestPayload ? json : '{"leftOut":"The payload was too long."}';
    this.writer.recordEvent({ turn, name, severity, ...(agent === undefined ? {} : { agent }) }, stored);
  }
}

function shortened(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > longestText ? `${value.slice(0, longestText)}…` : value;
}

import { type RunEvent, severityRank } from './event.ts';

const neverDropped = severityRank('ERROR');

/** What had to go, for the one event that tells of it. */
export interface Dropped {
  readonly count: number;
  readonly mostSevere: RunEvent['severity'];
}

/**
 * A queue that holds so many events. One too many, and the least severe goes, the oldest of these first. Errors are
 * never dropped: they alone may make it longer.
 */
export class BoundedEvents {
  /** One list for each severity, in order of arrival. */
  readonly #waiting: RunEvent[][] = [[], [], [], [], []];
  #size = 0;
  #dropped: { count: number; mostSevere: RunEvent['severity'] } | undefined;

  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.#size;
  }

  add(event: RunEvent): void {
    this.#waiting[severityRank(event.severity)]?.push(event);
    this.#size += 1;
    if (this.#size > this.capacity) this.#dropOne();
  }

  /** The oldest of all. */
  take(): RunEvent | undefined {
    let oldest: RunEvent[] | undefined;
    for (const waiting of this.#waiting) {
      const [first] = waiting;
      if (first && (!oldest?.[0] || first.number < oldest[0].number)) oldest = waiting;
    }
    if (!oldest) return undefined;
    this.#size -= 1;
    return oldest.shift();
  }

  /** What was dropped since this was last asked. */
  takeDropped(): Dropped | undefined {
    const dropped = this.#dropped;
    this.#dropped = undefined;
    return dropped;
  }

  #dropOne(): void {
    const least = this.#waiting.slice(0, neverDropped).find((waiting) => waiting.length > 0);
    const gone = least?.shift();
    if (!gone) return;
    this.#size -= 1;
    const before = this.#dropped;
    this.#dropped = { count: (before?.count ?? 0) + 1, mostSevere: moreSevere(gone.severity, before?.mostSevere) };
  }
}

function moreSevere(one: RunEvent['severity'], other: RunEvent['severity'] = one): RunEvent['severity'] {
  return severityRank(one) >= severityRank(other) ? one : other;
}

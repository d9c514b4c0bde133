import { type EventName, knownEventNames } from './event.ts';
import { matchesPattern } from './event-pattern.ts';

/** A set of names of events. It is made once for all who want the same, and asked about every event of every run. */
export class EventNames {
  readonly #isIn: (name: EventName) => boolean;
  /** By the place of the event. */
  readonly #known: readonly boolean[];

  constructor(isIn: (name: EventName) => boolean) {
    this.#isIn = isIn;
    this.#known = knownEventNames.map((name) => isIn(name));
  }

  /** Of a pattern such as `tool.call.failure`, `tool.*` or `*`. */
  static of(pattern: string): EventNames {
    let names = ofPatterns.get(pattern);
    if (!names) {
      names = new EventNames((name) => matchesPattern(pattern, name));
      if (ofPatterns.size < mostPatterns) ofPatterns.set(pattern, names);
    }
    return names;
  }

  /** What rules emit has no place. */
  has(name: EventName, place: number): boolean {
    return place < 0 ? this.#isIn(name) : this.#known[place] === true;
  }
}

const ofPatterns = new Map<string, EventNames>();
const mostPatterns = 200;

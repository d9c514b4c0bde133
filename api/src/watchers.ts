/** Somebody waits for news, until this is ended. */
export interface Watch {
  /** A second time does nothing. */
  end(): void;
}

/**
 * Who waits for news about what. Watchers come and go with runs and subscriptions, hundreds at once, and whoever has gone
 * is let go of at that moment: see `ReleasingMap` for why the sets of the language will not do.
 */
export class Watchers<Watcher> {
  readonly #groups = new Map<string, Group<Watcher>>();

  /** What anybody waits for news about. */
  get topics(): readonly string[] {
    return [...this.#groups.keys()];
  }

  has(topic: string): boolean {
    return this.#groups.has(topic);
  }

  add(topic: string, watcher: Watcher): Watch {
    let group = this.#groups.get(topic);
    if (!group) {
      group = new Group(this.#groups, topic);
      this.#groups.set(topic, group);
    }
    return group.add(watcher);
  }

  /** A copy, in no order: whoever is told something may leave. */
  of(topic: string): readonly Watcher[] {
    return this.#groups.get(topic)?.watchers ?? [];
  }
}

class Group<Watcher> {
  readonly #groups: Map<string, Group<Watcher>>;
  readonly #topic: string;
  readonly #places: Place<Watcher>[] = [];

  constructor(groups: Map<string, Group<Watcher>>, topic: string) {
    this.#groups = groups;
    this.#topic = topic;
  }

  get watchers(): readonly Watcher[] {
    const watchers: Watcher[] = [];
    for (const { watcher } of this.#places) if (watcher !== undefined) watchers.push(watcher);
    return watchers;
  }

  add(watcher: Watcher): Watch {
    const place = new Place(this, watcher, this.#places.length);
    this.#places.push(place);
    return place;
  }

  /** The last one takes the place that becomes free. */
  remove({ number }: Place<Watcher>): void {
    const last = this.#places.pop();
    if (last && last.number !== number) {
      last.number = number;
      this.#places[number] = last;
    }
    if (this.#places.length === 0) this.#groups.delete(this.#topic);
  }
}

class Place<Watcher> implements Watch {
  constructor(
    private readonly group: Group<Watcher>,
    public watcher: Watcher | undefined,
    public number: number,
  ) {}

  end(): void {
    if (this.watcher === undefined) return;
    this.watcher = undefined;
    this.group.remove(this);
  }
}

/**
 * A map for what comes and goes with runs, and holds all that there is of them. The language's own map makes itself a new
 * table every few hundred changes, and the one that it leaves behind still holds what was in it. Once such a table is old,
 * a quick collection of garbage takes all of that for alive: every run that was under way then was copied again and again,
 * for ten milliseconds at a time, until the next full collection. Here a table holds slots, and a slot is emptied when its
 * entry goes.
 */
export class ReleasingMap<Key, Value> {
  readonly #slots = new Map<Key, { value: Value | undefined }>();

  get size(): number {
    return this.#slots.size;
  }

  get(key: Key): Value | undefined {
    return this.#slots.get(key)?.value;
  }

  has(key: Key): boolean {
    return this.#slots.has(key);
  }

  set(key: Key, value: Value): void {
    const slot = this.#slots.get(key);
    if (slot) slot.value = value;
    else this.#slots.set(key, { value });
  }

  delete(key: Key): void {
    const slot = this.#slots.get(key);
    if (!slot) return;
    slot.value = undefined;
    this.#slots.delete(key);
  }

  /** A copy, as are the values. */
  keys(): readonly Key[] {
    return [...this.#slots.keys()];
  }

  values(): readonly Value[] {
    return [...this.#slots.values()].flatMap(({ value }) => (value === undefined ? [] : [value]));
  }
}

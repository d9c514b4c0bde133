/**
 * Lets work on the same key go one at a time. The database's row lock would do so too, but everybody waiting for it
 * would hold a connection, and one person's burst of changes could keep all others out.
 */
export class InTurn {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}

/** So many statements at once: more would only take connections, and make each of them smaller. */
const mostUnderWay = 2;

type Waiting<Value> = PromiseWithResolvers<Value | undefined>;

/**
 * Looks things up in the database, many in one statement: those that are asked for in one round of the event loop, or
 * while others are being looked up. Nothing is remembered; whoever asks gets what is true after asking.
 */
export class Gathered<Key, Value> {
  #waiting = new Map<Key, Waiting<Value>>();
  #underWay = 0;

  /**
   * At most `most` go into one statement, if it does more than look. After a failure that `isOwnFault`, which one of them
   * alone may have caused, each is tried by itself.
   */
  constructor(
    private readonly read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
    private readonly most = Number.POSITIVE_INFINITY,
    private readonly isOwnFault: (error: unknown) => boolean = () => false,
  ) {}

  find(key: Key): Promise<Value | undefined> {
    const known = this.#waiting.get(key);
    if (known) return known.promise;
    const asked: Waiting<Value> = Promise.withResolvers();
    this.#waiting.set(key, asked);
    if (this.#waiting.size === 1) setImmediate(() => this.#next());
    return asked.promise;
  }

  #next(): void {
    if (this.#waiting.size === 0 || this.#underWay >= mostUnderWay) return;
    const asked = new Map([...this.#waiting].slice(0, this.most));
    this.#waiting = new Map([...this.#waiting].slice(this.most));
    this.#underWay += 1;
    void this.#answer(asked).finally(() => {
      this.#underWay -= 1;
      this.#next();
    });
    if (this.#waiting.size > 0) this.#next();
  }

  async #answer(asked: ReadonlyMap<Key, Waiting<Value>>): Promise<void> {
    try {
      const found = await this.read([...asked.keys()]);
      for (const [key, { resolve }] of asked) resolve(found.get(key));
    } catch (error) {
      if (asked.size > 1 && this.isOwnFault(error)) {
        await Promise.all([...asked].map((each) => this.#answer(new Map([each]))));
        return;
      }
      for (const { reject } of asked.values()) reject(error);
    }
  }
}

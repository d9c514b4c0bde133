/** So many statements at once: more would only take connections, and make each of them smaller. */
const mostUnderWay = 2;

type Waiting<Value> = PromiseWithResolvers<Value | undefined>;

/** For statements that do more than look. */
export interface GatheredOptions {
  /** At most so many go into one statement. */
  readonly most?: number;
  /**
   * For so long a statement goes alone: two at once take the processor from what is more urgent. After that a second one
   * goes, lest all wait for one that is held up.
   */
  readonly headStartMs?: number;
  /** After one has been sent, the next waits for so long, and for company: for what nobody is in a hurry for. */
  readonly paceMs?: number;
  /**
   * When up to so many come after a pause, for so long a statement goes alone, and all but the first not before this has
   * resolved: whatever those who were first want next should find the processor free. A larger crowd, or one that is still
   * there after that, is better served by two at once.
   */
  readonly calm?: { readonly forMs: number; readonly upTo: number; ready(): Promise<unknown> };
  /** After such a failure, which one of them alone may have caused, each is tried by itself. */
  readonly isOwnFault?: (error: unknown) => boolean;
}

/**
 * Looks things up in the database, many in one statement: those that are asked for in one round of the event loop, or
 * while others are being looked up. Nothing is remembered; whoever asks gets what is true after asking.
 */
export class Gathered<Key, Value> {
  #waiting = new Map<Key, Waiting<Value>>();
  #underWay = 0;
  #lastSentAt = Number.NEGATIVE_INFINITY;
  #busySince = Number.NEGATIVE_INFINITY;
  #headStart: NodeJS.Timeout | undefined;

  constructor(
    private readonly read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
    private readonly options: GatheredOptions = {},
  ) {}

  find(key: Key): Promise<Value | undefined> {
    const known = this.#waiting.get(key);
    if (known) return known.promise;
    const asked: Waiting<Value> = Promise.withResolvers();
    if (this.#waiting.size === 0 && this.#underWay === 0) this.#busySince = performance.now();
    this.#waiting.set(key, asked);
    if (this.#waiting.size === 1) setImmediate(() => this.#next());
    return asked.promise;
  }

  #next(): void {
    if (this.#waiting.size === 0 || this.#underWay >= mostUnderWay || this.#hasHeadStart()) return;
    const { most = Number.POSITIVE_INFINITY } = this.options;
    const asked = new Map([...this.#waiting].slice(0, most));
    this.#waiting = new Map([...this.#waiting].slice(most));
    this.#underWay += 1;
    const isFirst = this.#lastSentAt < this.#busySince;
    this.#lastSentAt = performance.now();
    void this.#answer(asked, isFirst).finally(() => {
      this.#underWay -= 1;
      this.#next();
    });
    if (this.#waiting.size > 0) this.#next();
  }

  /** Whether the last one sent has; what waits is looked at again when it has no longer. */
  #hasHeadStart(): boolean {
    clearTimeout(this.#headStart);
    const { headStartMs = 0, paceMs = 0 } = this.options;
    const sinceLast = performance.now() - this.#lastSentAt;
    const left = this.#underWay === 0 ? paceMs - sinceLast : Math.max(headStartMs - sinceLast, this.#calmFor());
    if (left <= 0) return false;
    this.#headStart = setTimeout(() => this.#next(), left);
    return true;
  }

  #calmFor(): number {
    const { calm } = this.options;
    if (!calm || this.#waiting.size > calm.upTo) return 0;
    return calm.forMs - (performance.now() - this.#busySince);
  }

  async #answer(asked: ReadonlyMap<Key, Waiting<Value>>, isFirst: boolean): Promise<void> {
    try {
      if (!isFirst && this.#calmFor() > 0) await this.options.calm?.ready();
      const found = await this.read([...asked.keys()]);
      for (const [key, { resolve }] of asked) resolve(found.get(key));
    } catch (error) {
      if (asked.size > 1 && this.options.isOwnFault?.(error)) {
        await Promise.all([...asked].map((each) => this.#answer(new Map([each]), true)));
        return;
      }
      for (const { reject } of asked.values()) reject(error);
    }
  }
}

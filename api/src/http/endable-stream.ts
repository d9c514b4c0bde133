type Result<T> = IteratorResult<T, undefined>;

/**
 * Passes a stream on until somebody ends it with a last value. Written by hand, because every chunk of every run goes
 * through it, and because the end must come through while `next()` waits.
 */
export class EndableStream<T> implements AsyncIterableIterator<T, undefined> {
  readonly #waiting: ((result: Result<T>) => void)[] = [];
  #stopWatching: (() => void) | undefined;
  #ended = false;
  #last: T | undefined;

  /** `watch` is called when reading begins, and is given the means to end the stream; it returns how to stop watching. */
  constructor(
    private readonly stream: AsyncIterator<T>,
    private readonly watch: (end: (last: T) => void) => () => void,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result<T>> {
    this.#stopWatching ??= this.watch((last) => this.#end(last));
    if (this.#ended) return Promise.resolve(this.#takeLast());
    return new Promise((resolve, reject) => {
      this.#waiting.push(resolve);
      this.stream.next().then(
        (result) => {
          if (result.done) this.#close();
          else this.#waiting.shift()?.(result);
        },
        (error: unknown) => {
          reject(error);
          this.#close();
        },
      );
    });
  }

  async return(): Promise<Result<T>> {
    this.#close();
    await this.stream.return?.();
    return { done: true, value: undefined };
  }

  #end(last: T): void {
    if (this.#ended) return;
    this.#last = last;
    this.#waiting.shift()?.(this.#takeLast());
    this.#close();
    void this.stream.return?.();
  }

  #takeLast(): Result<T> {
    const last = this.#last;
    this.#last = undefined;
    return last === undefined ? { done: true, value: undefined } : { done: false, value: last };
  }

  /** A last value that nobody was waiting for stays to be taken. */
  #close(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#stopWatching?.();
    for (const resolve of this.#waiting.splice(0)) resolve({ done: true, value: undefined });
  }
}

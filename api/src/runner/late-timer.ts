let newest: LateTimer | undefined;
let arming = false;

/**
 * A timer that is handed to the system only when the event loop next comes round. Most tools and many runs are done
 * before that, and then it has cost next to nothing. It fires no later than one that was set at once.
 *
 * Those that wait form a list of their own: a Set that lives long would leave tables behind which hold on to finished
 * runs until the next full garbage collection.
 */
export class LateTimer {
  readonly #due: number;
  #older: LateTimer | undefined;
  #newer: LateTimer | undefined;
  #waiting = true;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    milliseconds: number,
    private readonly act: () => void,
  ) {
    this.#due = performance.now() + milliseconds;
    this.#older = newest;
    if (newest) newest.#newer = this;
    newest = this;
    if (!arming) setImmediate(armAll);
    arming = true;
  }

  arm(): void {
    this.#leave();
    this.#timer = setTimeout(this.act, Math.max(0, this.#due - performance.now()));
  }

  cancel(): void {
    if (this.#waiting) this.#leave();
    else clearTimeout(this.#timer);
  }

  #leave(): void {
    if (this.#newer) this.#newer.#older = this.#older;
    else newest = this.#older;
    if (this.#older) this.#older.#newer = this.#newer;
    this.#older = undefined;
    this.#newer = undefined;
    this.#waiting = false;
  }
}

function armAll(): void {
  arming = false;
  while (newest) newest.arm();
}

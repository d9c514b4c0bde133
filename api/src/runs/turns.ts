/**
 * Those who have much to do go on by turns, a few in each round of the event loop: whoever comes in meanwhile waits for
 * these few, never for all of them.
 */
export class Turns {
  #waiting: (() => void)[] = [];
  #scheduled = false;

  /** How many, and how long the round after it is put off; asked anew in each. */
  constructor(
    private readonly perRound: () => number,
    private readonly restMs: () => number = () => 0,
  ) {}

  /** Calls back in a later round, in the order of asking. */
  wait(goOn: () => void): void {
    this.#waiting.push(goOn);
    this.#schedule();
  }

  /** The same, to be awaited. */
  turn(): Promise<void> {
    return new Promise((resolve) => this.wait(resolve));
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const restMs = this.restMs();
    if (restMs > 0) setTimeout(() => this.#go(), restMs);
    else setImmediate(() => this.#go());
  }

  #go(): void {
    this.#scheduled = false;
    const count = this.perRound();
    const few = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    if (this.#waiting.length > 0) this.#schedule();
    for (const goOn of few) goOn();
  }
}

/**
 * Those who have much to do go on by turns, a few in each round of the event loop: whoever comes in meanwhile waits for
 * these few, never for all of them.
 */
export class Turns {
  #waiting: (() => void)[] = [];
  #scheduled = false;

  constructor(private readonly perRound: number) {}

  /** Calls back in a later round, in the order of asking. */
  wait(goOn: () => void): void {
    this.#waiting.push(goOn);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const few = this.#waiting.slice(0, this.perRound);
      this.#waiting = this.#waiting.slice(this.perRound);
      if (this.#waiting.length > 0) this.#schedule();
      for (const goOn of few) goOn();
    });
  }
}

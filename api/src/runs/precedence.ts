import { Turns } from './turns.ts';

/** Questions that have been asked and whose runs have not begun. */
class Arrivals {
  #count = 0;

  get any(): boolean {
    return this.#count > 0;
  }

  /** One that counts until the work is done, whatever comes of it. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#count += 1;
    try {
      return await work;
    } finally {
      this.#count -= 1;
    }
  }
}

export const arrivals = new Arrivals();

/** However many questions come at once, what those before them say comes in between so many beginnings. */
const beginningsPerRound = 6;
export const beginnings = new Turns(() => beginningsPerRound);

/** However many runs have something to say, those that begin come in between so many of them. */
const goingOnPerRound = 4;
/** Whoever waits for a first word waits longer for each of those who go on. They do go on all the same. */
const goingOnWhileOthersArrive = 1;
export const goingOn = new Turns(() => (arrivals.any ? goingOnWhileOthersArrive : goingOnPerRound));

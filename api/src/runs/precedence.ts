import { Turns } from './turns.ts';

/** More that wait at the same time are a crowd. */
const mostWithoutCrowd = 100;

/** Questions that have been asked and whose runs have not begun. */
class Arrivals {
  #count = 0;
  #crowd = false;

  get any(): boolean {
    return this.#count > 0;
  }

  /** From when very many have come at once until the last of them has begun. */
  get crowd(): boolean {
    return this.#crowd;
  }

  /** One that counts until the work is done, whatever comes of it. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#count += 1;
    if (this.#count > mostWithoutCrowd) this.#crowd = true;
    try {
      return await work;
    } finally {
      this.#count -= 1;
      if (this.#count === 0) this.#crowd = false;
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
/** A database that starts hundreds needs the processor that those who go on would take, with all that they say. */
const restForCrowdMs = 2;
export const goingOn = new Turns(
  () => (arrivals.any ? goingOnWhileOthersArrive : goingOnPerRound),
  () => (arrivals.crowd ? restForCrowdMs : 0),
);

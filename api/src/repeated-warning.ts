import type { Logger } from './logger.ts';

const quietMs = 60_000;

/**
 * A warning that may come many times a second for as long as something is away: told at once, then once a minute with
 * how often it came meanwhile.
 */
export class RepeatedWarning {
  #toldAt = Number.NEGATIVE_INFINITY;
  #untold = 0;

  constructor(
    private readonly log: Pick<Logger, 'warn'>,
    private readonly message: string,
  ) {}

  tell(details: object): void {
    const now = performance.now();
    if (now - this.#toldAt < quietMs) {
      this.#untold++;
      return;
    }
    this.log.warn({ ...details, ...(this.#untold > 0 ? { untold: this.#untold } : {}) }, this.message);
    this.#toldAt = now;
    this.#untold = 0;
  }
}

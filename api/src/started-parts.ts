import { within } from './within.ts';

/** Parts usually stop within milliseconds, at most within the few seconds that requests under way are given. */
const patienceMs = 6_000;

interface ErrorLog {
  error(details: object, message: string): void;
}

interface StartedPart {
  readonly name: string;
  readonly stop: () => Promise<void>;
}

/**
 * What was started, in order, with how to stop it. Stopped in reverse, whether or not the start got through; a part that
 * fails to stop, or takes too long, is named in the log and does not keep the others from stopping.
 */
export class StartedParts {
  readonly #parts: StartedPart[] = [];

  add(name: string, stop: () => Promise<void>): void {
    this.#parts.push({ name, stop });
  }

  async stop(log: ErrorLog): Promise<void> {
    for (const { name, stop } of this.#parts.splice(0).reverse()) {
      const stopped = stop().then(
        () => true,
        (error: unknown) => {
          log.error({ part: name, reason: String(error) }, 'did not stop cleanly');
          return true;
        },
      );
      if (!(await within(patienceMs, stopped))) log.error({ part: name }, 'did not stop in time');
    }
  }
}

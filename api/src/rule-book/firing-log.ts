import { grouped } from '../agent/words.ts';
import type { RecordedFiring, RuleStore, StateEntry } from './rule-store.ts';

/** As many as are kept of one run; what rules do beyond that is told with one word for each of them. */
const mostFirings = 500;
const flushAfterMs = 250;
/** How often in a row the same is tried before it is given up. */
const mostAttempts = 5;

const unlisted = `More than ${grouped(mostFirings)} firings in this run: what this rule did from here on is not listed.`;

type NewFiring = Omit<RecordedFiring, 'runId' | 'userId' | 'number' | 'at'>;

/** What the rules of one run did and remembered, written in batches while the run goes on. */
export class FiringLog {
  #firings: RecordedFiring[] = [];
  #states = new Map<string, StateEntry>();
  #count = 0;
  readonly #unlisted = new Set<string>();
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: RuleStore,
    private readonly run: { readonly runId: string; readonly userId: string; readonly projectId: string },
    private readonly onFailure: (error: unknown) => void,
  ) {}

  add(firing: NewFiring): void {
    if (this.#count < mostFirings) this.#keep(firing);
    else if (!this.#unlisted.has(firing.ruleId)) {
      this.#unlisted.add(firing.ruleId);
      this.#keep({ ...firing, effect: null, error: unlisted });
    }
  }

  /** The last value counts. */
  remember(entry: StateEntry): void {
    this.#states.set(`${entry.ruleId}\n${entry.key}`, entry);
    this.#flushSoon();
  }

  /** Resolves when everything so far is stored, or could not be for now. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#firings.length === 0 && this.#states.size === 0) return this.#writing;
    const [firings, states] = [this.#firings, this.#states];
    this.#firings = [];
    this.#states = new Map();
    this.#writing = this.#writing.then(() => this.#write(firings, states));
    await this.#writing;
  }

  #keep(firing: NewFiring): void {
    this.#count += 1;
    const { runId, userId } = this.run;
    this.#firings.push({
      ...firing,
      runId,
      userId,
      number: this.#count,
      at: new Date().toISOString(),
    });
    this.#flushSoon();
  }

  /** What could not be stored waits for the next time, also after the run has ended; what came since counts more. */
  async #write(firings: readonly RecordedFiring[], states: ReadonlyMap<string, StateEntry>): Promise<void> {
    const { userId, projectId } = this.run;
    const [recorded, remembered] = await Promise.allSettled([
      this.store.record(firings),
      this.store.setState(userId, projectId, [...states.values()]),
    ]);
    const failed = [recorded, remembered].find(({ status }) => status === 'rejected');
    this.#failures = failed ? this.#failures + 1 : 0;
    if (failed?.status !== 'rejected') return;
    this.onFailure(failed.reason);
    if (this.#failures >= mostAttempts) {
      this.#failures = 0;
      return;
    }
    if (recorded.status === 'rejected') this.#firings = [...firings, ...this.#firings];
    if (remembered.status === 'rejected') this.#states = new Map([...states, ...this.#states]);
    this.#flushSoon();
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => void this.flush(), flushAfterMs);
  }
}

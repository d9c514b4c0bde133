import type { Json } from '../agent/json.ts';
import type { RecordedFiring, RuleStore, StateEntry } from './rule-store.ts';

/** As many as are kept of one run; a rule that fires more often has said what it had to say. */
const mostFirings = 500;
const flushAfterMs = 250;

/** What the rules of one run did and remembered, written in batches while the run goes on. */
export class FiringLog {
  #firings: RecordedFiring[] = [];
  #states = new Map<string, StateEntry>();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: RuleStore,
    private readonly run: { readonly runId: string; readonly userId: string; readonly projectId: string },
    private readonly onFailure: (error: unknown) => void,
  ) {}

  add(firing: Omit<RecordedFiring, 'runId' | 'userId' | 'number' | 'at'>): void {
    if (this.#count >= mostFirings) return;
    this.#count += 1;
    const { runId, userId } = this.run;
    this.#firings.push({
      ...firing,
      effect: storable(firing.effect),
      runId,
      userId,
      number: this.#count,
      at: new Date().toISOString(),
    });
    this.#flushSoon();
  }

  /** The last value counts. */
  remember(entry: StateEntry): void {
    this.#states.set(`${entry.ruleId}\n${entry.key}`, entry);
    this.#flushSoon();
  }

  /** Resolves when everything so far is stored, or could not be. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#firings.length === 0 && this.#states.size === 0) return this.#writing;
    const firings = this.#firings;
    const states = [...this.#states.values()];
    this.#firings = [];
    this.#states = new Map();
    const { userId, projectId } = this.run;
    this.#writing = this.#writing.then(async () => {
      try {
        await Promise.all([this.store.record(firings), this.store.setState(userId, projectId, states)]);
      } catch (error) {
        this.onFailure(error);
      }
    });
    await this.#writing;
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => void this.flush(), flushAfterMs);
  }
}

/** PostgreSQL's JSON holds neither NUL nor half a surrogate pair. */
function storable(value: Json): Json {
  return JSON.parse(JSON.stringify(value), (_key, part: Json) =>
    typeof part === 'string' ? part.toWellFormed().replaceAll('\0', '') : part,
  );
}

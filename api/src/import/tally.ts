import { grouped } from '../agent/words.ts';

export const outcomes = ['created', 'changed', 'unchanged', 'removed'] as const;
export type Outcome = (typeof outcomes)[number];

/** Listed one by one; of more there is only the number, since nobody reads on. */
const listed = 200;

/** What became of everything that an import looked at. */
export class Tally {
  readonly #counts = new Map<Outcome, number>();
  readonly #skipped = new Map<string, number>();
  readonly #skippedPaths: string[] = [];
  readonly #gone: string[] = [];
  readonly #failures: string[] = [];
  #failed = 0;

  add(outcome: Outcome, count = 1): void {
    this.#counts.set(outcome, this.count(outcome) + count);
  }

  /** Left out as the rules have it: no failure. Named by path only where a person may wonder. */
  skip(reason: string, path?: string): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
    if (path !== undefined && this.#skippedPaths.length < listed) this.#skippedPaths.push(`${path}: ${reason}`);
  }

  fail(path: string, reason: string): void {
    this.#failed += 1;
    if (this.#failures.length < listed) this.#failures.push(`${path}: ${reason}`);
  }

  /** Still here although its file is gone. */
  gone(path: string): void {
    this.#gone.push(path);
  }

  count(outcome: Outcome): number {
    return this.#counts.get(outcome) ?? 0;
  }

  get failed(): number {
    return this.#failed;
  }

  lines(): readonly string[] {
    const skipped = [...this.#skipped.values()].reduce((sum, count) => sum + count, 0);
    const row = (name: string, count: number, note = '') =>
      `  ${name.padEnd(10)}${grouped(count).padStart(8)}${note === '' ? '' : `  ${note}`}`;
    const why = [...this.#skipped].map(([reason, count]) => `${grouped(count)} ${reason}`).join(', ');
    return [
      ...outcomes.map((outcome) => row(outcome, this.count(outcome))),
      ...(skipped > 0
        ? [row('skipped', skipped, why), ...indented(this.#skippedPaths, this.#skippedPaths.length)]
        : []),
      ...(this.#gone.length > 0
        ? [row('gone', this.#gone.length, 'kept; --prune deletes them'), ...indented(this.#gone, this.#gone.length)]
        : []),
      row('failed', this.#failed),
      ...indented(this.#failures, this.#failed),
    ];
  }
}

function indented(entries: readonly string[], total: number): readonly string[] {
  const shown = entries.slice(0, listed).map((entry) => `    ${printable(entry)}`);
  return total > shown.length ? [...shown, `    and ${grouped(total - shown.length)} more`] : shown;
}

/** Names of files may hold anything, and a terminal obeys some of it. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?');
}

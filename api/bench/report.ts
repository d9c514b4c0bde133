/** What was promised, and what was measured. */
export interface Goal {
  readonly what: string;
  readonly measured: number;
  /** Exactly one of the two. */
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly unit?: string;
}

/** One part of the benchmark. */
export interface Section {
  readonly title: string;
  /** By row, then by column. */
  readonly rows: Readonly<Record<string, Readonly<Record<string, number | string>>>>;
  readonly goals: readonly Goal[];
}

/** Measures on a machine that does other things as well: only what misses by this factor is called broken. */
const tolerance = 2;

export function isMet({ measured, atMost = Infinity, atLeast = -Infinity }: Goal, slack = 1): boolean {
  return measured <= atMost * slack && measured >= atLeast / slack;
}

export function isBroken(goal: Goal): boolean {
  return !isMet(goal, tolerance);
}

export function printSection({ title, rows }: Section, seconds: number): void {
  console.log(`\n${title} (${Math.round(seconds)} s)`);
  console.table(
    Object.fromEntries(
      Object.entries(rows).map(([name, row]) => [
        name,
        Object.fromEntries(Object.entries(row).map(([column, value]) => [column, rounded(value)])),
      ]),
    ),
  );
}

export function printGoals(goals: readonly Goal[]): void {
  console.log('\nGoals');
  console.table(
    Object.fromEntries(
      goals.map((goal) => [
        goal.what,
        {
          goal: `${goal.atMost === undefined ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`} ${goal.unit ?? '×'}`,
          measured: rounded(goal.measured),
          verdict: isMet(goal) ? 'met' : isBroken(goal) ? 'BROKEN' : 'not met',
        },
      ]),
    ),
  );
}

function rounded(value: number | string): number | string {
  return typeof value === 'number' ? Number(value.toPrecision(3)) : value;
}

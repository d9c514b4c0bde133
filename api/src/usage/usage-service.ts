import type { TerminationReason } from '../agent/termination.ts';
import { type WarningKind, warnedOf, warningBits, warningKinds } from '../agent/warned.ts';
import type { Database } from '../store/database.ts';
import type { UsageRange } from './usage-range.ts';
import { bucketSpreads, endingCounts, heaviestUsers, totalSpread, type UsageScope } from './usage-sql.ts';

export interface Spread {
  readonly p50: number;
  readonly p95: number;
}

export interface EndingCount {
  readonly reason: TerminationReason;
  readonly runs: number;
}

/** What became of the runs that were warned. */
export interface WarningCount {
  readonly warning: WarningKind;
  readonly warned: number;
  readonly reached: number;
  readonly completed: number;
}

/** The runs of a stretch of time, added up. Spreads are absent where there are no runs. */
export interface UsageFigures {
  readonly runs: number;
  readonly tokens: number;
  readonly endings: readonly EndingCount[];
  readonly warnings: readonly WarningCount[];
  readonly tokensPerRun: Spread | undefined;
  readonly turnsPerRun: Spread | undefined;
  readonly durationMs: Spread | undefined;
}

export interface UsageBucket extends UsageFigures {
  readonly start: Date;
}

export interface UserUsage {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly runs: number;
  readonly tokens: number;
  readonly completed: number;
  readonly limited: number;
}

export interface Usage {
  readonly total: UsageFigures;
  readonly buckets: readonly UsageBucket[];
  readonly range: UsageRange;
  readonly scope: UsageScope;
}

const mostUsers = 50;

/** What runs used and how they ended, added up by PostgreSQL. Knows nothing about who asks. */
export class UsageService {
  constructor(private readonly database: Database) {}

  async over(scope: UsageScope, range: UsageRange): Promise<Usage> {
    const { from, until, timeZone, bucket } = range;
    const values = [from, until, timeZone, ...valuesOf(scope)];
    const [rows, spreads, totals] = await Promise.all([
      this.#rows<BucketRow>(endingCounts(bucket, scope), values),
      this.#rows<SpreadRow & Start>(bucketSpreads(bucket, scope), values),
      this.#rows<SpreadRow>(totalSpread(scope), [from, until, ...valuesOf(scope)]),
    ]);
    const spreadAt = new Map(spreads.map((row) => [row.start, row]));
    return {
      total: figures(rows.filter(hasRuns), totals[0]),
      buckets: [...Map.groupBy(rows, ({ start }) => start)].map(([start, counts]) => ({
        start: new Date(start),
        ...figures(counts.filter(hasRuns), spreadAt.get(start)),
      })),
      range,
      scope,
    };
  }

  /** Those who used most tokens, the heaviest first. */
  users(scope: UsageScope, range: UsageRange): Promise<readonly UserUsage[]> {
    const values = [range.from, range.until, ...valuesOf(scope), mostUsers];
    return this.#rows<UserUsage>(heaviestUsers(scope), values);
  }

  #rows<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return this.database.fork().execute<Row[]>(sql, [...values]);
  }
}

/** As text, so that rows of one bucket have the same. */
interface Start {
  readonly start: string;
}

interface CountRow {
  readonly reason: TerminationReason;
  readonly warned: number;
  readonly runs: number;
  readonly tokens: number;
}

type BucketRow = Start & (CountRow | { readonly runs: null });

function hasRuns(row: BucketRow): row is Start & CountRow {
  return row.runs !== null;
}

interface SpreadRow {
  readonly tokens: readonly [number, number] | null;
  readonly turns: readonly [number, number] | null;
  readonly duration: readonly [number, number] | null;
}

function valuesOf({ userId, model }: UsageScope): readonly string[] {
  return [userId, model].filter((value) => value !== undefined);
}

function figures(counts: readonly CountRow[], spread: SpreadRow | undefined): UsageFigures {
  const byReason = Map.groupBy(counts, ({ reason }) => reason);
  return {
    runs: sumOf(counts),
    tokens: counts.reduce((sum, { tokens }) => sum + tokens, 0),
    endings: [...byReason].map(([reason, rows]) => ({ reason, runs: sumOf(rows) })),
    warnings: warningKinds.map((warning) => conversion(warning, counts)),
    tokensPerRun: spreadOf(spread?.tokens),
    turnsPerRun: spreadOf(spread?.turns),
    durationMs: spreadOf(spread?.duration),
  };
}

function conversion(warning: WarningKind, counts: readonly CountRow[]): WarningCount {
  const warned = counts.filter((row) => (row.warned & warningBits[warning]) !== 0);
  const endedBy = (reason: TerminationReason) => sumOf(warned.filter((row) => row.reason === reason));
  return { warning, warned: sumOf(warned), reached: endedBy(warnedOf[warning]), completed: endedBy('COMPLETED') };
}

function sumOf(counts: readonly CountRow[]): number {
  return counts.reduce((sum, { runs }) => sum + runs, 0);
}

function spreadOf(pair: readonly [number, number] | null | undefined): Spread | undefined {
  return pair ? { p50: rounded(pair[0]), p95: rounded(pair[1]) } : undefined;
}

/** Interpolation leaves a tail of digits that means nothing. */
function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

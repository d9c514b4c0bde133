import type { BucketSize } from './usage-range.ts';

/**
 * The buckets, by the clock of a zone: a day of 23 or 25 hours is one day. Hours are counted on, because a local hour
 * may come twice. The range cuts the first and the last. Parameters: from, until, zone.
 */
function buckets(bucket: BucketSize): string {
  const local = (unit: string, step: string) => `
    select local at time zone zone as start
    from asked, generate_series(date_trunc('${unit}', beginning at time zone zone), until at time zone zone, '${step}') local`;
  const edges = {
    HOUR: `
    select start from asked,
      generate_series(date_trunc('hour', beginning at time zone zone) at time zone zone, until, '1 hour') start`,
    DAY: local('day', '1 day'),
    WEEK: local('week', '7 days'),
  }[bucket];
  return `asked as (select ?::timestamptz as beginning, ?::timestamptz as until, ?::text as zone),
    edges as (select distinct start from (${edges}) every_edge),
    buckets as (
      select start, greatest(start, beginning) as opens,
        least(coalesce(lead(start) over (order by start), until), until) as closes
      from edges, asked where start < until
    )`;
}

export interface UsageScope {
  readonly userId: string | undefined;
  readonly model: string | undefined;
}

/** The ended runs that began between two moments; each bucket reads just its part of the index. */
function runsBetween(from: string, until: string, scope: UsageScope): string {
  return `from runs where status = 'ENDED' and started_at >= ${from} and started_at < ${until}
    ${scope.userId === undefined ? '' : 'and user_id = ?'} ${scope.model === undefined ? '' : 'and model = ?'}`;
}

/** How many ended for which reason, and what they had been warned of. A bucket without runs gives one row of nulls. */
export function endingCounts(bucket: BucketSize, scope: UsageScope): string {
  return `with ${buckets(bucket)}
    select start, reason, warned, runs, tokens from buckets left join lateral (
      select reason, warned, count(*)::integer as runs, sum(tokens)::float8 as tokens
      ${runsBetween('opens', 'closes', scope)} group by reason, warned
    ) counted on true order by start`;
}

const spread = (column: string) => `percentile_cont(array[0.5, 0.95]) within group (order by ${column})`;
const spreadColumns = `${spread('tokens')} as tokens, ${spread('turns')} as turns, ${spread('duration_ms')} as duration`;

/** The middle and the high end, for each bucket. */
export function bucketSpreads(bucket: BucketSize, scope: UsageScope): string {
  return `with ${buckets(bucket)} select start, tokens, turns, duration
    from buckets, lateral (select ${spreadColumns} ${runsBetween('opens', 'closes', scope)}) measured`;
}

/** The same for the whole range. Parameters: from, until. */
export function totalSpread(scope: UsageScope): string {
  return `select ${spreadColumns} ${runsBetween('?', '?', scope)}`;
}

/** Who used most of it. Parameters: from, until, those of the scope, the limit. */
export function heaviestUsers(scope: UsageScope): string {
  return `with used as (
      select user_id, count(*)::integer as runs, sum(tokens)::float8 as tokens,
        (count(*) filter (where reason = 'COMPLETED'))::integer as completed,
        (count(*) filter (where reason in ('MAX_ITERATIONS', 'TOKEN_BUDGET', 'TIMEOUT')))::integer as limited
      ${runsBetween('?', '?', scope)} group by user_id order by 3 desc, 1 limit ?
    )
    select u.id, u.name, u.email, runs, tokens, completed, limited from used join users u on u.id = used.user_id
    order by tokens desc, u.id`;
}

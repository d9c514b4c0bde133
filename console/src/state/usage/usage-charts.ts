import type { TerminationReason, UsageBucketSize, UsageQuery } from '@oracle-agent/sdk/documents';
import { words } from '../../words.ts';
import { formatNumber } from '../number-format.ts';

export type UsageReport = UsageQuery['usage'];
type Bucket = UsageReport['buckets'][number];

/** How a series is told apart without its colour. */
export type Pattern = 'solid' | 'diagonal' | 'dots' | 'horizontal';
export type Tone = 'success' | 'warning' | 'failure' | 'accent' | 'control';

export interface Series {
  readonly key: string;
  readonly label: string;
  readonly tone: Tone;
  readonly pattern: Pattern;
  /** One for each bucket; null where there is nothing to tell. */
  readonly values: readonly (number | null)[];
}

/** One chart: drawn, shown as a table and exported from the same numbers. */
export interface Chart {
  readonly key: string;
  readonly title: string;
  readonly explanation: string;
  readonly kind: 'bars' | 'lines';
  readonly starts: readonly string[];
  readonly series: readonly Series[];
  readonly show: (value: number) => string;
}

/** In the order in which they are stacked and listed: what went well first. */
const reasons: readonly (readonly [TerminationReason, Tone, Pattern])[] = [
  ['COMPLETED', 'success', 'solid'],
  ['MAX_ITERATIONS', 'warning', 'diagonal'],
  ['TOKEN_BUDGET', 'warning', 'dots'],
  ['TIMEOUT', 'warning', 'horizontal'],
  ['NO_PROGRESS', 'accent', 'diagonal'],
  ['ERROR_LIMIT', 'failure', 'dots'],
  ['MODEL_ERROR', 'failure', 'solid'],
  ['INTERRUPTED', 'failure', 'diagonal'],
  ['CANCELLED', 'control', 'solid'],
];

export function usageCharts({ total, buckets }: UsageReport): readonly Chart[] {
  const starts = buckets.map(({ start }) => start);
  const text = words.usage.charts;
  const spread = (key: 'tokensPerRun' | 'turnsPerRun' | 'durationMs', show: Chart['show']): Chart => ({
    key,
    ...text[key],
    kind: 'lines',
    starts,
    show,
    series: [
      { key: 'p50', label: words.usage.p50, tone: 'accent', pattern: 'solid', values: valuesOf(buckets, key, 'p50') },
      { key: 'p95', label: words.usage.p95, tone: 'warning', pattern: 'dots', values: valuesOf(buckets, key, 'p95') },
    ],
  });
  const occurred = new Set(total.endings.map(({ reason }) => reason));
  return [
    {
      key: 'endings',
      ...text.endings,
      kind: 'bars',
      starts,
      show: formatNumber,
      series: reasons
        .filter(([reason]) => occurred.has(reason))
        .map(([reason, tone, pattern]) => ({
          key: reason,
          label: words.usage.reasons[reason],
          tone,
          pattern,
          values: buckets.map(({ endings }) => endings.find((ending) => ending.reason === reason)?.runs ?? 0),
        })),
    },
    {
      key: 'tokens',
      ...text.tokens,
      kind: 'bars',
      starts,
      show: formatNumber,
      series: [
        {
          key: 'tokens',
          label: words.usage.tokens,
          tone: 'accent',
          pattern: 'solid',
          values: buckets.map(({ tokens }) => tokens),
        },
      ],
    },
    spread('tokensPerRun', (value) => formatNumber(Math.round(value))),
    spread('turnsPerRun', (value) => formatNumber(Math.round(value * 10) / 10)),
    spread('durationMs', showSeconds),
  ];
}

function valuesOf(
  buckets: readonly Bucket[],
  key: 'tokensPerRun' | 'turnsPerRun' | 'durationMs',
  which: 'p50' | 'p95',
) {
  return buckets.map((bucket) => bucket[key]?.[which] ?? null);
}

/** 0.4 s, 12 s, 2 min 5 s. */
export function showSeconds(ms: number): string {
  if (ms < 10_000) return words.usage.seconds(Math.round(ms / 100) / 10);
  const seconds = Math.round(ms / 1_000);
  return seconds < 60 ? words.usage.seconds(seconds) : words.usage.minutes(Math.floor(seconds / 60), seconds % 60);
}

/** A round number at or above the greatest, so that the axis has numbers people say. */
export function axisTop(greatest: number): number {
  if (greatest <= 0) return 1;
  const magnitude = 10 ** Math.floor(Math.log10(greatest));
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * magnitude >= greatest) ?? 10;
  return step * magnitude;
}

/** How high the columns of a bar chart stand, or the highest point of a line. */
export function greatestOf({ kind, series, starts }: Chart): number {
  const column = (index: number) => series.map(({ values }) => values[index] ?? 0);
  const heights = starts.map((_, index) =>
    kind === 'bars' ? column(index).reduce((sum, value) => sum + value, 0) : Math.max(0, ...column(index)),
  );
  return Math.max(0, ...heights);
}

/** What a bucket is called: an hour, a day, or the Monday of a week. */
export function bucketName(start: string, bucket: UsageBucketSize): string {
  return (bucket === 'HOUR' ? hour : day).format(new Date(start));
}

const hour = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

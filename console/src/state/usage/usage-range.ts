import type { UsageBucketSize } from '@oracle-agent/sdk/documents';

export const presets = ['24h', '7d', '30d', '90d', 'custom'] as const;
export type Preset = (typeof presets)[number];

export const bucketSizes: readonly UsageBucketSize[] = ['HOUR', 'DAY', 'WEEK'];

/** What the address may say about a range; anything else falls back to the usual. */
export interface RangeParams {
  readonly range?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly bucket?: string | undefined;
}

export interface ChosenRange {
  readonly preset: Preset;
  readonly from: Date;
  readonly until: Date;
  readonly bucket: UsageBucketSize;
  /** The days of a custom range as a date input shows them, the last included. */
  readonly firstDay: string;
  readonly lastDay: string;
}

const days: Record<Exclude<Preset, 'custom'>, number> = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 };
const usualBucket: Record<Exclude<Preset, 'custom'>, UsageBucketSize> = {
  '24h': 'HOUR',
  '7d': 'DAY',
  '30d': 'DAY',
  '90d': 'WEEK',
};

/** By the reader's own clock. Days are whole: "7 days" are today and the six before it. */
export function chosenRange(params: RangeParams, now: Date): ChosenRange {
  const preset = presets.find((candidate) => candidate === params.range) ?? '7d';
  const [from, until] = preset === 'custom' ? customBounds(params, now) : presetBounds(preset, now);
  const wanted = bucketSizes.find((size) => size === params.bucket);
  const usual = preset === 'custom' ? bucketFor(from, until) : usualBucket[preset];
  const bucket = wanted === 'HOUR' && !mayBeHours(from, until) ? usual : (wanted ?? usual);
  return { preset, from, until, bucket, firstDay: dayText(from), lastDay: dayText(new Date(until.getTime() - 1)) };
}

/** Hours of more than a month are more than a chart can show and the server tells. */
export function mayBeHours(from: Date, until: Date): boolean {
  return until.getTime() - from.getTime() <= 40 * 86_400_000;
}

function presetBounds(preset: Exclude<Preset, 'custom'>, now: Date): [Date, Date] {
  const until = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  if (preset === '24h') {
    const nextHour = new Date(now.getFullYear(), now.getMonth(), now.getDate(), now.getHours() + 1);
    return [new Date(nextHour.getTime() - 86_400_000), nextHour];
  }
  return [new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1 - days[preset]), until];
}

/** Two days in the wrong order are turned round; a missing one is taken from the last week. */
function customBounds({ from, to }: RangeParams, now: Date): [Date, Date] {
  const last = parseDay(to) ?? new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const first = parseDay(from) ?? shifted(last, -6);
  const [begin, end] = first <= last ? [first, last] : [last, first];
  return [begin, shifted(end, 1)];
}

function bucketFor(from: Date, until: Date): UsageBucketSize {
  const span = (until.getTime() - from.getTime()) / 86_400_000;
  if (span <= 2) return 'HOUR';
  return span <= 62 ? 'DAY' : 'WEEK';
}

function parseDay(text: string | undefined): Date | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text ?? '') ?? [];
  if (year === undefined) return undefined;
  const date = new Date(Number(year), Number(month) - 1, Number(day));
  return dayText(date) === text ? date : undefined;
}

function shifted(date: Date, by: number): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + by);
}

function dayText(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

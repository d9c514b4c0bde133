export const bucketSizes = ['HOUR', 'DAY', 'WEEK'] as const;
export type BucketSize = (typeof bucketSizes)[number];

/** Which stretch of time, in which pieces, by whose clock. */
export interface UsageRange {
  readonly from: Date;
  readonly until: Date;
  readonly bucket: BucketSize;
  /** An IANA name, such as Europe/Berlin. */
  readonly timeZone: string;
}

/** More would be neither read by a person nor told apart in a chart. */
export const mostBuckets = 1_000;

const hours: Record<BucketSize, number> = { HOUR: 1, DAY: 24, WEEK: 168 };

/** What is wrong with a range, in sentences; nothing when it can be asked for. */
export function problemsOfRange({ from, until, bucket, timeZone }: UsageRange): readonly string[] {
  const span = until.getTime() - from.getTime();
  const pieces = Math.ceil(span / (hours[bucket] * 3_600_000));
  return [
    ...(span > 0 ? [] : ['The range must end after it begins.']),
    ...(pieces > mostBuckets
      ? [
          `The range has ${pieces} buckets; at most ${mostBuckets} can be told. Choose a larger bucket or a shorter range.`,
        ]
      : []),
    ...(isTimeZone(timeZone) ? [] : [`There is no time zone named "${timeZone.slice(0, 60)}".`]),
  ];
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '' && !/^[+-]/.test(name);
  } catch {
    return false;
  }
}

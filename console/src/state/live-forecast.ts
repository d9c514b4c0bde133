import type { RunRowFragment } from '@oracle-agent/sdk/documents';

export type LimitName = 'turns' | 'tokens' | 'time';

/** How many tokens a run had used, and how long it had run by then. */
export interface Sample {
  readonly seconds: number;
  readonly tokens: number;
}

export interface Forecast {
  readonly seconds: number;
  readonly tokensPerMinute: number;
  /** When each limit is reached at this pace, soonest first; without those for which there is no pace to go by. */
  readonly limits: readonly { readonly limit: LimitName; readonly secondsLeft: number }[];
}

const windowSeconds = 60;
/** The first call of a run is sent at once; a pace by the second would be absurd. */
const shortestSeconds = 10;

/** The samples of the last minute, and the one before it as a starting point. */
export function withSample(samples: readonly Sample[], next: Sample): readonly Sample[] {
  const all = [...samples, next];
  const recent = all.findIndex(({ seconds }) => seconds > next.seconds - windowSeconds);
  return all.slice(Math.max(0, recent - 1));
}

/** Tokens a minute over the last minute, or since the start of a younger run. */
export function burnRate(samples: readonly Sample[], seconds: number): number {
  const first = samples[0] ?? { seconds: 0, tokens: 0 };
  const last = samples.at(-1) ?? first;
  const elapsed = Math.max(seconds - first.seconds, shortestSeconds);
  return Math.max(0, Math.round(((last.tokens - first.tokens) / elapsed) * 60));
}

type Progress = Pick<RunRowFragment, 'turns' | 'tokens' | 'config'>;

export function forecast(run: Progress, samples: readonly Sample[], seconds: number): Forecast {
  const tokensPerMinute = burnRate(samples, seconds);
  const completed = Math.max(0, run.turns - 1);
  const { maxIterations, tokenBudget, timeoutSeconds } = run.config;
  const left: readonly { limit: LimitName; secondsLeft: number | undefined }[] = [
    { limit: 'time', secondsLeft: timeoutSeconds - seconds },
    {
      limit: 'tokens',
      secondsLeft: tokensPerMinute > 0 ? ((tokenBudget - run.tokens) / tokensPerMinute) * 60 : undefined,
    },
    { limit: 'turns', secondsLeft: completed > 0 ? (maxIterations - completed) * (seconds / completed) : undefined },
  ];
  const limits = left
    .flatMap(({ limit, secondsLeft }) =>
      secondsLeft === undefined ? [] : [{ limit, secondsLeft: Math.max(0, secondsLeft) }],
    )
    .toSorted((one, other) => one.secondsLeft - other.secondsLeft);
  return { seconds, tokensPerMinute, limits };
}

import { describe, expect, it } from 'vitest';
import { burnRate, forecast, type Sample, withSample } from './live-forecast.ts';

const run = (turns: number, tokens: number) =>
  ({ turns, tokens, config: { maxIterations: 10, tokenBudget: 50_000, timeoutSeconds: 120 } }) as Parameters<
    typeof forecast
  >[0];
const start: Sample = { seconds: 0, tokens: 0 };

describe('the pace of a run', () => {
  it('is that of its last minute', () => {
    const samples = [10, 40, 70, 100].reduce<readonly Sample[]>(
      (known, seconds) => withSample(known, { seconds, tokens: seconds < 50 ? 10_000 : 10_000 + seconds * 10 }),
      [start],
    );

    expect(samples.map(({ seconds }) => seconds)).toEqual([40, 70, 100]);
    expect(burnRate(samples, 100)).toBe(1_000);
  });

  it('is nothing before anything was used, and slows while nothing comes', () => {
    expect(burnRate([start], 0)).toBe(0);
    expect(burnRate([start, { seconds: 0.5, tokens: 1_000 }], 0.5)).toBe(6_000);
    expect(burnRate([start, { seconds: 10, tokens: 1_000 }], 10)).toBe(6_000);
    expect(burnRate([start, { seconds: 10, tokens: 1_000 }], 60)).toBe(1_000);
  });
});

describe('the limit that comes first', () => {
  it('is the time of a run that does nothing', () => {
    expect(forecast(run(1, 0), [start], 20).limits[0]).toEqual({ limit: 'time', secondsLeft: 100 });
  });

  it('is the tokens of one that burns them', () => {
    const samples = [start, { seconds: 10, tokens: 25_000 }];

    expect(forecast(run(2, 25_000), samples, 10).limits[0]).toEqual({ limit: 'tokens', secondsLeft: 10 });
  });

  it('is the turns of one that runs in circles', () => {
    expect(forecast(run(9, 100), [start, { seconds: 8, tokens: 100 }], 8).limits[0]).toEqual({
      limit: 'turns',
      secondsLeft: 2,
    });
  });

  it('is followed by the others, as far as there is a pace to go by', () => {
    const samples = [start, { seconds: 10, tokens: 25_000 }];

    expect(forecast(run(3, 25_000), samples, 10).limits).toEqual([
      { limit: 'tokens', secondsLeft: 10 },
      { limit: 'turns', secondsLeft: 40 },
      { limit: 'time', secondsLeft: 110 },
    ]);
    expect(forecast(run(1, 0), [start], 20).limits).toHaveLength(1);
  });

  it('is never past', () => {
    expect(forecast(run(1, 0), [start], 130).limits[0]).toEqual({ limit: 'time', secondsLeft: 0 });
  });
});

import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { arrivals, goingOn } from './precedence.ts';

/** How many of ten runs that have something to say go on in the next round. */
async function goOn(): Promise<number> {
  const went: number[] = [];
  for (let run = 0; run < 10; run += 1) goingOn.wait(() => void went.push(run));
  await nextRound();
  const inOneRound = went.length;
  while (went.length < 10) await nextRound();
  return inOneRound;
}

it('lets one run at a time go on while questions wait for their first word, and more when there are none', async () => {
  const question = Promise.withResolvers<string>();
  const outcome = arrivals.during(question.promise);

  expect(await goOn()).toBe(1);
  question.resolve('begun');
  expect(await outcome).toBe('begun');
  expect(await goOn()).toBe(4);
});

it('forgets a question that failed', async () => {
  await expect(arrivals.during(Promise.reject(new Error('refused')))).rejects.toThrow('refused');

  expect(arrivals.any).toBe(false);
});

it('knows a crowd from when it has come until the last of it has begun', async () => {
  const questions = Array.from({ length: 101 }, () => Promise.withResolvers<void>());
  const outcomes = questions.slice(1).map(({ promise }) => arrivals.during(promise));
  expect(arrivals.crowd).toBe(false);
  const first = arrivals.during(questions[0]?.promise ?? Promise.resolve());
  expect(arrivals.crowd).toBe(true);

  for (const { resolve } of questions.slice(1)) resolve();
  await Promise.all(outcomes);
  expect(arrivals.crowd).toBe(true);
  questions[0]?.resolve();
  await first;
  expect(arrivals.crowd).toBe(false);
});

it('puts off those who go on while there is a crowd, and lets them go on all the same', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const questions = Array.from({ length: 101 }, () => Promise.withResolvers<void>());
    const outcomes = questions.map(({ promise }) => arrivals.during(promise));
    const went: number[] = [];
    for (const run of [1, 2]) goingOn.wait(() => void went.push(run));
    await nextRound();
    expect(went).toEqual([]);

    vi.advanceTimersToNextTimer();
    expect(went).toEqual([1]);
    await nextRound();
    expect(went).toEqual([1]);
    vi.advanceTimersToNextTimer();
    expect(went).toEqual([1, 2]);
    for (const { resolve } of questions) resolve();
    await Promise.all(outcomes);
  } finally {
    vi.useRealTimers();
  }
});

import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, it } from 'vitest';
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

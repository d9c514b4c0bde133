import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

it('lets a few go on in each round, in the order of asking, and whoever asks again after all others', async () => {
  const turns = new Turns(() => 2);
  const heard: string[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) turns.wait(() => heard.push(name));
  turns.wait(() => turns.wait(() => heard.push('last')));
  expect(heard).toEqual([]);

  await nextRound();
  expect(heard).toEqual(['a', 'b']);
  await nextRound();
  expect(heard).toEqual(['a', 'b', 'c', 'd']);
  await nextRound();
  turns.wait(() => heard.push('later'));
  await nextRound();
  await nextRound();
  expect(heard).toEqual(['a', 'b', 'c', 'd', 'e', 'last', 'later']);
});

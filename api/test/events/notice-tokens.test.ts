import { expect, it } from 'vitest';
import { benchNotices } from '../../bench/notices.ts';

it('what the built-in subscribers tell the model takes at least 40 % fewer tokens than indented JSON', async () => {
  const { goals = [] } = await benchNotices();

  expect(goals).toEqual([expect.objectContaining({ atLeast: 40, measured: expect.any(Number) })]);
  expect(goals[0]?.measured).toBeGreaterThan(40);
});

import { afterEach, describe, expect, it } from 'vitest';
import type { Change } from './change-pages.ts';
import type { HistorySource, RevertWish } from './history.ts';
import { createRevert } from './revert.ts';
import { toasts } from './toasts.ts';

const change = { id: '1', version: 5, group: 'AGENT_CONFIG', field: 'maxIterations' } as Change;

/** A history at some version that answers as the server does. */
function makeSource(start: number) {
  let version = start;
  const asked: RevertWish[] = [];
  const source: HistorySource = {
    groups: ['AGENT_CONFIG'],
    differences: async () => ({ type: 'data', data: [] }),
    async revert(wish) {
      asked.push(wish);
      if (wish.expectedVersion !== null && wish.expectedVersion !== version) {
        return { type: 'data', data: { __typename: 'SettingsRevertConflict', message: 'Changed.', version } };
      }
      if (!wish.dryRun) version += 1;
      return { type: 'data', data: { __typename: 'SettingsRevert', applied: !wish.dryRun, version, differences: [] } };
    },
  };
  return {
    source,
    asked,
    moveOn: () => {
      version += 1;
    },
  };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));
afterEach(() => toasts.clear());

describe('putting settings back', () => {
  it('previews the state before the change, and the one after it when asked', async () => {
    const { source, asked } = makeSource(7);
    const revert = createRevert(source, change, () => undefined);
    await settled();
    await revert.choose('after');

    expect(asked).toMatchObject([
      { to: 4, dryRun: true },
      { to: 5, dryRun: true },
    ]);
    expect(revert.preview()).toMatchObject({ type: 'ready', found: { version: 7 } });
  });

  it('is done on the version that the preview showed, and can be undone', async () => {
    const { source, asked } = makeSource(7);
    let done = 0;
    const revert = createRevert(source, change, () => void done++);
    await settled();
    await revert.apply();
    toasts.undoNewest();
    await settled();

    expect(done).toBe(1);
    expect(asked.slice(1)).toMatchObject([
      { to: 4, expectedVersion: 7, dryRun: false },
      { to: 7, expectedVersion: 8, dryRun: false },
    ]);
  });

  it('is looked at again when somebody was faster, and nothing is done', async () => {
    const { source, asked, moveOn } = makeSource(7);
    let done = 0;
    const revert = createRevert(source, change, () => void done++);
    await settled();
    moveOn();
    await revert.apply();

    expect(done).toBe(0);
    expect(revert.notice()).toContain('changed meanwhile');
    expect(asked.at(-1)).toMatchObject({ dryRun: true });
    expect(revert.preview()).toMatchObject({ type: 'ready', found: { version: 8 } });
  });

  it('cannot be undone once somebody went on from there', async () => {
    const { source, moveOn } = makeSource(7);
    const revert = createRevert(source, change, () => undefined);
    await settled();
    await revert.apply();
    moveOn();
    toasts.undoNewest();
    await settled();

    expect(toasts.shown().map(({ text }) => text)).toEqual([expect.stringContaining('Not undone')]);
  });
});

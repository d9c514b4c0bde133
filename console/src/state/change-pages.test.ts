import type { SettingChangePageFragment } from '@oracle-agent/sdk/documents';
import { describe, expect, it } from 'vitest';
import { createChangePages } from './change-pages.ts';

/** A log of changes numbered from 1, newest first, served in pages as the API does. */
function buildLog(size: number) {
  let newest = size;
  const pages = createChangePages(async ({ first, after }) => {
    const start = after === undefined ? newest : Number(after) - 1;
    const ids = Array.from({ length: Math.max(0, Math.min(first, start)) }, (_, index) => String(start - index));
    return { type: 'data', data: buildPage(ids, newest) };
  });
  const ids = () => {
    const state = pages.state();
    return state.type === 'ready' ? state.data.list.map(({ id }) => Number(id)) : [];
  };
  return { pages, ids, grow: (by: number) => (newest += by) };
}

function buildPage(ids: readonly string[], total: number): SettingChangePageFragment {
  const endCursor = ids.at(-1) ?? null;
  return {
    __typename: 'SettingChangeConnection',
    edges: ids.map((id) => ({
      __typename: 'SettingChangeEdge',
      cursor: id,
      node: {
        __typename: 'SettingChange',
        id,
        at: '2026-01-01T00:00:00Z',
        actor: null,
        user: null,
        group: 'AGENT_CONFIG',
        layer: 'USER',
        field: 'maxIterations',
        title: 'Max iterations',
        oldValue: null,
        newValue: 1,
        version: 1,
      },
    })),
    pageInfo: {
      __typename: 'PageInfo',
      hasNextPage: endCursor !== null && endCursor !== '1',
      hasPreviousPage: false,
      startCursor: ids[0] ?? null,
      endCursor,
    },
    totalCount: total,
  };
}

const countdown = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index);

describe('createChangePages', () => {
  it('appends older pages until there are none', async () => {
    const { pages, ids } = buildLog(45);

    await pages.load();
    await pages.more();
    await pages.more();

    expect(ids()).toEqual(countdown(45, 1));
    expect(pages.more()).toBeUndefined();
  });

  it('puts new changes on top and keeps the older pages that were read', async () => {
    const { pages, ids, grow } = buildLog(45);

    await pages.load();
    await pages.more();
    grow(3);
    await pages.load();

    expect(ids()).toEqual(countdown(48, 6));
  });

  it('starts over rather than show a gap when too much is new', async () => {
    const { pages, ids, grow } = buildLog(45);

    await pages.load();
    grow(30);
    await pages.load();
    expect(ids()).toEqual(countdown(75, 56));
    await pages.more();

    expect(ids()).toEqual(countdown(75, 36));
  });

  it('reads again when something changed while it was reading', async () => {
    const { pages, ids, grow } = buildLog(3);

    const reading = pages.load();
    grow(1);
    await pages.load();
    await reading;

    expect(ids()).toEqual(countdown(4, 1));
  });
});

import { createRoot } from 'solid-js';
import { describe, expect, it } from 'vitest';
import { createPages, type PageWanted } from './pages.ts';

/** A list at the server that grows at its end, read by threes; counts how often it is asked. */
async function startList(count: number) {
  const server = { count, asked: 0 };
  async function fetchPage(_wanted: undefined, { first, after }: PageWanted) {
    server.asked++;
    const from = Number(after ?? 0);
    const until = Math.min(server.count, from + first);
    const edges = Array.from({ length: until - from }, (_, index) => ({ node: from + index + 1 }));
    const pageInfo = { hasNextPage: until < server.count, endCursor: String(until) };
    return { type: 'data' as const, data: { edges, pageInfo, totalCount: server.count } };
  }
  const pages = createRoot(() => createPages(() => undefined, fetchPage, 3));
  await pages.refresh();
  const list = () => {
    const state = pages.state();
    return state.type === 'ready' ? state.data.list : [];
  };
  return { server, pages, list };
}

describe('a list read anew', () => {
  it('shows what is new at its end, up to whole pages', async () => {
    const { server, pages, list } = await startList(4);
    pages.more();
    await pages.refresh();
    expect(list()).toEqual([1, 2, 3, 4]);

    server.count = 9;
    await pages.refresh();

    expect(list()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('is asked for once when it is told of several changes while it waits', async () => {
    const { server, pages, list } = await startList(1);
    const before = server.asked;
    server.count = 2;

    await Promise.all([pages.refresh(), pages.refresh(), pages.refresh()]);

    expect(server.asked).toBe(before + 1);
    expect(list()).toEqual([1, 2]);
  });
});

import { createEffect, createSignal, on } from 'solid-js';
import type { Answer } from './graphql-client.ts';
import type { LoadState } from './load.ts';

export interface PageOf<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly totalCount: number;
}

interface Listed<Node> {
  readonly list: readonly Node[];
  readonly total: number;
  readonly next: string | undefined;
}

export type Pages<Node> = ReturnType<typeof createPages<Node, unknown>>;

/** A list read page by page, begun anew whenever what is asked for changes. Only the latest answer counts. */
export function createPages<Node, Wanted>(
  wanted: () => Wanted,
  fetchPage: (wanted: Wanted, after: string | undefined) => Promise<Answer<PageOf<Node>>>,
) {
  const [state, setState] = createSignal<LoadState<Listed<Node>>>({ type: 'loading' });
  const [busy, setBusy] = createSignal(false);
  let latest = 0;

  async function load(now: Wanted, after: string | undefined): Promise<void> {
    const mine = ++latest;
    setBusy(true);
    const answer = await fetchPage(now, after);
    if (mine !== latest) return;
    setBusy(false);
    if (answer.type === 'failed') return void setState(() => answer);
    const { edges, pageInfo, totalCount } = answer.data;
    const nodes = edges.map(({ node }) => node);
    const before = state();
    const known = after !== undefined && before.type === 'ready' ? before.data.list : [];
    const next = pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined;
    setState(() => ({ type: 'ready', data: { list: [...known, ...nodes], total: totalCount, next } }));
  }

  createEffect(
    on(wanted, (now) => {
      setState({ type: 'loading' });
      void load(now, undefined);
    }),
  );

  return {
    state,
    busy,
    reload: () => load(wanted(), undefined),
    more() {
      const now = state();
      if (now.type === 'ready' && now.data.next !== undefined && !busy()) void load(wanted(), now.data.next);
    },
  };
}

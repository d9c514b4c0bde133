import { createEffect, createSignal, on } from 'solid-js';
import type { Answer } from './graphql-client.ts';
import type { LoadState } from './load.ts';
import { toasts } from './toasts.ts';

export interface PageOf<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly totalCount: number;
}

export interface PageWanted {
  readonly first: number;
  readonly after?: string;
}

interface Listed<Node> {
  readonly list: readonly Node[];
  readonly total: number;
  readonly next: string | undefined;
}

export type Pages<Node> = ReturnType<typeof createPages<Node, unknown>>;

/** The largest page that the server gives. */
const largestPage = 100;

/** A list read page by page, begun anew whenever what is asked for changes. Only the latest answer counts. */
export function createPages<Node, Wanted>(
  wanted: () => Wanted,
  fetchPage: (wanted: Wanted, page: PageWanted) => Promise<Answer<PageOf<Node>>>,
  pageSize = 50,
) {
  const [state, setState] = createSignal<LoadState<Listed<Node>>>({ type: 'loading' });
  const [busy, setBusy] = createSignal(false);
  let latest = 0;
  let underWay: Promise<void> = Promise.resolve();
  let refreshWaits = false;

  async function load(): Promise<void> {
    const mine = ++latest;
    setBusy(true);
    const answer = await fetchPage(wanted(), { first: pageSize });
    if (mine !== latest) return;
    setBusy(false);
    setState(() => (answer.type === 'failed' ? answer : { type: 'ready', data: follow(nothing, answer.data) }));
  }

  /** When the next page cannot be had, what is known stays. */
  async function readMore(): Promise<void> {
    const mine = latest;
    const before = state();
    if (before.type === 'ready' && before.data.next !== undefined) {
      const answer = await fetchPage(wanted(), { first: pageSize, after: before.data.next });
      if (mine !== latest) return;
      if (answer.type === 'failed') toasts.show({ text: answer.message, tone: 'failure' });
      else setState(() => ({ type: 'ready', data: follow(before.data, answer.data) }));
    }
    setBusy(false);
  }

  async function readAnew(): Promise<void> {
    refreshWaits = false;
    const mine = latest;
    const before = state();
    if (before.type !== 'ready') return;
    // Whole pages, so that what is new at the end appears as well.
    const shown = Math.max(1, Math.ceil(before.data.list.length / pageSize)) * pageSize;
    const known = new Map(before.data.list.map((node) => [JSON.stringify(node), node]));
    let data: Listed<Node> = nothing;
    do {
      const first = Math.min(largestPage, shown - data.list.length);
      const answer = await fetchPage(wanted(), { first, ...(data.next === undefined ? {} : { after: data.next }) });
      if (mine !== latest || answer.type === 'failed') return;
      data = follow(data, answer.data);
    } while (data.next !== undefined && data.list.length < shown);
    // What has not changed stays the same object, so that its row stays, and who is in it.
    const list = data.list.map((node) => known.get(JSON.stringify(node)) ?? node);
    setState(() => ({ type: 'ready', data: { ...data, list } }));
  }

  function reload(): Promise<void> {
    underWay = load();
    return underWay;
  }

  function inTurn(work: () => Promise<void>): Promise<void> {
    underWay = underWay.then(work);
    return underWay;
  }

  createEffect(
    on(wanted, () => {
      setState({ type: 'loading' });
      void reload();
    }),
  );

  return {
    state,
    busy,
    reload,
    more() {
      if (busy()) return;
      setBusy(true);
      void inTurn(readMore);
    },
    /** Reads as much anew as is shown; when that fails, what is known stays. */
    refresh(): Promise<void> {
      if (refreshWaits) return underWay;
      refreshWaits = true;
      return inTurn(readAnew);
    },
  };
}

const nothing = { list: [], total: 0, next: undefined };

function follow<Node>(before: Listed<Node>, { edges, pageInfo, totalCount }: PageOf<Node>): Listed<Node> {
  const next = pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined;
  return { list: [...before.list, ...edges.map(({ node }) => node)], total: totalCount, next };
}

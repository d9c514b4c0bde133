import type { SettingChangePageFragment } from '@oracle-agent/sdk/documents';
import { createSignal } from 'solid-js';
import type { Answer } from './graphql-client.ts';
import type { LoadState } from './load.ts';

export type Change = SettingChangePageFragment['edges'][number]['node'];
type PageOf = (request: { first: number; after: string | undefined }) => Promise<Answer<SettingChangePageFragment>>;

interface Changes {
  readonly list: readonly Change[];
  readonly total: number;
  readonly next: string | undefined;
}

const pageSize = 20;

/** An audit log read from its newest end; older pages are appended, a refresh puts what is new on top. */
export function createChangePages(fetchPage: PageOf) {
  const [state, setState] = createSignal<LoadState<Changes>>({ type: 'loading' });
  const [busy, setBusy] = createSignal(false);
  const [problem, setProblem] = createSignal<string>();
  let outdated = false;

  async function load(after: string | undefined): Promise<void> {
    if (busy()) {
      outdated ||= after === undefined;
      return;
    }
    setBusy(true);
    setProblem(undefined);
    if (state().type === 'failed') setState({ type: 'loading' });
    const answer = await fetchPage({ first: pageSize, after });
    setBusy(false);
    const known = state();
    if (answer.type === 'data') setState({ type: 'ready', data: merge(known, answer.data, after) });
    else if (known.type === 'ready') setProblem(answer.message);
    else setState(answer);
    if (outdated) {
      outdated = false;
      await load(undefined);
    }
  }

  function more() {
    const known = state();
    return known.type === 'ready' && known.data.next ? load(known.data.next) : undefined;
  }

  return { state, busy, problem, load: () => load(undefined), more };
}

function merge(known: LoadState<Changes>, page: SettingChangePageFragment, after: string | undefined): Changes {
  // An entry never changes: the object that is drawn already stays, and so does the row that has the focus.
  const drawn = new Map(known.type === 'ready' ? known.data.list.map((change) => [change.id, change]) : []);
  const nodes = page.edges.map(({ node }) => drawn.get(node.id) ?? node);
  const next = page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? undefined) : undefined;
  if (known.type !== 'ready') return { list: nodes, total: page.totalCount, next };
  const older = known.data.list;
  if (after !== undefined) return { list: [...older, ...nodes], total: page.totalCount, next };
  const seen = new Set(nodes.map(({ id }) => id));
  const kept = older.filter(({ id }) => !seen.has(id));
  // Only when the new page reaches what is known may both be joined; otherwise there would be a gap between them.
  const joined = kept.length < older.length;
  return joined
    ? { list: [...nodes, ...kept], total: page.totalCount, next: kept.length > 0 ? known.data.next : next }
    : { list: nodes, total: page.totalCount, next };
}

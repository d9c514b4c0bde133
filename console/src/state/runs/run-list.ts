import { ModelsDocument, RunListDocument, RunsChangedDocument, UsersDocument } from '@oracle-agent/sdk/documents';
import { useLocation, useNavigate, useSearchParams } from '@solidjs/router';
import { createEffect, createMemo, createSignal, on, onCleanup } from 'solid-js';
import type { App } from '../app-context.ts';
import { createLoad } from '../load.ts';
import type { Viewer } from '../session.ts';
import { createNow } from './now.ts';
import { type FilterParams, type RunFilters, readFilters, serverFilter, writeFilters } from './run-filters.ts';
import { mergeChange, type ToldRow } from './run-rows.ts';

export const runsPerPage = 50;
const typingPauseMs = 250;

/** The list of runs: filters and page live in the address, rows follow what happens. */
export function createRunList({ session, live }: App, viewer: Viewer) {
  const { client } = session;
  const admin = viewer.role === 'ADMIN';
  const [params, setParams] = useSearchParams<Record<keyof FilterParams | 'after' | 'page', string>>();
  const location = useLocation<{ trail?: readonly string[] }>();
  const navigate = useNavigate();
  const [typed, setTyped] = createSignal<string>();
  const [rows, setRows] = createSignal<readonly ToldRow[]>([]);
  let typing: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(typing));

  const filters = createMemo(() => readFilters(params));
  const page = () => Math.max(1, Math.trunc(Number(params.page)) || 1);
  const load = createLoad(client, RunListDocument, () => ({
    first: runsPerPage,
    after: params.after ?? null,
    filter: serverFilter(filters(), { id: viewer.id, admin }, new Date()),
  }));
  const models = createLoad(client, ModelsDocument, () => ({ available: true }));
  const people = admin ? createLoad(client, UsersDocument, () => ({ first: 100 })) : undefined;

  createEffect(
    on(load.state, (state) => {
      const now = Date.now();
      setRows(state.type === 'ready' ? state.data.runs.edges.map(({ node }) => ({ row: node, toldAt: now })) : []);
    }),
  );

  const stop = live.subscribe(RunsChangedDocument, admin ? { everyone: true } : {}, ({ runsChanged }) => {
    const { rows: merged, reload } = mergeChange(rows(), runsChanged, { firstPage: page() === 1, now: Date.now() });
    setRows(merged);
    if (reload && load.state().type === 'ready') void load.reload();
  });
  onCleanup(stop);

  const now = createNow(() => rows().some(({ row }) => row.status === 'RUNNING'));

  function filter(next: RunFilters, options?: { readonly replace: boolean }) {
    setParams({ ...writeFilters(next), after: undefined, page: undefined }, options);
  }

  function type(text: string) {
    setTyped(text);
    clearTimeout(typing);
    typing = setTimeout(() => {
      filter({ ...filters(), search: text.trim() }, { replace: true });
      setTyped(undefined);
    }, typingPauseMs);
  }

  /** Cursors only lead forward; the way back is kept with the history entry, which survives a reload. */
  function goNext(cursor: string) {
    const trail = [...(location.state?.trail ?? []), params.after ?? ''];
    navigate(`?${withParams({ after: cursor, page: String(page() + 1) })}`, { state: { trail } });
  }

  function goBack() {
    const trail = location.state?.trail ?? [];
    const after = trail.at(-1) ?? '';
    const previous = after === '' ? undefined : String(page() - 1);
    navigate(`?${withParams({ after, page: previous })}`, { state: { trail: trail.slice(0, -1) } });
  }

  function withParams(changes: Record<string, string | undefined>): string {
    const next = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(changes)) value ? next.set(name, value) : next.delete(name);
    return next.toString();
  }

  const found = () => {
    const state = load.state();
    return state.type === 'ready' ? state.data.runs : undefined;
  };

  return {
    ...load,
    admin,
    rows,
    found,
    now,
    filters,
    page,
    filter,
    search: () => typed() ?? filters().search,
    type,
    goNext,
    goBack,
    models: () => {
      const state = models.state();
      return state.type === 'ready' ? state.data.models.filter(({ isPattern }) => !isPattern) : [];
    },
    people: () => {
      const state = people?.state();
      return state?.type === 'ready' ? state.data.users.edges.map(({ node }) => node) : [];
    },
  };
}

export type RunList = ReturnType<typeof createRunList>;

import { type SortDirection, type UserSort, UsersDocument } from '@oracle-agent/sdk/documents';
import { useLocation, useNavigate, useSearchParams } from '@solidjs/router';
import type { Client } from '@urql/core';
import { createSignal, onCleanup } from 'solid-js';
import { createLoad } from './load.ts';

export const usersPerPage = 50;
const typingPauseMs = 250;
const sorts: readonly UserSort[] = ['NAME', 'EMAIL', 'ROLE', 'CREATED_AT'];

/** Search, order and page live in the address: a reload, a bookmark or Back shows the same list. */
export function createUsersList(client: Client) {
  const [params, setParams] = useSearchParams<Record<'search' | 'sort' | 'direction' | 'after' | 'page', string>>();
  const location = useLocation<{ trail?: readonly string[] }>();
  const navigate = useNavigate();
  const [typed, setTyped] = createSignal<string>();
  let typing: ReturnType<typeof setTimeout> | undefined;

  const search = () => params.search ?? '';
  const sort = () => sorts.find((candidate) => candidate === params.sort) ?? 'NAME';
  const direction = (): SortDirection => (params.direction === 'DESC' ? 'DESC' : 'ASC');
  const page = () => Math.max(1, Math.trunc(Number(params.page)) || 1);
  const load = createLoad(client, UsersDocument, () => ({
    first: usersPerPage,
    after: params.after ?? null,
    search: search() === '' ? null : search(),
    sort: sort(),
    direction: direction(),
  }));

  function type(text: string) {
    setTyped(text);
    clearTimeout(typing);
    typing = setTimeout(() => {
      setParams({ search: text.trim(), ...firstPage }, { replace: true });
      setTyped(undefined);
    }, typingPauseMs);
  }
  onCleanup(() => clearTimeout(typing));

  function sortBy(column: UserSort) {
    const descending = sort() === column && direction() === 'ASC';
    setParams({ sort: column, direction: descending ? 'DESC' : undefined, ...firstPage });
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

  return { ...load, search: () => typed() ?? search(), sort, direction, page, type, sortBy, goNext, goBack };
}

const firstPage = { after: undefined, page: undefined };

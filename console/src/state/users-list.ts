import { PeopleDocument, type SortDirection, type UserSort } from '@oracle-agent/sdk/documents';
import { useSearchParams } from '@solidjs/router';
import type { Client } from '@urql/core';
import { createSignal, onCleanup } from 'solid-js';
import { createLoad } from './load.ts';

export const usersPerPage = 50;
const typingPauseMs = 250;
const sorts: readonly UserSort[] = ['NAME', 'EMAIL', 'ROLE', 'CREATED_AT'];

/** Search, order and page live in the address: a reload, a bookmark or Back shows the same list. */
export function createUsersList(client: Client) {
  const [params, setParams] =
    useSearchParams<Record<'search' | 'sort' | 'direction' | 'after' | 'before' | 'page', string>>();
  const [typed, setTyped] = createSignal<string>();
  let typing: ReturnType<typeof setTimeout> | undefined;

  const search = () => params.search ?? '';
  const sort = () => sorts.find((candidate) => candidate === params.sort) ?? 'NAME';
  const direction = (): SortDirection => (params.direction === 'DESC' ? 'DESC' : 'ASC');
  const load = createLoad(client, PeopleDocument, () => ({
    ...(params.before
      ? { last: usersPerPage, before: params.before }
      : { first: usersPerPage, after: params.after ?? null }),
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

  const users = () => {
    const state = load.state();
    return state.type === 'ready' ? state.data.users : undefined;
  };
  /** Where there is nothing before, it is the first page, whatever people came or went meanwhile. */
  const page = () =>
    users()?.pageInfo.hasPreviousPage === false ? 1 : Math.max(1, Math.trunc(Number(params.page)) || 1);

  function goNext() {
    const cursor = users()?.pageInfo.endCursor;
    if (cursor) setParams({ after: cursor, before: undefined, page: String(page() + 1) });
  }

  function goBack() {
    const cursor = users()?.pageInfo.startCursor;
    if (page() <= 2 || !cursor) setParams(firstPage);
    else setParams({ after: undefined, before: cursor, page: String(page() - 1) });
  }

  return {
    ...load,
    users,
    search: () => typed() ?? search(),
    /** The search that the list shows, without what is still being typed. */
    searched: search,
    sort,
    direction,
    page,
    type,
    sortBy,
    goNext,
    goBack,
  };
}

const firstPage = { after: undefined, before: undefined, page: undefined };

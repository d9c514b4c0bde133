import type { PersonRowFragment, SortDirection, UserSort } from '@oracle-agent/sdk/documents';
import ArrowDown from 'lucide-solid/icons/arrow-down';
import ArrowUp from 'lucide-solid/icons/arrow-up';
import { For, Show } from 'solid-js';
import type { FieldTitles } from '../../state/own-limits.ts';
import type { SelectionState } from '../../state/selection.ts';
import { words } from '../../words.ts';
import { Checkbox } from '../basics/checkbox.tsx';
import { Bar } from '../basics/skeleton.tsx';
import { type UsersColumn, usersColumns } from './users-columns.tsx';

const said = words.people;

interface UsersTableProps {
  readonly users: readonly PersonRowFragment[];
  readonly titles: readonly FieldTitles[];
  readonly selection: SelectionState;
  readonly loading: boolean;
  readonly sort: UserSort;
  readonly direction: SortDirection;
  readonly onSort: (column: UserSort) => void;
}

/** The rows come sorted and cut to a page by the server; the whole row leads to the person. */
export function UsersTable(props: UsersTableProps) {
  const inSight = () => props.users.map(({ id }) => id);
  const pageState = () => props.selection.pageState(inSight());

  return (
    <table class="w-full table-fixed" aria-busy={props.loading}>
      <thead>
        <tr>
          <th scope="col" class={`${headClass} w-11 pl-2 sm:pl-3`}>
            <Checkbox
              label={said.selectPage}
              checked={pageState() === 'all'}
              partly={pageState() === 'some'}
              disabled={props.users.length === 0}
              onChange={(chosen) => props.selection.setPage(inSight(), chosen)}
            />
          </th>
          <For each={usersColumns}>
            {(column) => (
              <Heading column={column} sort={props.sort} direction={props.direction} onSort={props.onSort} />
            )}
          </For>
        </tr>
      </thead>
      <tbody class="divide-y divide-line transition-opacity" classList={{ 'opacity-60': props.loading }}>
        <Show when={!props.loading || props.users.length > 0} fallback={<SkeletonRows />}>
          <For each={props.users}>
            {(user) => (
              <tr
                class="relative transition-colors hover:bg-sunken"
                classList={{ 'bg-accent-soft': props.selection.has(user.id) }}
              >
                <td class="pl-2 sm:pl-3">
                  <Checkbox
                    label={said.select(user.name)}
                    checked={props.selection.has(user.id)}
                    onChange={(chosen) => props.selection.setRow(user.id, chosen, inSight())}
                  />
                </td>
                <For each={usersColumns}>
                  {(column) => <td class={`px-3 py-2 ${column.class}`}>{column.cell(user, props.titles)}</td>}
                </For>
              </tr>
            )}
          </For>
        </Show>
      </tbody>
    </table>
  );
}

const headClass =
  'sticky top-12 z-10 border-b border-line bg-surface py-1 text-left first:rounded-tl-lg last:rounded-tr-lg';

interface HeadingProps {
  readonly column: UsersColumn;
  readonly sort: UserSort;
  readonly direction: SortDirection;
  readonly onSort: (column: UserSort) => void;
}

function Heading(props: HeadingProps) {
  const title = () => said.columns[props.column.id];
  const direction = () =>
    props.sort === props.column.sort ? (props.direction === 'ASC' ? 'ascending' : 'descending') : undefined;
  return (
    <th scope="col" aria-sort={direction()} class={`${headClass} px-1 ${props.column.class}`}>
      <Show
        when={props.column.sort}
        fallback={<span class="block truncate px-2 text-sm font-medium text-muted">{title()}</span>}
      >
        {(sort) => (
          <button
            type="button"
            class="inline-flex h-7 items-center gap-1 rounded px-2 text-sm font-medium text-muted hover:text-text"
            onClick={() => props.onSort(sort())}
          >
            {title()}
            <SortArrow direction={direction()} />
          </button>
        )}
      </Show>
    </th>
  );
}

function SortArrow(props: { readonly direction: 'ascending' | 'descending' | undefined }) {
  return (
    <Show when={props.direction}>
      {(direction) =>
        direction() === 'ascending' ? (
          <ArrowUp class="size-3.5" aria-hidden="true" />
        ) : (
          <ArrowDown class="size-3.5" aria-hidden="true" />
        )
      }
    </Show>
  );
}

function SkeletonRows() {
  return (
    <For each={Array.from({ length: 8 })}>
      {() => (
        <tr>
          <td />
          <For each={usersColumns}>
            {(column) => (
              <td class={`px-3 py-2 ${column.class}`}>
                <Bar class="my-2 h-3 w-3/4" />
              </td>
            )}
          </For>
        </tr>
      )}
    </For>
  );
}

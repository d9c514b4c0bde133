import type { SortDirection, UserSort, UserSummaryFragment } from '@oracle-agent/sdk/documents';
import { A } from '@solidjs/router';
import { createColumnHelper, createTable, tableFeatures } from '@tanstack/solid-table';
import ArrowDown from 'lucide-solid/icons/arrow-down';
import ArrowUp from 'lucide-solid/icons/arrow-up';
import { For, Show } from 'solid-js';
import { roleName } from '../../state/people-words.ts';
import { Avatar } from '../basics/avatar.tsx';
import { Bar } from '../basics/skeleton.tsx';
import { StatusPill } from '../basics/status-pill.tsx';
import { TimeText } from '../basics/time-text.tsx';

const features = tableFeatures({});
const helper = createColumnHelper<typeof features, UserSummaryFragment>();

const columns = helper.columns([
  helper.accessor('name', {
    id: 'NAME',
    header: 'Name',
    cell: (cell) => (
      <span class="flex min-w-0 items-center gap-2.5">
        <Avatar name={cell.getValue()} />
        <span class="min-w-0">
          <A
            href={`/admin/users/${cell.row.original.id}`}
            class="block truncate font-medium after:absolute after:inset-0"
          >
            {cell.getValue()}
          </A>
          <span class="block truncate text-sm text-muted md:hidden">{cell.row.original.email}</span>
        </span>
      </span>
    ),
  }),
  helper.accessor('email', {
    id: 'EMAIL',
    header: 'Email',
    cell: (cell) => <span class="block truncate text-muted">{cell.getValue()}</span>,
  }),
  helper.accessor('role', {
    id: 'ROLE',
    header: 'Role',
    cell: (cell) => (
      <StatusPill text={roleName(cell.getValue())} tone={cell.getValue() === 'ADMIN' ? 'accent' : 'neutral'} />
    ),
  }),
  helper.accessor('createdAt', {
    id: 'CREATED_AT',
    header: 'Added',
    cell: (cell) => (
      <span class="whitespace-nowrap text-muted">
        <TimeText at={cell.getValue()} />
      </span>
    ),
  }),
]);

const widths: Record<UserSort, string> = {
  NAME: 'w-[34%] max-md:w-auto',
  EMAIL: 'w-[36%] max-md:hidden',
  ROLE: 'w-34',
  CREATED_AT: 'w-36 max-sm:hidden',
};

interface UsersTableProps {
  readonly users: readonly UserSummaryFragment[];
  readonly loading: boolean;
  readonly sort: UserSort;
  readonly direction: SortDirection;
  readonly onSort: (column: UserSort) => void;
}

/** The rows come sorted and cut to a page by the server; the whole row leads to the person. */
export function UsersTable(props: UsersTableProps) {
  const table = createTable({
    features,
    columns,
    get data() {
      return [...props.users];
    },
    getRowId: (user) => user.id,
  });
  const ariaSort = (column: string) =>
    props.sort === column ? (props.direction === 'ASC' ? 'ascending' : 'descending') : undefined;

  return (
    <table class="w-full table-fixed" aria-busy={props.loading}>
      <thead>
        <For each={table.getHeaderGroups()}>
          {(group) => (
            <tr>
              <For each={group.headers}>
                {(header) => (
                  <th
                    scope="col"
                    aria-sort={ariaSort(header.column.id)}
                    class={`sticky top-12 z-10 border-b border-line bg-surface px-1 py-1 text-left first:rounded-tl-lg first:pl-2 last:rounded-tr-lg sm:first:pl-3 ${widths[header.column.id as UserSort]}`}
                  >
                    <button
                      type="button"
                      class="inline-flex h-7 items-center gap-1 rounded px-2 text-sm font-medium text-muted hover:text-text"
                      onClick={() => props.onSort(header.column.id as UserSort)}
                    >
                      <table.FlexRender header={header} />
                      <SortArrow direction={ariaSort(header.column.id)} />
                    </button>
                  </th>
                )}
              </For>
            </tr>
          )}
        </For>
      </thead>
      <tbody class="divide-y divide-line transition-opacity" classList={{ 'opacity-60': props.loading }}>
        <Show when={!props.loading || props.users.length > 0} fallback={<SkeletonRows />}>
          <For each={table.getRowModel().rows}>
            {(row) => (
              <tr class="relative transition-colors hover:bg-sunken">
                <For each={row.getAllCells()}>
                  {(cell) => (
                    <td class={`px-3 py-2 first:pl-4 sm:first:pl-5 ${hiddenLike(cell.column.id)}`}>
                      <table.FlexRender cell={cell} />
                    </td>
                  )}
                </For>
              </tr>
            )}
          </For>
        </Show>
      </tbody>
    </table>
  );
}

function hiddenLike(column: string): string {
  return column === 'EMAIL' ? 'max-md:hidden' : column === 'CREATED_AT' ? 'max-sm:hidden' : '';
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
          <For each={['NAME', 'EMAIL', 'ROLE', 'CREATED_AT']}>
            {(column) => (
              <td class={`px-3 py-2 first:pl-4 sm:first:pl-5 ${hiddenLike(column)}`}>
                <Bar class="my-2 h-3 w-3/4" />
              </td>
            )}
          </For>
        </tr>
      )}
    </For>
  );
}

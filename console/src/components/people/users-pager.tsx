import type { UsersQuery } from '@oracle-agent/sdk/documents';
import ChevronLeft from 'lucide-solid/icons/chevron-left';
import ChevronRight from 'lucide-solid/icons/chevron-right';
import { Show } from 'solid-js';
import { formatNumber } from '../../state/number-format.ts';
import { type createUsersList, usersPerPage } from '../../state/users-list.ts';
import { Button } from '../basics/button.tsx';

interface UsersPagerProps {
  readonly list: ReturnType<typeof createUsersList>;
  readonly users: UsersQuery['users'];
}

export function UsersPager(props: UsersPagerProps) {
  const start = () => (props.list.page() - 1) * usersPerPage;
  const next = () => (props.users.pageInfo.hasNextPage ? props.users.pageInfo.endCursor : null);
  const range = () =>
    props.users.edges.length === 0
      ? 'None'
      : `${formatNumber(start() + 1)}–${formatNumber(start() + props.users.edges.length)}`;
  return (
    <div class="flex items-center justify-between gap-3 border-t border-line px-4 py-2 text-sm text-muted sm:px-5">
      <span role="status">
        {range()} of {formatNumber(props.users.totalCount)}
      </span>
      <Show when={next() !== null || props.list.page() > 1}>
        <span class="flex gap-2">
          <Button size="small" disabled={props.list.page() === 1} onClick={() => props.list.goBack()}>
            <ChevronLeft class="size-4" aria-hidden="true" /> Previous
          </Button>
          <Button
            size="small"
            disabled={next() === null}
            onClick={() => {
              const cursor = next();
              if (cursor !== null) props.list.goNext(cursor);
            }}
          >
            Next <ChevronRight class="size-4" aria-hidden="true" />
          </Button>
        </span>
      </Show>
    </div>
  );
}

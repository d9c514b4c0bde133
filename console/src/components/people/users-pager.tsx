import type { PeopleQuery } from '@oracle-agent/sdk/documents';
import ChevronLeft from 'lucide-solid/icons/chevron-left';
import ChevronRight from 'lucide-solid/icons/chevron-right';
import { Show } from 'solid-js';
import { type createUsersList, usersPerPage } from '../../state/users-list.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';

interface UsersPagerProps {
  readonly list: ReturnType<typeof createUsersList>;
  readonly users: PeopleQuery['users'];
}

export function UsersPager(props: UsersPagerProps) {
  const start = () => (props.list.page() - 1) * usersPerPage;
  const info = () => props.users.pageInfo;
  return (
    <div class="flex items-center justify-between gap-3 border-t border-line px-4 py-2 text-sm text-muted sm:px-5">
      <span role="status">
        {words.people.range(start() + 1, start() + props.users.edges.length, props.users.totalCount)}
      </span>
      <Show when={info().hasNextPage || info().hasPreviousPage}>
        <span class="flex gap-2">
          <Button size="small" disabled={!info().hasPreviousPage} onClick={() => props.list.goBack()}>
            <ChevronLeft class="size-4" aria-hidden="true" /> {words.people.previous}
          </Button>
          <Button size="small" disabled={!info().hasNextPage} onClick={() => props.list.goNext()}>
            {words.people.next} <ChevronRight class="size-4" aria-hidden="true" />
          </Button>
        </span>
      </Show>
    </div>
  );
}

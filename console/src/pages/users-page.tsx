import { useNavigate } from '@solidjs/router';
import Plus from 'lucide-solid/icons/plus';
import Search from 'lucide-solid/icons/search';
import { createSignal, Match, Show, Switch } from 'solid-js';
import { Button } from '../components/basics/button.tsx';
import { ForbiddenNotice } from '../components/basics/forbidden-notice.tsx';
import { EmptyNotice, FailedNotice } from '../components/basics/notice.tsx';
import { PageHeader } from '../components/basics/page-header.tsx';
import { inputClass } from '../components/basics/text-field.tsx';
import { CreateUserDialog } from '../components/people/create-user-dialog.tsx';
import { UsersPager } from '../components/people/users-pager.tsx';
import { UsersTable } from '../components/people/users-table.tsx';
import { useApp } from '../state/app-context.ts';
import { createPlace } from '../state/place.ts';
import { createUsersList } from '../state/users-list.ts';

export function UsersPage() {
  createPlace(() => 'Users');
  const { session } = useApp();
  const navigate = useNavigate();
  const list = createUsersList(session.client);
  const [creating, setCreating] = createSignal(false);

  const found = () => {
    const state = list.state();
    return state.type === 'ready' ? state.data.users : undefined;
  };
  const failure = () => {
    const state = list.state();
    return state.type === 'failed' ? state : undefined;
  };
  const addButton = () => (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus class="size-4" aria-hidden="true" /> Add a person
    </Button>
  );

  return (
    <>
      <PageHeader
        title="Users"
        description="Everybody who can use the agent, and the limits that belong to them."
        actions={addButton()}
      />
      <search class="relative mb-3 block max-w-sm">
        <Search class="pointer-events-none absolute top-2 left-2.5 size-4 text-faint" aria-hidden="true" />
        <input
          type="search"
          aria-label="Search by name or email"
          placeholder="Search by name or email"
          class={`${inputClass} pl-8`}
          value={list.search()}
          onInput={(event) => list.type(event.currentTarget.value)}
        />
      </search>
      <Switch>
        <Match when={failure()?.forbidden}>
          <ForbiddenNotice />
        </Match>
        <Match when={failure()}>
          {(problem) => <FailedNotice message={problem().message} onRetry={() => void list.reload()} />}
        </Match>
        <Match when={true}>
          <div class="rounded-lg border border-line bg-surface">
            <UsersTable
              users={found()?.edges.map(({ node }) => node) ?? []}
              loading={list.fetching()}
              sort={list.sort()}
              direction={list.direction()}
              onSort={list.sortBy}
            />
            <Show when={found()?.edges.length === 0}>
              <EmptyNotice
                title={list.search() === '' ? 'Nobody here' : 'Nobody matches'}
                text={
                  list.search() === ''
                    ? 'People appear here once they are added.'
                    : `No name or email contains “${list.search()}”.`
                }
                action={
                  list.search() === '' ? addButton() : <Button onClick={() => list.type('')}>Clear the search</Button>
                }
              />
            </Show>
            <Show when={(found()?.edges.length ?? 0) > 0 && found()}>
              {(users) => <UsersPager list={list} users={users()} />}
            </Show>
          </div>
        </Match>
      </Switch>
      <CreateUserDialog
        open={creating()}
        onClose={() => setCreating(false)}
        onCreated={(id) => navigate(`/admin/users/${id}?view=tokens`)}
      />
    </>
  );
}

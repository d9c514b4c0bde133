import { AgentConfigFieldsDocument } from '@oracle-agent/sdk/documents';
import { useNavigate } from '@solidjs/router';
import Plus from 'lucide-solid/icons/plus';
import Search from 'lucide-solid/icons/search';
import { createEffect, createSignal, Match, on, Show, Switch } from 'solid-js';
import { BulkBar } from '../components/basics/bulk-bar.tsx';
import { Button } from '../components/basics/button.tsx';
import { ForbiddenNotice } from '../components/basics/forbidden-notice.tsx';
import { EmptyNotice, FailedNotice } from '../components/basics/notice.tsx';
import { PageHeader } from '../components/basics/page-header.tsx';
import { inputClass } from '../components/basics/text-field.tsx';
import { BulkLimitsDialog } from '../components/people/bulk-limits-dialog.tsx';
import { CreateUserDialog } from '../components/people/create-user-dialog.tsx';
import { UsersPager } from '../components/people/users-pager.tsx';
import { UsersTable } from '../components/people/users-table.tsx';
import { useApp } from '../state/app-context.ts';
import { createLoad } from '../state/load.ts';
import { createPlace } from '../state/place.ts';
import { createSelection, type Selection } from '../state/selection.ts';
import { createUsersList } from '../state/users-list.ts';
import { words } from '../words.ts';

const said = words.people;

export function UsersPage() {
  createPlace(() => said.title);
  const { session } = useApp();
  const navigate = useNavigate();
  const list = createUsersList(session.client);
  const fields = createLoad(session.client, AgentConfigFieldsDocument, () => ({}));
  const selection = createSelection();
  const [creating, setCreating] = createSignal(false);
  const [limiting, setLimiting] = createSignal<Selection>();
  createEffect(on(list.searched, () => selection.clear(), { defer: true }));

  const users = () => list.users()?.edges.map(({ node }) => node) ?? [];
  const titles = () => {
    const state = fields.state();
    return state.type === 'ready' ? state.data.agentConfigFields : [];
  };
  const ceilings = () =>
    new Map(
      (users()[0]?.effectiveConfig.fields ?? []).flatMap(({ field, ceiling }) =>
        ceiling === null ? [] : [[field, ceiling] as const],
      ),
    );
  const total = () => list.users()?.totalCount ?? 0;
  const failure = () => {
    const state = list.state();
    return state.type === 'failed' ? state : undefined;
  };
  const addButton = () => (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus class="size-4" aria-hidden="true" /> {said.add}
    </Button>
  );

  return (
    <>
      <PageHeader title={said.title} description={said.description} actions={addButton()} />
      <search class="relative mb-3 block max-w-sm">
        <Search class="pointer-events-none absolute top-2 left-2.5 size-4 text-faint" aria-hidden="true" />
        <input
          type="search"
          aria-label={said.search}
          placeholder={said.search}
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
              users={users()}
              titles={titles()}
              selection={selection}
              loading={list.fetching()}
              sort={list.sort()}
              direction={list.direction()}
              onSort={list.sortBy}
            />
            <Show when={list.users()?.edges.length === 0}>
              <EmptyNotice
                title={list.search() === '' ? said.nobody : said.noMatch}
                text={list.search() === '' ? said.nobodyText : said.noMatchText(list.search())}
                action={
                  list.search() === '' ? addButton() : <Button onClick={() => list.type('')}>{said.clearSearch}</Button>
                }
              />
            </Show>
            <Show when={users().length > 0 && list.users()}>
              {(found) => <UsersPager list={list} users={found()} />}
            </Show>
          </div>
          <Show when={selection.size() > 0}>
            <BulkBar
              label={words.bulkLimits.bar}
              summary={words.bulkLimits.selected(selection.size())}
              clearLabel={words.bulkLimits.clear}
              onClear={selection.clear}
            >
              <Show when={selection.pageState(users().map(({ id }) => id)) === 'all' && selection.size() < total()}>
                <Button onClick={() => selection.selectAllMatching(total())}>
                  {words.bulkLimits.selectAll(total())}
                </Button>
              </Show>
              <Button variant="primary" onClick={() => setLimiting(selection.selection())}>
                {words.bulkLimits.setLimits}
              </Button>
            </BulkBar>
          </Show>
        </Match>
      </Switch>
      <BulkLimitsDialog
        selection={limiting()}
        search={list.searched()}
        ceilings={ceilings()}
        onClose={() => setLimiting(undefined)}
        onChanged={() => void list.reload()}
      />
      <CreateUserDialog
        open={creating()}
        onClose={() => setCreating(false)}
        onCreated={(id) => navigate(`/admin/users/${id}?view=tokens`)}
      />
    </>
  );
}

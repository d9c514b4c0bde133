import { A } from '@solidjs/router';
import { Match, Show, Switch } from 'solid-js';
import { Button, buttonClass } from '../components/basics/button.tsx';
import { ForbiddenNotice } from '../components/basics/forbidden-notice.tsx';
import { EmptyNotice, FailedNotice } from '../components/basics/notice.tsx';
import { PageHeader } from '../components/basics/page-header.tsx';
import { clearFilters, RunFiltersBar } from '../components/runs/run-filters-bar.tsx';
import { RunsPager } from '../components/runs/runs-pager.tsx';
import { RunsTable } from '../components/runs/runs-table.tsx';
import { useApp, useViewer } from '../state/app-context.ts';
import { createPlace } from '../state/place.ts';
import { chipsOf } from '../state/runs/run-filters.ts';
import { createRunList } from '../state/runs/run-list.ts';
import { words } from '../words.ts';

export function RunsPage() {
  createPlace(() => words.runs.title);
  const list = createRunList(useApp(), useViewer()());
  const failure = () => {
    const state = list.state();
    return state.type === 'failed' ? state : undefined;
  };
  const filtered = () => chipsOf(list.filters(), () => undefined).length > 0;

  return (
    <>
      <PageHeader title={words.runs.title} description={words.runs.description} />
      <RunFiltersBar list={list} />
      <Switch>
        <Match when={failure()?.forbidden}>
          <ForbiddenNotice />
        </Match>
        <Match when={failure()}>
          {(problem) => <FailedNotice message={problem().message} onRetry={() => void list.reload()} />}
        </Match>
        <Match when={true}>
          <div class="rounded-lg border border-line bg-surface">
            <RunsTable rows={list.rows()} loading={list.found() === undefined} withUser={list.admin} now={list.now()} />
            <Show when={list.found()?.edges.length === 0}>
              <Show
                when={filtered()}
                fallback={
                  <EmptyNotice
                    title={words.runs.empty}
                    text={words.runs.emptyText}
                    action={
                      <A href="/" class={buttonClass('primary')}>
                        {words.runs.ask}
                      </A>
                    }
                  />
                }
              >
                <EmptyNotice
                  title={words.runs.noneFound}
                  text={words.runs.noneFoundText}
                  action={<Button onClick={() => clearFilters(list)}>{words.runs.clearFilters}</Button>}
                />
              </Show>
            </Show>
            <Show when={(list.found()?.edges.length ?? 0) > 0 && list.found()}>
              {(runs) => <RunsPager list={list} runs={runs()} />}
            </Show>
          </div>
        </Match>
      </Switch>
    </>
  );
}

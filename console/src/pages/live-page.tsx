import { A } from '@solidjs/router';
import { createSignal, For, Show } from 'solid-js';
import { BulkBar } from '../components/basics/bulk-bar.tsx';
import { Button, buttonClass } from '../components/basics/button.tsx';
import { Checkbox } from '../components/basics/checkbox.tsx';
import { EmptyNotice } from '../components/basics/notice.tsx';
import { PageHeader } from '../components/basics/page-header.tsx';
import { SkeletonCards } from '../components/basics/skeleton.tsx';
import { LiveRow } from '../components/live/live-row.tsx';
import { StopRunsDialog } from '../components/live/stop-runs-dialog.tsx';
import { useApp } from '../state/app-context.ts';
import { createLiveWall, type LiveWall, totalsOf } from '../state/live-wall.ts';
import { createPlace } from '../state/place.ts';
import { words } from '../words.ts';

const said = words.live;

export function LivePage() {
  createPlace(() => said.title);
  const { session, live } = useApp();
  const wall = createLiveWall(session.client, live);
  const [confirming, setConfirming] = createSignal<readonly string[]>();
  const ids = () => wall.runs().map(({ id }) => id);
  const chosen = () => ids().filter((id) => wall.selection.has(id));
  /** When all that is selected is one person's: whose, and everything of theirs. */
  const owner = () => {
    const people = new Map(
      wall.runs().flatMap(({ id, run }) => (wall.selection.has(id) ? [[run.user.id, run.user] as const] : [])),
    );
    const [person] = people.values();
    if (people.size !== 1 || !person) return undefined;
    const theirs = wall.runs().filter(({ run }) => run.user.id === person.id);
    return theirs.length > chosen().length ? { name: person.name, ids: theirs.map(({ id }) => id) } : undefined;
  };

  return (
    <>
      <PageHeader title={said.title} description={said.description} />
      <Show when={wall.loaded()} fallback={<SkeletonCards count={2} />}>
        <Totals wall={wall} />
        <section aria-label={said.label} class="rounded-lg border border-line bg-surface">
          <Show
            when={wall.runs().length > 0}
            fallback={
              <EmptyNotice
                title={said.empty}
                text={said.emptyText}
                action={
                  <A href="/" class={buttonClass('secondary')}>
                    {said.ask}
                  </A>
                }
              />
            }
          >
            <div class="flex items-center gap-2 border-b border-line px-2 py-1 text-sm text-muted sm:px-3">
              <Checkbox
                label={said.selectAll}
                checked={wall.selection.pageState(ids()) === 'all'}
                partly={wall.selection.pageState(ids()) === 'some'}
                onChange={(all) => wall.selection.setPage(ids(), all)}
              />
              <Show when={wall.all() > wall.runs().length}>
                <span>{said.cut(wall.runs().length, wall.all())}</span>
                <A href="/runs?state=RUNNING" class="text-accent-text underline">
                  {said.all}
                </A>
              </Show>
            </div>
            <ul class="divide-y divide-line">
              <For each={wall.runs()}>
                {(item) => <LiveRow wall={wall} item={item} onStop={() => setConfirming([item.id])} />}
              </For>
            </ul>
          </Show>
        </section>
        <Show when={chosen().length > 0}>
          <BulkBar
            label={said.bar}
            summary={said.selected(chosen().length)}
            clearLabel={said.clear}
            onClear={wall.selection.clear}
          >
            <Show when={owner()}>
              {(person) => <Button onClick={() => setConfirming(person().ids)}>{said.stopAllOf(person().name)}</Button>}
            </Show>
            <Button variant="danger" onClick={() => setConfirming(chosen())}>
              {said.stopSelected}
            </Button>
          </BulkBar>
        </Show>
      </Show>
      <StopRunsDialog
        runIds={confirming()}
        onClose={() => setConfirming(undefined)}
        onConfirm={(runIds) => {
          setConfirming(undefined);
          void wall.stop(runIds);
        }}
      />
    </>
  );
}

function Totals(props: { readonly wall: LiveWall }) {
  const totals = () => totalsOf(props.wall.runs(), props.wall.now());
  return (
    <ul aria-label={said.totals} class="mb-4 flex flex-wrap gap-x-6 gap-y-1 font-medium">
      <li>{said.running(props.wall.all())}</li>
      <li>{said.people(totals().people)}</li>
      <li>{said.tokensSoFar(totals().tokens)}</li>
      <li>{said.burn(totals().tokensPerMinute)}</li>
    </ul>
  );
}

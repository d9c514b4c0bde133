import { For, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { createRunEvents, type RunEventsState } from '../../state/runs/run-events.ts';
import type { RunDetails, RunPageState } from '../../state/runs/run-page.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { LoadView } from '../basics/load-view.tsx';
import { MoreButton } from '../basics/more-button.tsx';
import { EmptyNotice } from '../basics/notice.tsx';
import { SelectField } from '../basics/select-field.tsx';
import { EventRow } from './event-row.tsx';

interface EventsViewProps {
  readonly page: RunPageState;
  readonly run: RunDetails;
}

/** Everything that happened in the run, oldest first. */
export function EventsView(props: EventsViewProps) {
  const { session } = useApp();
  const events = createRunEvents(session.client, () => props.run.id, props.page.version);
  let filters: HTMLElement | undefined;

  function clear() {
    events.filter({ name: '', severity: '' });
    // The button that was pressed goes away with the emptiness.
    filters?.querySelector('select')?.focus();
  }

  return (
    <div class="flex flex-col gap-3">
      <search ref={filters} aria-label={words.events.filters} class="grid gap-3 sm:flex sm:flex-wrap">
        <SelectField
          label={words.events.name}
          options={events.names()}
          value={events.name()}
          onChange={(name) => events.filter({ name })}
        />
        <SelectField
          label={words.events.severity}
          options={events.severities}
          value={events.severity()}
          onChange={(severity) => events.filter({ severity })}
        />
      </search>
      <LoadView state={events.pages.state()} onRetry={() => void events.pages.reload()}>
        {(data) => (
          <Show when={data().list.length > 0} fallback={<NoEvents events={events} onClear={clear} />}>
            <p class="text-sm text-muted tabular-nums">{words.events.shown(data().list.length, data().total)}</p>
            <ol
              aria-label={words.events.label}
              class="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface"
            >
              <For each={data().list}>
                {(event) => (
                  <EventRow
                    event={event}
                    startedAt={props.run.startedAt}
                    open={events.isOpen(event.number)}
                    onToggle={() => events.toggle(event.number)}
                  />
                )}
              </For>
            </ol>
            <MoreButton pages={events.pages} />
          </Show>
        )}
      </LoadView>
    </div>
  );
}

function NoEvents(props: { readonly events: RunEventsState; readonly onClear: () => void }) {
  const filtered = () => props.events.name() !== '' || props.events.severity() !== '';
  return (
    <Show when={filtered()} fallback={<EmptyNotice title={words.events.empty} text={words.events.emptyText} />}>
      <EmptyNotice
        title={words.events.noneFound}
        text={words.events.noneFoundText}
        action={<Button onClick={() => props.onClear()}>{words.runs.clearFilters}</Button>}
      />
    </Show>
  );
}

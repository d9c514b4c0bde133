import { RunTimelineDocument } from '@oracle-agent/sdk/documents';
import { useSearchParams } from '@solidjs/router';
import ChartGantt from 'lucide-solid/icons/chart-gantt';
import Table from 'lucide-solid/icons/table';
import { createMemo, For, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import type { RunDetails, RunPageState } from '../../state/runs/run-page.ts';
import { createRunPart } from '../../state/runs/run-part.ts';
import { type Turn, waterfall } from '../../state/runs/timeline.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { LoadView } from '../basics/load-view.tsx';
import { EmptyNotice } from '../basics/notice.tsx';
import { barLooks, TimelineChart } from './timeline-chart.tsx';
import { TimelineDetail } from './timeline-detail.tsx';
import { TimelineTable } from './timeline-table.tsx';

interface TimelineViewProps {
  readonly page: RunPageState;
  readonly run: RunDetails;
}

/** When what happened, as a waterfall or as a table; what is open beside it is in the address. */
export function TimelineView(props: TimelineViewProps) {
  const { session } = useApp();
  const load = createRunPart(session.client, RunTimelineDocument, () => ({ id: props.run.id }), props.page.version);
  return (
    <LoadView state={load.state()} onRetry={() => void load.reload()}>
      {(data) => (
        <Show
          when={(data().run?.timeline.length ?? 0) > 0}
          fallback={<EmptyNotice title={words.timeline.empty} text={words.timeline.emptyText} />}
        >
          <Timeline page={props.page} run={props.run} turns={data().run?.timeline ?? []} />
        </Show>
      )}
    </LoadView>
  );
}

function Timeline(props: TimelineViewProps & { readonly turns: readonly Turn[] }) {
  const [params, setParams] = useSearchParams<Record<'as' | 'turn' | 'part', string>>();
  const timeline = createMemo(() =>
    waterfall(
      props.turns,
      props.run.startedAt,
      props.page.running() ? null : props.run.endedAt,
      // By the server's clock, however wrong this device's may be.
      Date.parse(props.run.startedAt) + props.page.durationMs(),
    ),
  );
  const asTable = () => params.as === 'table';
  const opened = () => {
    const row = timeline().rows.find(({ turn }) => String(turn) === params.turn);
    const bar = row?.bars.find(({ key }) => key === params.part);
    return row && bar && { row, bar };
  };

  return (
    <div class="flex flex-col gap-3">
      <div class="flex flex-wrap items-center justify-between gap-2">
        <Legend />
        <Button size="small" onClick={() => setParams({ as: asTable() ? undefined : 'table' }, { replace: true })}>
          <Show when={asTable()} fallback={<Table class="size-4" aria-hidden="true" />}>
            <ChartGantt class="size-4" aria-hidden="true" />
          </Show>
          {asTable() ? words.timeline.asChart : words.timeline.asTable}
        </Button>
      </div>
      <div class="flex flex-col gap-4 xl:flex-row xl:items-start">
        <div class="min-w-0 grow">
          <Show
            when={asTable()}
            fallback={
              <TimelineChart
                timeline={timeline()}
                opened={opened() ? `${params.turn} ${params.part}` : undefined}
                onOpen={(turn, part) => setParams({ turn: String(turn), part }, { replace: true, scroll: false })}
              />
            }
          >
            <TimelineTable timeline={timeline()} />
          </Show>
        </div>
        <Show when={opened()}>
          {(one) => (
            <TimelineDetail
              run={props.run}
              turn={props.turns.find(({ turn }) => turn === one().row.turn)}
              bar={one().bar}
              onClose={() => setParams({ turn: undefined, part: undefined }, { replace: true, scroll: false })}
            />
          )}
        </Show>
      </div>
    </div>
  );
}

function Legend() {
  const { legend } = words.timeline;
  const samples = [
    [barLooks.model, legend.model],
    [barLooks.tool, legend.tool],
    [barLooks.failed, legend.failed],
    [barLooks.agent, legend.agent],
  ] as const;
  return (
    <ul class="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
      <For each={samples}>
        {([look, name]) => (
          <li class="flex items-center gap-1.5">
            <span class={`h-2.5 w-5 rounded-sm border ${look}`} aria-hidden="true" />
            {name}
          </li>
        )}
      </For>
      <li class="flex items-center gap-1.5">
        <span class="h-3.5 w-0.5 bg-text" aria-hidden="true" />
        {legend.firstToken}
      </li>
    </ul>
  );
}

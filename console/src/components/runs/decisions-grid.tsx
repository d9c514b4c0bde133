import { RunDecisionsDocument } from '@oracle-agent/sdk/documents';
import { createMemo, createSignal, For, Index, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { type GridPlace, moveInGrid } from '../../state/grid-focus.ts';
import { type DecisionCell, decisionRows } from '../../state/runs/decisions.ts';
import type { RunDetails, RunPageState } from '../../state/runs/run-page.ts';
import { createRunPart } from '../../state/runs/run-part.ts';
import { words } from '../../words.ts';
import { LoadView } from '../basics/load-view.tsx';
import { EmptyNotice } from '../basics/notice.tsx';

interface DecisionsGridProps {
  readonly page: RunPageState;
  readonly run: RunDetails;
}

/** How every condition stood at every decision: turns down, conditions across. */
export function DecisionsGrid(props: DecisionsGridProps) {
  const { session } = useApp();
  const load = createRunPart(session.client, RunDecisionsDocument, () => ({ id: props.run.id }), props.page.version);
  return (
    <LoadView state={load.state()} onRetry={() => void load.reload()}>
      {(data) => (
        <Show
          when={(data().run?.decisions.length ?? 0) > 0}
          fallback={<EmptyNotice title={words.decisions.empty} text={words.decisions.emptyText} />}
        >
          <Grid decisions={data().run?.decisions ?? []} />
        </Show>
      )}
    </LoadView>
  );
}

function Grid(props: { readonly decisions: Parameters<typeof decisionRows>[0] }) {
  const rows = createMemo(() => decisionRows(props.decisions));
  const [place, setPlace] = createSignal<GridPlace>({ row: 0, column: 0 });
  const [read, setRead] = createSignal<GridPlace>();
  let grid: HTMLTableElement | undefined;
  const reasons = () => rows()[0]?.cells.map(({ reason }) => reason) ?? [];
  const sentence = () => {
    const now = read();
    return now && rows()[now.row]?.cells[now.column]?.sentence;
  };

  function onKeyDown(event: KeyboardEvent) {
    const lengths = rows().map(({ cells }) => cells.length);
    const next = moveInGrid(place(), event.key, lengths, event.ctrlKey || event.metaKey);
    if (!next) return;
    event.preventDefault();
    setPlace(next);
    grid?.querySelector<HTMLElement>(`[data-cell="${next.row} ${next.column}"]`)?.focus();
  }

  return (
    <div class="flex flex-col gap-3">
      <p class="text-sm text-muted">{words.decisions.keys}</p>
      <p
        class="sticky top-12 z-20 min-h-10 rounded-lg border border-line bg-raised px-3 py-2"
        aria-hidden="true"
        data-sentence
      >
        {sentence() ?? words.decisions.first}
      </p>
      <div class="overflow-x-auto rounded-lg border border-line bg-surface">
        {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid of cells that keys move between */}
        <table ref={grid} role="grid" aria-label={words.decisions.label} class="w-full min-w-[880px]">
          <thead>
            <tr>
              <th scope="col" class={`${headClass} sticky left-0 z-10 w-32`}>
                {words.decisions.when}
              </th>
              <For each={reasons()}>
                {(reason) => (
                  <th scope="col" class={headClass}>
                    {words.decisions.conditions[reason]}
                  </th>
                )}
              </For>
              <th scope="col" class={headClass}>
                {words.decisions.verdict}
              </th>
            </tr>
          </thead>
          <tbody class="divide-y divide-line">
            {/* By their places, so that the one in focus stays when the run goes on. */}
            <Index each={rows()}>
              {(row, index) => (
                <tr>
                  <th
                    scope="row"
                    class="sticky left-0 z-10 bg-surface px-3 py-1 text-left text-sm font-medium whitespace-nowrap"
                  >
                    {row().when}
                  </th>
                  <Index each={row().cells}>
                    {(cell, column) => (
                      <Cell
                        cell={cell()}
                        place={`${index} ${column}`}
                        onKeyDown={onKeyDown}
                        current={place().row === index && place().column === column}
                        onChoose={() => {
                          setPlace({ row: index, column });
                          setRead({ row: index, column });
                        }}
                        onRead={() => setRead({ row: index, column })}
                      />
                    )}
                  </Index>
                  <td
                    class="px-3 py-1 text-sm whitespace-nowrap"
                    classList={{ 'font-medium': row().stopped, 'text-muted': !row().stopped }}
                  >
                    {row().verdict}
                  </td>
                </tr>
              )}
            </Index>
          </tbody>
        </table>
      </div>
    </div>
  );
}

const headClass =
  'h-9 border-b border-line bg-surface px-2 text-left text-sm font-medium whitespace-nowrap text-muted first:pl-3';

interface CellProps {
  readonly cell: DecisionCell;
  readonly place: string;
  readonly current: boolean;
  readonly onChoose: () => void;
  readonly onRead: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Filled as it nears its limit, outlined where it fired. */
function Cell(props: CellProps) {
  const near = () => props.cell.share >= 0.8;
  return (
    <td class="p-0.5">
      <button
        type="button"
        data-cell={props.place}
        data-fired={props.cell.fired}
        tabindex={props.current ? 0 : -1}
        aria-label={`${props.cell.text}. ${props.cell.sentence}`}
        title={props.cell.sentence}
        onFocus={() => props.onChoose()}
        onClick={() => props.onChoose()}
        onKeyDown={(event) => props.onKeyDown(event)}
        onMouseEnter={() => props.onRead()}
        class="relative block w-full overflow-hidden rounded border px-1.5 py-0.5 text-left outline-offset-[-2px] text-sm whitespace-nowrap"
        classList={{
          'border-transparent': !props.cell.fired,
          'border-warning font-semibold': props.cell.fired && !isAnswer(props.cell),
          'border-success font-semibold': props.cell.fired && isAnswer(props.cell),
        }}
      >
        <span
          class="absolute inset-y-0 left-0"
          classList={{
            'bg-accent-soft': !near(),
            'bg-warning-soft': near() && !isAnswer(props.cell),
            'bg-success-soft': near() && isAnswer(props.cell),
          }}
          style={{ width: `${props.cell.share * 100}%` }}
          aria-hidden="true"
        />
        <span class="relative">{props.cell.text}</span>
      </button>
    </td>
  );
}

function isAnswer({ reason }: DecisionCell): boolean {
  return reason === 'COMPLETED';
}

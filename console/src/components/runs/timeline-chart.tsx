import { createSignal, For, Index, Show } from 'solid-js';
import { type GridPlace, moveInGrid } from '../../state/grid-focus.ts';
import { timeText } from '../../state/runs/run-words.ts';
import type { Bar, Timeline, TimelineRow } from '../../state/runs/timeline.ts';
import { words } from '../../words.ts';

/** Colour and form: told apart without colour by their place, their name and their stripes. */
export const barLooks = {
  model: 'bg-accent border-accent',
  tool: 'bg-accent-soft border-accent-text',
  failed: 'bg-failure-soft border-failure border-dashed',
  agent: 'bg-success-soft border-success',
  'not-run': 'bg-transparent border-control border-dotted',
} as const;

function lookOf({ kind, state }: Bar): string {
  if (state === 'failed' || state === 'not-run') return barLooks[state];
  return barLooks[kind];
}

interface TimelineChartProps {
  readonly timeline: Timeline;
  /** Turn and part that are open. */
  readonly opened: string | undefined;
  readonly onOpen: (turn: number, part: string) => void;
}

const laneHeight = 18;
const barHeight = 14;
const marks = [0, 0.25, 0.5, 0.75, 1];

/** One row for each turn, every bar on one scale. */
export function TimelineChart(props: TimelineChartProps) {
  const [place, setPlace] = createSignal<GridPlace>({ row: 0, column: 0 });
  const [readout, setReadout] = createSignal<string>();
  let chart: HTMLOListElement | undefined;

  function onKeyDown(event: KeyboardEvent) {
    const lengths = props.timeline.rows.map(({ bars }) => bars.length);
    const next = moveInGrid(place(), event.key, lengths, event.ctrlKey || event.metaKey);
    if (!next) return;
    event.preventDefault();
    setPlace(next);
    chart?.querySelector<HTMLElement>(`[data-bar="${next.row} ${next.column}"]`)?.focus();
  }

  return (
    <div class="flex flex-col gap-2">
      <p class="text-sm text-muted max-sm:hidden">{words.timeline.keys}</p>
      <p
        aria-hidden="true"
        data-readout
        class="sticky top-12 z-20 min-h-10 rounded-lg border border-line bg-raised px-3 py-2"
      >
        {readout() ?? words.timeline.hint}
      </p>
      <div class="rounded-lg border border-line bg-surface py-2 pr-3 pl-2">
        <Scale totalMs={props.timeline.totalMs} />
        <ol ref={chart} aria-label={words.timeline.label}>
          <Index each={props.timeline.rows}>
            {(row, index) => (
              <Row
                row={row()}
                index={index}
                place={place()}
                opened={props.opened}
                onPlace={(column) => setPlace({ row: index, column })}
                onRead={setReadout}
                onKeyDown={onKeyDown}
                onOpen={(part) => props.onOpen(row().turn, part)}
              />
            )}
          </Index>
        </ol>
      </div>
    </div>
  );
}

function Scale(props: { readonly totalMs: number }) {
  return (
    <div class="flex pb-1 text-xs text-muted" aria-hidden="true">
      <span class="w-24 shrink-0" />
      <span class="relative block h-4 grow">
        <For each={marks}>
          {(mark) => (
            <span
              class="absolute whitespace-nowrap"
              classList={{ '-translate-x-1/2 max-sm:hidden': mark > 0 && mark < 1, '-translate-x-full': mark === 1 }}
              style={{ left: `${mark * 100}%` }}
            >
              {timeText(props.totalMs * mark)}
            </span>
          )}
        </For>
      </span>
    </div>
  );
}

interface RowProps {
  readonly row: TimelineRow;
  readonly index: number;
  readonly place: GridPlace;
  readonly opened: string | undefined;
  readonly onPlace: (column: number) => void;
  readonly onRead: (text: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onOpen: (part: string) => void;
}

function Row(props: RowProps) {
  return (
    <li class="flex border-t border-line py-1 hover:bg-sunken">
      <div class="w-24 shrink-0 pl-1 text-sm leading-tight">
        <span class="block font-medium">{words.timeline.turn(props.row.turn)}</span>
        <span class="block text-xs text-muted">{timeText(props.row.durationMs)}</span>
      </div>
      <div class="relative grow" style={{ height: `${props.row.lanes * laneHeight}px` }}>
        <Index each={props.row.bars}>
          {(bar, column) => (
            <BarView
              bar={bar()}
              name={`${props.index} ${column}`}
              current={props.place.row === props.index && props.place.column === column}
              open={props.opened === `${props.row.turn} ${bar().key}`}
              onFocus={() => {
                props.onPlace(column);
                props.onRead(bar().readout);
              }}
              onRead={() => props.onRead(bar().readout)}
              onKeyDown={props.onKeyDown}
              onOpen={() => props.onOpen(bar().key)}
            />
          )}
        </Index>
      </div>
    </li>
  );
}

interface BarViewProps {
  readonly bar: Bar;
  readonly name: string;
  readonly current: boolean;
  readonly open: boolean;
  readonly onFocus: () => void;
  readonly onRead: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onOpen: () => void;
}

function BarView(props: BarViewProps) {
  const firstToken = () => {
    const { firstToken: at, left, width } = props.bar;
    return at === undefined || width <= 0 ? undefined : Math.min(1, Math.max(0, (at - left) / width));
  };
  return (
    <button
      type="button"
      data-bar={props.name}
      data-kind={props.bar.kind}
      data-state={props.bar.state}
      tabindex={props.current ? 0 : -1}
      aria-label={props.bar.readout}
      aria-pressed={props.open}
      class={`absolute min-w-1.5 cursor-pointer rounded-sm border ${lookOf(props.bar)}`}
      classList={{ 'ring-2 ring-text': props.open, 'motion-safe:animate-pulse': props.bar.state === 'running' }}
      style={{
        left: `min(${props.bar.left * 100}%, calc(100% - 6px))`,
        width: `${props.bar.width * 100}%`,
        top: `${props.bar.lane * laneHeight + (laneHeight - barHeight) / 2}px`,
        height: `${barHeight}px`,
      }}
      onFocus={() => props.onFocus()}
      onMouseEnter={() => props.onRead()}
      onClick={() => props.onOpen()}
      onKeyDown={(event) => props.onKeyDown(event)}
    >
      <Show when={firstToken()}>
        {(at) => (
          <span
            class="absolute -inset-y-1 w-0.5 bg-text"
            data-first-token
            style={{ left: `${at() * 100}%` }}
            aria-hidden="true"
          />
        )}
      </Show>
      <Show when={props.bar.kind !== 'model' && props.bar.width > 0.12}>
        <span class="absolute inset-0 truncate px-1 font-mono text-[10px] leading-3 text-text" aria-hidden="true">
          {props.bar.label}
        </span>
      </Show>
    </button>
  );
}

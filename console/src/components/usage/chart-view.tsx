import type { UsageBucketSize } from '@oracle-agent/sdk/documents';
import { createSignal, For, Index, Show } from 'solid-js';
import { axisTop, bucketName, type Chart, greatestOf } from '../../state/usage/usage-charts.ts';
import { words } from '../../words.ts';
import { fillOf, Swatch } from './chart-patterns.tsx';

interface ChartViewProps {
  readonly chart: Chart;
  readonly bucket: UsageBucketSize;
}

const width = 1_000;
const height = 200;
const percent = (share: number) => `${share * 100}%`;

/**
 * Arrow keys and the pointer choose a bucket, whose numbers are told below. The drawing is as wide as its place, texts
 * stand beside it, and it says nothing that the table does not.
 */
export function ChartView(props: ChartViewProps) {
  const [chosen, setChosen] = createSignal<number>();
  const count = () => props.chart.starts.length;
  const top = () => axisTop(greatestOf(props.chart));
  const clamp = (index: number) => Math.min(Math.max(index, 0), count() - 1);

  function onKeyDown(event: KeyboardEvent) {
    const now = chosen();
    const target = {
      ArrowLeft: now === undefined ? count() - 1 : now - 1,
      ArrowRight: now === undefined ? 0 : now + 1,
      Home: 0,
      End: count() - 1,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    setChosen(clamp(target));
  }

  function onPointerMove(event: PointerEvent & { readonly currentTarget: HTMLElement }) {
    const box = event.currentTarget.getBoundingClientRect();
    setChosen(clamp(Math.floor(((event.clientX - box.left) / box.width) * count())));
  }

  const readout = () => {
    const index = chosen();
    const start = index === undefined ? undefined : props.chart.starts[index];
    if (index === undefined || start === undefined) return words.usage.chartHint;
    const parts = props.chart.series.flatMap(({ label, values }) => {
      const value = values[index] ?? null;
      return value === null || (props.chart.kind === 'bars' && value === 0)
        ? []
        : [`${label} ${props.chart.show(value)}`];
    });
    return words.usage.readout(bucketName(start, props.bucket), parts);
  };

  return (
    <div>
      <div class="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
        <div class="flex h-48 flex-col justify-between text-right text-xs text-faint tabular-nums" aria-hidden="true">
          <span>{props.chart.show(top())}</span>
          <span>{props.chart.show(top() / 2)}</span>
          <span>{props.chart.show(0)}</span>
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: a group that takes the focus is no fieldset */}
        <div
          role="group"
          aria-label={props.chart.title}
          tabindex="0"
          class="relative h-48 rounded-md"
          onKeyDown={onKeyDown}
          onPointerMove={onPointerMove}
          onPointerLeave={() => setChosen(undefined)}
        >
          <svg class="size-full overflow-visible" aria-hidden="true">
            <For each={[0, 0.5, 1]}>
              {(line) => <line x2="100%" y1={percent(line)} y2={percent(line)} class="stroke-line" />}
            </For>
            <Show when={chosen() !== undefined}>
              <rect
                x={percent((chosen() ?? 0) / count())}
                width={percent(1 / count())}
                height="100%"
                class="fill-sunken"
              />
            </Show>
            <Show when={props.chart.kind === 'bars'} fallback={<Lines chart={props.chart} top={top()} />}>
              <Bars chart={props.chart} top={top()} />
            </Show>
          </svg>
        </div>
        <span />
        <div class="mt-1 flex justify-between text-xs text-faint tabular-nums" aria-hidden="true">
          <Index each={edges(props.chart.starts)}>{(start) => <span>{bucketName(start(), props.bucket)}</span>}</Index>
        </div>
      </div>
      <p aria-live="polite" class="mt-2 min-h-10 text-sm text-muted tabular-nums" data-readout>
        {readout()}
      </p>
      <ul class="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        <For each={props.chart.series}>
          {({ tone, pattern, label }) => (
            <li class="flex items-center gap-1.5">
              <Swatch tone={tone} pattern={pattern} line={props.chart.kind === 'lines'} />
              {label}
            </li>
          )}
        </For>
      </ul>
    </div>
  );
}

interface DrawnProps {
  readonly chart: Chart;
  readonly top: number;
}

function Bars(props: DrawnProps) {
  const slot = () => 1 / props.chart.starts.length;
  const wide = () => slot() * (props.chart.starts.length > 100 ? 0.95 : 0.8);
  /** What stands below a part of a column. */
  const below = (place: number, index: number) =>
    props.chart.series.slice(0, place).reduce((sum, { values }) => sum + (values[index] ?? 0), 0);
  return (
    <For each={props.chart.series}>
      {(series, place) => (
        <For each={series.values}>
          {(value, index) => (
            <Show when={value}>
              {(part) => (
                <rect
                  x={percent(index() * slot() + (slot() - wide()) / 2)}
                  y={percent(1 - (below(place(), index()) + part()) / props.top)}
                  width={percent(wide())}
                  height={percent(part() / props.top)}
                  style={{ fill: fillOf(series.tone, series.pattern) }}
                />
              )}
            </Show>
          )}
        </For>
      )}
    </For>
  );
}

/** A line is broken where there is nothing; a point alone is shown as a dash. */
function Lines(props: DrawnProps) {
  const slot = () => width / props.chart.starts.length;
  const y = (value: number) => height - (value / props.top) * height;
  const path = (values: readonly (number | null)[]) =>
    values
      .map((value, index) => {
        if (value === null) return '';
        const x = (index + 0.5) * slot();
        const begins = index === 0 || values[index - 1] === null;
        const alone = begins && (values[index + 1] ?? null) === null;
        return alone ? `M${x - slot() / 4} ${y(value)}h${slot() / 2}` : `${begins ? 'M' : 'L'}${x} ${y(value)}`;
      })
      .join('');
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      width="100%"
      height="100%"
      class="overflow-visible"
      aria-hidden="true"
    >
      <For each={props.chart.series}>
        {({ tone, pattern, values }) => (
          <path
            d={path(values)}
            fill="none"
            vector-effect="non-scaling-stroke"
            style={{
              stroke: `var(--${tone})`,
              'stroke-width': '2.5px',
              'stroke-dasharray': pattern === 'solid' ? 'none' : '6 4',
            }}
          />
        )}
      </For>
    </svg>
  );
}

/** The first, the middle and the last: enough to place the rest. */
function edges(starts: readonly string[]): readonly string[] {
  if (starts.length <= 2) return starts;
  return [0, Math.floor((starts.length - 1) / 2), starts.length - 1].flatMap((index) => starts[index] ?? []);
}

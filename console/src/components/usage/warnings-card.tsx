import { For, Show } from 'solid-js';
import { formatNumber } from '../../state/number-format.ts';
import { toCsv } from '../../state/usage/csv.ts';
import type { Pattern, Tone, UsageReport } from '../../state/usage/usage-charts.ts';
import { words } from '../../words.ts';
import { ChartCard } from './chart-card.tsx';
import { fillOf, Swatch } from './chart-patterns.tsx';
import { NumbersTable } from './numbers-table.tsx';

interface WarningsCardProps {
  readonly warnings: UsageReport['total']['warnings'];
  readonly asTable: boolean;
  readonly onExport: (csv: string) => void;
}

const parts: readonly {
  readonly key: 'reached' | 'completed' | 'other';
  readonly tone: Tone;
  readonly pattern: Pattern;
}[] = [
  { key: 'reached', tone: 'warning', pattern: 'diagonal' },
  { key: 'completed', tone: 'success', pattern: 'solid' },
  { key: 'other', tone: 'control', pattern: 'dots' },
];

/** What became of runs that were warned: a warning is worth its name when most of them complete. */
export function WarningsCard(props: WarningsCardProps) {
  const text = words.usage.warnings;
  const rows = () => props.warnings.map((row) => ({ ...row, other: row.warned - row.reached - row.completed }));
  const given = () => rows().filter(({ warned }) => warned > 0);
  const exported = () =>
    toCsv([
      ['warning', 'warned', 'reached', 'completed', 'other'],
      ...rows().map((row) => [row.warning, ...[row.warned, row.reached, row.completed, row.other].map(String)]),
    ]);
  const withShare = (value: number, warned: number) => `${formatNumber(value)} (${words.usage.share(value, warned)})`;

  return (
    <ChartCard title={text.title} explanation={text.explanation} onExport={() => props.onExport(exported())}>
      <Show
        when={!props.asTable}
        fallback={
          <NumbersTable
            label={text.title}
            head={[text.warning, text.warned, text.reached, text.completed, text.other]}
            rows={rows().map((row) => [
              text.kinds[row.warning],
              formatNumber(row.warned),
              ...parts.map(({ key }) => withShare(row[key], row.warned)),
            ])}
          />
        }
      >
        <ul class="flex flex-col gap-3">
          <For each={given()} fallback={<li class="text-muted">{text.none}</li>}>
            {(row) => (
              <li>
                <p class="flex flex-wrap justify-between gap-x-3 text-sm">
                  <span class="font-medium">{text.kinds[row.warning]}</span>
                  <span class="text-muted tabular-nums">
                    {`${text.warned} ${formatNumber(row.warned)} · ${parts.map(({ key }) => `${text[key]} ${withShare(row[key], row.warned)}`).join(' · ')}`}
                  </span>
                </p>
                <svg class="mt-1 h-3 w-full" aria-hidden="true">
                  <For each={parts}>
                    {({ key, tone, pattern }, place) => (
                      <rect
                        x={`${(parts.slice(0, place()).reduce((sum, part) => sum + row[part.key], 0) / row.warned) * 100}%`}
                        width={`${(row[key] / row.warned) * 100}%`}
                        height="100%"
                        style={{ fill: fillOf(tone, pattern) }}
                      />
                    )}
                  </For>
                </svg>
              </li>
            )}
          </For>
        </ul>
        <Show when={given().length > 0}>
          <ul class="mt-4 flex flex-wrap gap-x-4 gap-y-1 text-sm">
            <For each={parts}>
              {({ key, tone, pattern }) => (
                <li class="flex items-center gap-1.5">
                  <Swatch tone={tone} pattern={pattern} line={false} /> {text[key]}
                </li>
              )}
            </For>
          </ul>
        </Show>
      </Show>
    </ChartCard>
  );
}

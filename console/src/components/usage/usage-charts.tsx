import type { UsageBucketSize } from '@oracle-agent/sdk/documents';
import { A } from '@solidjs/router';
import { For, Show } from 'solid-js';
import { download } from '../../state/download.ts';
import { formatNumber } from '../../state/number-format.ts';
import { chartCsv, toCsv } from '../../state/usage/csv.ts';
import { bucketName, showSeconds, type UsageReport, usageCharts } from '../../state/usage/usage-charts.ts';
import { words } from '../../words.ts';
import { ChartCard } from './chart-card.tsx';
import { ChartPatterns } from './chart-patterns.tsx';
import { ChartView } from './chart-view.tsx';
import { NumbersTable } from './numbers-table.tsx';
import { WarningsCard } from './warnings-card.tsx';

interface UsageChartsProps {
  readonly report: UsageReport;
  readonly bucket: UsageBucketSize;
  readonly asTables: boolean;
}

const limits: readonly string[] = ['MAX_ITERATIONS', 'TOKEN_BUDGET', 'TIMEOUT'];

export function UsageCharts(props: UsageChartsProps) {
  const text = words.usage;
  const save = (name: string, csv: string) => download(`usage-${name}.csv`, csv, 'text/csv');
  return (
    <>
      <ChartPatterns />
      <Totals total={props.report.total} />
      <div class="grid gap-4 lg:grid-cols-2">
        <For each={usageCharts(props.report)}>
          {(chart) => (
            <ChartCard
              title={chart.title}
              explanation={chart.explanation}
              wide={chart.key === 'endings'}
              onExport={() => save(chart.key, chartCsv(chart))}
            >
              <Show when={props.asTables} fallback={<ChartView chart={chart} bucket={props.bucket} />}>
                <NumbersTable
                  label={chart.title}
                  head={[text.start, ...chart.series.map(({ label }) => label)]}
                  rows={chart.starts.map((start, index) => [
                    bucketName(start, props.bucket),
                    ...chart.series.map(({ values }) => shown(values[index] ?? null, chart.show)),
                  ])}
                />
              </Show>
            </ChartCard>
          )}
        </For>
        <WarningsCard
          warnings={props.report.total.warnings}
          asTable={props.asTables}
          onExport={(csv) => save('warnings', csv)}
        />
        <Show when={props.report.users.length > 0}>
          <People users={props.report.users} onExport={(csv) => save('people', csv)} />
        </Show>
      </div>
    </>
  );
}

function shown(value: number | null, show: (value: number) => string): string {
  return value === null ? words.usage.nothing : show(value);
}

function Totals(props: { readonly total: UsageReport['total'] }) {
  const text = words.usage;
  const ended = (wanted: readonly string[]) =>
    props.total.endings.reduce((sum, { reason, runs }) => sum + (wanted.includes(reason) ? runs : 0), 0);
  const facts = () => [
    [text.runs, formatNumber(props.total.runs)],
    [text.tokens, formatNumber(props.total.tokens)],
    [text.completed, text.share(ended(['COMPLETED']), props.total.runs)],
    [text.limited, text.share(ended(limits), props.total.runs)],
    [text.medianDuration, shown(props.total.durationMs?.p50 ?? null, showSeconds)],
    [text.medianTokens, shown(props.total.tokensPerRun?.p50 ?? null, (value) => formatNumber(Math.round(value)))],
  ];
  return (
    <dl class="mb-4 grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-6">
      <For each={facts()}>
        {([name, value]) => (
          <div class="rounded-lg border border-line bg-surface px-3 py-2">
            <dt class="text-sm text-muted">{name}</dt>
            <dd class="text-lg font-semibold tabular-nums">{value}</dd>
          </div>
        )}
      </For>
    </dl>
  );
}

interface PeopleProps {
  readonly users: UsageReport['users'];
  readonly onExport: (csv: string) => void;
}

function People(props: PeopleProps) {
  const text = words.usage;
  const exported = () =>
    toCsv([
      ['name', 'email', 'runs', 'tokens', 'completed', 'limited'],
      ...props.users.map((user) => [
        user.name,
        user.email,
        ...[user.runs, user.tokens, user.completed, user.limited].map(String),
      ]),
    ]);
  return (
    <ChartCard
      title={text.people.title}
      explanation={text.people.explanation}
      onExport={() => props.onExport(exported())}
    >
      <section
        aria-label={text.tableOf(text.people.title)}
        tabindex="0"
        class="max-h-80 overflow-auto rounded-md border border-line"
      >
        <table class="w-full text-sm tabular-nums">
          <thead class="sticky top-0 bg-sunken">
            <tr>
              <For each={[text.people.name, text.runs, text.tokens, text.completed, text.limited]}>
                {(name, index) => (
                  <th scope="col" class={`px-3 py-1.5 font-medium ${index() === 0 ? 'text-left' : 'text-right'}`}>
                    {name}
                  </th>
                )}
              </For>
            </tr>
          </thead>
          <tbody class="divide-y divide-line">
            <For each={props.users}>
              {(user) => (
                <tr>
                  <th scope="row" class="max-w-40 px-3 py-1.5 text-left font-normal">
                    <A
                      href={`/admin/usage?user=${user.userId}`}
                      class="block truncate text-accent-text hover:underline"
                      title={user.email}
                    >
                      {user.name}
                    </A>
                  </th>
                  <td class="px-3 py-1.5 text-right">{formatNumber(user.runs)}</td>
                  <td class="px-3 py-1.5 text-right">{formatNumber(user.tokens)}</td>
                  <td class="px-3 py-1.5 text-right">{text.share(user.completed, user.runs)}</td>
                  <td class="px-3 py-1.5 text-right">{text.share(user.limited, user.runs)}</td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </section>
    </ChartCard>
  );
}

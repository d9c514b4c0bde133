import { For } from 'solid-js';
import { formatNumber } from '../../state/number-format.ts';
import { timeText } from '../../state/runs/run-words.ts';
import type { Timeline } from '../../state/runs/timeline.ts';
import { words } from '../../words.ts';

const states = { running: 'RUNNING', done: 'SUCCEEDED', failed: 'FAILED', 'not-run': 'NOT_RUN' } as const;

/** The same as the chart in rows of numbers, for whoever reads better than they see. */
export function TimelineTable(props: { readonly timeline: Timeline }) {
  const { columns } = words.timeline;
  const heads = [
    columns.turn,
    columns.what,
    columns.state,
    columns.starts,
    columns.takes,
    columns.firstToken,
    columns.tokens,
  ];
  const lines = () => props.timeline.rows.flatMap((row) => row.bars.map((bar) => ({ row, bar })));
  return (
    <section
      class="overflow-x-auto rounded-lg border border-line bg-surface"
      tabindex="0"
      aria-label={words.timeline.label}
    >
      <table class="w-full min-w-[640px] text-sm">
        <thead>
          <tr>
            <For each={heads}>
              {(head) => (
                <th
                  scope="col"
                  class="h-9 border-b border-line px-3 text-left font-medium whitespace-nowrap text-muted"
                >
                  {head}
                </th>
              )}
            </For>
          </tr>
        </thead>
        <tbody class="divide-y divide-line">
          <For each={lines()}>
            {({ row, bar }) => (
              <tr>
                <td class="px-3 py-1">{row.turn}</td>
                <th scope="row" class="px-3 py-1 text-left font-normal">
                  <span classList={{ 'font-mono text-xs': bar.kind === 'tool' }}>{bar.label}</span>
                </th>
                <td class="px-3 py-1">{words.timeline.states[states[bar.state]]}</td>
                <td class="px-3 py-1">{timeText(bar.startMs)}</td>
                <td class="px-3 py-1">
                  {bar.durationMs === undefined ? words.timeline.underWay : timeText(bar.durationMs)}
                </td>
                <td class="px-3 py-1">{bar.firstTokenMs === undefined ? '' : timeText(bar.firstTokenMs)}</td>
                <td class="px-3 py-1">{bar.kind === 'model' && row.tokens !== null ? formatNumber(row.tokens) : ''}</td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </section>
  );
}

import { A } from '@solidjs/router';
import { For, type JSX, Show } from 'solid-js';
import { formatNumber } from '../../state/number-format.ts';
import type { ToldRow } from '../../state/runs/run-rows.ts';
import { durationOf } from '../../state/runs/run-rows.ts';
import { ofLimit, stateOf, timeText } from '../../state/runs/run-words.ts';
import { words } from '../../words.ts';
import { Bar } from '../basics/skeleton.tsx';
import { TimeText } from '../basics/time-text.tsx';
import { RunStateBadge } from './run-state-badge.tsx';

interface RunsTableProps {
  readonly rows: readonly ToldRow[];
  readonly loading: boolean;
  /** Whose they are is only worth a column where they are not all one's own. */
  readonly withUser: boolean;
  readonly now: number;
}

const columns = ['state', 'question', 'user', 'model', 'turns', 'tokens', 'duration', 'when'] as const;
type Column = (typeof columns)[number];

const widths: Readonly<Record<Column, string>> = {
  state: 'w-42 max-sm:hidden',
  question: '',
  user: 'w-36 max-lg:hidden',
  model: 'w-44 max-2xl:hidden',
  turns: 'w-20 text-right max-md:hidden',
  tokens: 'w-24 text-right max-md:hidden',
  duration: 'w-24 text-right max-sm:hidden',
  when: 'w-32 max-lg:hidden',
};

/** Newest first, as the server tells them; the whole row leads to the run. */
export function RunsTable(props: RunsTableProps) {
  const shown = () => columns.filter((column) => column !== 'user' || props.withUser);
  return (
    <table class="w-full table-fixed" aria-label={words.runs.table} aria-busy={props.loading}>
      <thead>
        <tr>
          <For each={shown()}>
            {(column) => (
              <th
                scope="col"
                class={`sticky top-12 z-10 h-9 border-b border-line bg-surface px-3 text-left text-sm font-medium text-muted first:rounded-tl-lg first:pl-4 last:rounded-tr-lg ${widths[column]}`}
              >
                {words.runs.columns[column]}
              </th>
            )}
          </For>
        </tr>
      </thead>
      <tbody class="divide-y divide-line">
        <Show when={!props.loading || props.rows.length > 0} fallback={<SkeletonRows columns={shown()} />}>
          <For each={props.rows.map(({ row }) => row.id)}>
            {(id) => (
              <Show when={props.rows.find(({ row }) => row.id === id)}>
                {(told) => <Row told={told()} columns={shown()} withUser={props.withUser} now={props.now} />}
              </Show>
            )}
          </For>
        </Show>
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly told: ToldRow;
  readonly columns: readonly Column[];
  readonly withUser: boolean;
  readonly now: number;
}

function Row(props: RowProps) {
  const run = () => props.told.row;
  const duration = () => timeText(durationOf(props.told, props.now));
  const cells: Readonly<Record<Column, () => JSX.Element>> = {
    state: () => <RunStateBadge state={stateOf(run())} />,
    question: () => (
      <>
        <A href={`/runs/${run().id}`} dir="auto" class="block truncate font-medium after:absolute after:inset-0">
          {run().question}
        </A>
        <span class="mt-0.5 flex flex-wrap gap-x-3 text-sm text-muted sm:hidden">
          <RunStateBadge state={stateOf(run())} />
          <span>{words.ending.turns(run().turns)}</span>
          <span>{duration()}</span>
        </span>
        <span class="block truncate text-sm text-muted 2xl:hidden">
          <span class="lg:hidden">
            <Show when={props.withUser}>
              <span>{run().user.name}</span> <span aria-hidden="true">·</span>{' '}
            </Show>
            <TimeText at={run().startedAt} /> <span aria-hidden="true">·</span>{' '}
          </span>
          <span class="font-mono text-xs">{run().model}</span>
        </span>
      </>
    ),
    user: () => <span class="block truncate">{run().user.name}</span>,
    model: () => <span class="block truncate font-mono text-xs leading-[21px] text-muted">{run().model}</span>,
    turns: () => <Used used={run().turns} allowed={run().config.maxIterations} />,
    tokens: () => <Used used={run().tokens} allowed={run().config.tokenBudget} />,
    duration: () => <span class="whitespace-nowrap">{duration()}</span>,
    when: () => (
      <span class="whitespace-nowrap text-muted">
        <TimeText at={run().startedAt} />
      </span>
    ),
  };
  return (
    <tr class="relative transition-colors hover:bg-sunken" data-run={run().id}>
      <For each={props.columns}>
        {(column) => <td class={`px-3 py-2 align-top first:pl-4 ${widths[column]}`}>{cells[column]()}</td>}
      </For>
    </tr>
  );
}

/** How much of a limit is used; the limit itself on hover, and for whoever has it read to them. */
function Used(props: { readonly used: number; readonly allowed: number }) {
  return (
    <span title={ofLimit(props.used, props.allowed)}>
      <span aria-hidden="true">{formatNumber(props.used)}</span>
      <span class="sr-only">{ofLimit(props.used, props.allowed)}</span>
    </span>
  );
}

function SkeletonRows(props: { readonly columns: readonly Column[] }) {
  return (
    <For each={Array.from({ length: 8 })}>
      {() => (
        <tr>
          <For each={props.columns}>
            {(column) => (
              <td class={`px-3 py-2 first:pl-4 ${widths[column]}`}>
                <Bar class="my-1.5 h-3 w-3/4" />
              </td>
            )}
          </For>
        </tr>
      )}
    </For>
  );
}

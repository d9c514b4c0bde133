import type { SettingDifferenceFragment } from '@oracle-agent/sdk/documents';
import { useSearchParams } from '@solidjs/router';
import X from 'lucide-solid/icons/x';
import { createEffect, createSignal, on, Show } from 'solid-js';
import type { Change } from '../../state/change-pages.ts';
import { type HistoryGroup, type HistorySource, type Point, pointsOf } from '../../state/history.ts';
import type { LoadState } from '../../state/load.ts';
import { formatMoment } from '../../state/time-format.ts';
import { words } from '../../words.ts';
import { IconButton } from '../basics/button.tsx';
import { LoadView } from '../basics/load-view.tsx';
import { SelectField } from '../basics/select-field.tsx';
import { Bar } from '../basics/skeleton.tsx';
import { DifferencesTable } from './differences-table.tsx';

const said = words.history;

interface ComparePanelProps {
  readonly source: HistorySource;
  readonly changes: readonly Change[];
  readonly onClose: () => void;
}

/** Any two points of a history side by side. What is compared is in the address. */
export function ComparePanel(props: ComparePanelProps) {
  const [params, setParams] = useSearchParams<Record<'group' | 'from' | 'to', string>>();
  const [state, setState] = createSignal<LoadState<readonly SettingDifferenceFragment[]>>({ type: 'loading' });
  let latest = 0;

  const groups = () => props.source.groups;
  const group = (): HistoryGroup => groups().find((name) => name === params.group) ?? groups()[0] ?? 'AGENT_CONFIG';
  const points = () => pointsOf(props.changes, groups().length > 0 ? group() : undefined);
  const chosen = (wanted: string | undefined, fallback: number) =>
    points().find(({ version }) => String(version) === wanted)?.version ?? fallback;
  const to = () => chosen(params.to, points()[0]?.version ?? 1);
  const from = () => chosen(params.from, points()[1]?.version ?? 1);

  async function compare(): Promise<void> {
    const mine = ++latest;
    const answer = await props.source.differences(group(), from(), to());
    if (mine === latest) setState(answer.type === 'data' ? { type: 'ready', data: answer.data } : answer);
  }
  createEffect(on([group, from, to], () => void compare()));

  const options = () => points().map((point) => ({ value: String(point.version), label: nameOf(point) }));
  return (
    <section aria-label={said.compare} class="mb-4 rounded-lg border border-line bg-surface">
      <div class="flex flex-wrap items-end gap-3 border-b border-line px-4 py-3 sm:px-5">
        <Show when={groups().length > 0}>
          <SelectField
            label={said.group}
            options={groups().map((value) => ({ value, label: said.groups[value] }))}
            value={group()}
            onChange={(next) => setParams({ group: next, from: undefined, to: undefined }, { replace: true })}
          />
        </Show>
        <SelectField
          label={said.from}
          options={options()}
          value={String(from())}
          onChange={(version) => setParams({ from: version, to: String(to()) }, { replace: true })}
        />
        <SelectField
          label={said.until}
          options={options()}
          value={String(to())}
          onChange={(version) => setParams({ from: String(from()), to: version }, { replace: true })}
        />
        <IconButton label={said.closeCompare} class="ml-auto" onClick={() => props.onClose()}>
          <X class="size-4" aria-hidden="true" />
        </IconButton>
      </div>
      <LoadView state={state()} onRetry={() => void compare()} loading={<Bar class="m-4 h-10" />}>
        {(differences) => (
          <Show
            when={differences().length > 0}
            fallback={<p class="px-4 py-3 text-muted sm:px-5">{said.noDifference}</p>}
          >
            <DifferencesTable
              differences={differences()}
              from={said.differenceColumns.from}
              to={said.differenceColumns.to}
            />
          </Show>
        )}
      </LoadView>
    </section>
  );
}

function nameOf({ version, at }: Point): string {
  return at === undefined ? said.beginning : said.point(version, formatMoment(at));
}

import ChevronLeft from 'lucide-solid/icons/chevron-left';
import ChevronRight from 'lucide-solid/icons/chevron-right';
import { Show } from 'solid-js';
import { formatNumber } from '../../state/number-format.ts';
import { type RunList, runsPerPage } from '../../state/runs/run-list.ts';
import type { RunPage } from '../../state/runs/run-rows.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';

export function RunsPager(props: { readonly list: RunList; readonly runs: RunPage }) {
  const start = () => (props.list.page() - 1) * runsPerPage;
  const next = () => (props.runs.pageInfo.hasNextPage ? props.runs.pageInfo.endCursor : null);
  return (
    <div class="flex items-center justify-between gap-3 border-t border-line px-4 py-2 text-sm text-muted">
      <span role="status">
        {words.runs.range(
          formatNumber(start() + 1),
          formatNumber(start() + props.runs.edges.length),
          formatNumber(props.runs.totalCount),
        )}
      </span>
      <Show when={next() !== null || props.list.page() > 1}>
        <span class="flex gap-2">
          <Button size="small" disabled={props.list.page() === 1} onClick={() => props.list.goBack()}>
            <ChevronLeft class="size-4" aria-hidden="true" /> {words.runs.previous}
          </Button>
          <Button
            size="small"
            disabled={next() === null}
            onClick={() => {
              const cursor = next();
              if (cursor !== null) props.list.goNext(cursor);
            }}
          >
            {words.runs.next} <ChevronRight class="size-4" aria-hidden="true" />
          </Button>
        </span>
      </Show>
    </div>
  );
}

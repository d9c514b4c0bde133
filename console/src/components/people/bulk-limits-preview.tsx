import type { AgentConfigChangeFragment } from '@oracle-agent/sdk/documents';
import ArrowRight from 'lucide-solid/icons/arrow-right';
import { For, onMount, Show } from 'solid-js';
import { type BulkLimits, type BulkPreview, byImportance } from '../../state/bulk-limits.ts';
import { formatNumber } from '../../state/number-format.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { StatusPill } from '../basics/status-pill.tsx';

const said = words.bulkLimits;

/** What happens to each person, before it does. */
export function BulkLimitsPreview(props: { readonly bulk: BulkLimits; readonly preview: BulkPreview }) {
  let heading: HTMLParagraphElement | undefined;
  const titles = () => new Map(props.bulk.fields.map(({ field }) => [field.key, field.title]));
  const { bulk } = props;
  // The button that led here is gone; reading goes on at what there is to read.
  onMount(() => heading?.focus());

  return (
    <div class="flex flex-col gap-3">
      <p ref={heading} tabindex="-1" role="status" class="font-medium outline-none">
        {said.summary(props.preview.changed, props.preview.unchanged, props.preview.refused)}
      </p>
      <p role="alert" class="text-sm text-failure empty:hidden">
        {bulk.problems().general ??
          (bulk.refused() ? said.notApplied : props.preview.refused > 0 ? said.refusedText : '')}
      </p>
      <section
        class="max-h-[50vh] overflow-y-auto rounded-lg border border-line"
        tabindex="0"
        aria-label={said.previewLabel}
      >
        <ul class="divide-y divide-line">
          <For each={byImportance(props.preview.people)}>
            {(person) => <PersonRow person={person} titles={titles()} />}
          </For>
        </ul>
      </section>
      <Show when={props.preview.changed === 0 && props.preview.refused === 0}>
        <p class="text-muted">{said.nothingToDo}</p>
      </Show>
      <div class="flex flex-wrap justify-end gap-2">
        <Button onClick={() => bulk.back()}>{said.back}</Button>
        <Show
          when={bulk.refused()}
          fallback={
            <Button
              variant="primary"
              disabled={bulk.busy() || props.preview.refused > 0 || props.preview.changed === 0}
              onClick={() => void bulk.apply()}
            >
              {bulk.busy() ? said.applying : said.apply(props.preview.changed)}
            </Button>
          }
        >
          <Button variant="primary" disabled={bulk.busy()} onClick={() => void bulk.look()}>
            {said.lookAgain}
          </Button>
        </Show>
      </div>
    </div>
  );
}

interface PersonRowProps {
  readonly person: AgentConfigChangeFragment;
  readonly titles: ReadonlyMap<string, string>;
}

function PersonRow(props: PersonRowProps) {
  const failed = () => ['INVALID', 'CONFLICT', 'MISSING'].includes(props.person.status);
  return (
    <li class="grid grid-cols-1 gap-x-4 gap-y-1 px-4 py-2 sm:grid-cols-[14rem_1fr]">
      <span class="min-w-0">
        <span class="block truncate font-medium" dir="auto">
          {props.person.user?.name ?? said.gone}
        </span>
        <span class="block truncate text-sm text-muted">{props.person.user?.email}</span>
      </span>
      <span class="flex min-w-0 flex-col items-start gap-1">
        <Show when={props.person.status !== 'CHANGED'}>
          <StatusPill text={said.statuses[props.person.status]} tone={failed() ? 'failure' : 'neutral'} />
        </Show>
        <For each={props.person.problems}>{({ message }) => <span class="text-sm text-failure">{message}</span>}</For>
        <For each={props.person.changes}>
          {(change) => (
            <span class="inline-flex flex-wrap items-center gap-1.5">
              <span class="text-muted">{props.titles.get(change.field) ?? change.field}</span>
              <span>
                {change.from === null ? said.byDefault(formatNumber(change.before)) : formatNumber(change.before)}
              </span>
              <ArrowRight class="size-3.5 shrink-0 text-faint" aria-label={said.to} />
              <span class="font-medium">
                {change.to === null ? said.byDefault(formatNumber(change.after)) : formatNumber(change.after)}
              </span>
              <Show when={change.layer === 'CEILING'}>
                <StatusPill text={said.capped(formatNumber(change.after))} tone="neutral" />
              </Show>
            </span>
          )}
        </For>
      </span>
    </li>
  );
}

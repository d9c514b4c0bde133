import { A } from '@solidjs/router';
import Check from 'lucide-solid/icons/check';
import CircleAlert from 'lucide-solid/icons/circle-alert';
import Minus from 'lucide-solid/icons/minus';
import { For, Show } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import { codeAddress, noteAddress } from '../../state/knowledge/addresses.ts';
import type { ImportResult } from '../../state/knowledge/import-run.ts';
import { words } from '../../words.ts';

const looks = {
  saved: { icon: Check, colour: 'text-success' },
  failed: { icon: CircleAlert, colour: 'text-failure' },
  skipped: { icon: Minus, colour: 'text-muted' },
} as const;

/** What needs attention comes first. */
const order = ['failed', 'saved', 'skipped'] as const;

/** So many are drawn; the counts above tell of all. */
const mostShown = 300;

export function ImportResults(props: {
  readonly results: readonly ImportResult[];
  readonly project: string | undefined;
}) {
  const sorted = () =>
    order.flatMap((outcome) => props.results.filter((result) => result.outcome === outcome)).slice(0, mostShown);
  return (
    <Show when={props.results.length > 0}>
      <section
        aria-label={words.knowledge.import.results}
        tabindex="0"
        class="max-h-96 overflow-y-auto rounded-lg border border-line bg-surface"
      >
        <ul class="divide-y divide-line text-sm">
          <For each={sorted()}>
            {(result) => (
              <li class="flex items-start gap-2 px-4 py-1.5">
                <Dynamic
                  component={looks[result.outcome].icon}
                  class={`mt-0.5 size-4 shrink-0 ${looks[result.outcome].colour}`}
                  aria-hidden="true"
                />
                <span class="min-w-0 grow wrap-anywhere">
                  <Show when={result.outcome === 'saved'} fallback={<bdi>{result.path}</bdi>}>
                    <A href={addressOf(result.path, props.project)} class="hover:underline">
                      <bdi>{result.path}</bdi>
                    </A>
                  </Show>
                  <span class="text-muted"> {result.message}</span>
                </span>
                <span class={`shrink-0 ${looks[result.outcome].colour}`}>
                  {words.knowledge.import.outcomes[result.outcome]}
                </span>
              </li>
            )}
          </For>
        </ul>
      </section>
    </Show>
  );
}

function addressOf(path: string, project: string | undefined): string {
  return /\.(md|markdown|mdown)$/i.test(path) ? noteAddress(path, project) : codeAddress(path, null, project);
}

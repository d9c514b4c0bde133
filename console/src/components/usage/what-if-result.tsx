import { A } from '@solidjs/router';
import { For, Show } from 'solid-js';
import { showSeconds } from '../../state/usage/usage-charts.ts';
import { mostRuns, summaryOf, type WhatIfReport } from '../../state/usage/what-if.ts';
import { words } from '../../words.ts';
import { EmptyNotice } from '../basics/notice.tsx';

/** What other limits would have changed: in numbers, then run by run. */
export function WhatIfResult(props: { readonly report: WhatIfReport }) {
  const text = words.whatIf;
  const summary = () => summaryOf(props.report);
  const reason = (name: keyof typeof words.usage.reasons) => words.usage.reasons[name];
  return (
    <Show when={props.report.runs > 0} fallback={<EmptyNotice title={text.none} text={text.noneText} />}>
      <p class="text-sm text-muted">{text.looked(props.report.runs, mostRuns)}</p>
      <Show when={props.report.unknown > 0}>
        <p class="text-sm text-muted">{text.unknown(props.report.unknown)}</p>
      </Show>
      <Show when={!summary().nothing} fallback={<p class="mt-3 font-medium">{text.same}</p>}>
        <ul class="mt-3 flex flex-col gap-2">
          <Show when={summary().earlier > 0}>
            <li>
              <p class="font-medium">
                {text.earlier(summary().earlier, words.usage.share(summary().earlier, props.report.runs))}
              </p>
              <p class="text-sm text-muted">
                {props.report.earlier.map((row) => text.byReason(reason(row.reason), row.runs)).join(' · ')}
              </p>
              <p class="text-sm text-success">{text.saved(summary().savedTokens, showSeconds(summary().savedMs))}</p>
            </li>
            <li>
              <p class={`font-medium ${summary().lost > 0 ? 'text-warning' : ''}`}>{text.lost(summary().lost)}</p>
              <Show when={summary().lost > 0}>
                <p class="text-sm text-muted">{text.lostText}</p>
              </Show>
            </li>
          </Show>
          <Show when={summary().further > 0}>
            <li>
              <p class="font-medium">{text.further(summary().further)}</p>
              <p class="text-sm text-muted">
                {props.report.further.map((row) => text.byReason(reason(row.reason), row.runs)).join(' · ')}
              </p>
            </li>
          </Show>
          <Show when={summary().otherwise > 0}>
            <li class="font-medium">{text.otherwise(summary().otherwise)}</li>
          </Show>
          <Show when={props.report.callsNotRun !== 0}>
            <li class="font-medium">{text.calls(props.report.callsNotRun, props.report.runsWithCallsNotRun)}</li>
          </Show>
        </ul>
        <Show when={props.report.affected.length > 0}>
          <h3 class="mt-5 font-semibold">{text.list}</h3>
          <p class="mb-2 text-sm text-muted">{text.shown(100)}</p>
          <section aria-label={text.list} tabindex="0" class="max-h-96 overflow-auto rounded-md border border-line">
            <table class="w-full text-sm tabular-nums">
              <thead class="sticky top-0 bg-sunken text-left">
                <tr>
                  <For each={Object.values(text.columns)}>
                    {(name) => (
                      <th scope="col" class="px-3 py-1.5 font-medium">
                        {name}
                      </th>
                    )}
                  </For>
                </tr>
              </thead>
              <tbody class="divide-y divide-line">
                <For each={props.report.affected}>
                  {(run) => (
                    <tr>
                      <th scope="row" class="max-w-56 px-3 py-1.5 text-left font-normal">
                        <A href={`/runs/${run.runId}`} class="block truncate text-accent-text hover:underline">
                          {run.question}
                        </A>
                      </th>
                      <td class="px-3 py-1.5">{reason(run.reason)}</td>
                      <td class="px-3 py-1.5">
                        {text.fate(run.fate, run.wouldEnd ? reason(run.wouldEnd) : '', run.wouldTurns)}
                      </td>
                      <td class="px-3 py-1.5 whitespace-nowrap">{text.savedTokens(run.savedTokens)}</td>
                    </tr>
                  )}
                </For>
              </tbody>
            </table>
          </section>
        </Show>
      </Show>
    </Show>
  );
}

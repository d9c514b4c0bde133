import type { ToolCard as Card } from '@oracle-agent/sdk';
import Ban from 'lucide-solid/icons/ban';
import ChevronRight from 'lucide-solid/icons/chevron-right';
import CircleAlert from 'lucide-solid/icons/circle-alert';
import CircleCheck from 'lucide-solid/icons/circle-check';
import Clock from 'lucide-solid/icons/clock';
import LoaderCircle from 'lucide-solid/icons/loader-circle';
import { Index, Show } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import { briefArguments, briefResult, durationText, wholeText } from '../../state/chat/tool-words.ts';
import { words } from '../../words.ts';
import { LongText } from '../basics/long-text.tsx';

const looks = {
  PENDING: { icon: Clock, tone: 'text-faint' },
  RUNNING: { icon: LoaderCircle, tone: 'text-accent-text motion-safe:animate-spin' },
  OK: { icon: CircleCheck, tone: 'text-success' },
  FAILED: { icon: CircleAlert, tone: 'text-failure' },
  NOT_RUN: { icon: Ban, tone: 'text-faint' },
} as const;

/** The calls of one turn; those made together stand side by side. */
export function ToolCards(props: { readonly calls: readonly Card[] }) {
  return (
    <ul
      aria-label={words.tools.group(props.calls.length)}
      class="grid gap-1.5"
      classList={{ '@2xl:grid-cols-2': props.calls.length > 1 }}
    >
      <Index each={props.calls}>
        {(call) => (
          <li class="min-w-0">
            <ToolCard call={call()} />
          </li>
        )}
      </Index>
    </ul>
  );
}

function ToolCard(props: { readonly call: Card }) {
  const look = () => looks[props.call.status];
  return (
    <details
      class="group/card rounded-lg border border-line bg-surface text-sm open:border-control"
      data-status={props.call.status}
    >
      <summary class="flex min-h-8 cursor-pointer list-none items-center gap-2 rounded-lg px-2.5 py-1 hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <Dynamic component={look().icon} class={`size-4 shrink-0 ${look().tone}`} aria-hidden="true" />
        <span class="shrink-0 font-mono text-[12.5px] font-medium">{props.call.name}</span>
        <span class="min-w-0 grow truncate text-muted" dir="auto">
          {briefArguments(props.call.arguments)}
        </span>
        <span class="shrink-0 text-xs text-muted">
          <span classList={{ 'sr-only': props.call.status === 'OK' && briefResult(props.call) !== '' }}>
            {words.tools[props.call.status]}
          </span>
          <Show when={briefResult(props.call)}>{(brief) => <span>{brief()}</span>}</Show>
          <Show when={props.call.durationMs !== null && props.call.status !== 'NOT_RUN'}>
            <span class="text-faint"> · {durationText(props.call.durationMs ?? 0)}</span>
          </Show>
        </span>
        <ChevronRight
          class="size-3.5 shrink-0 text-faint transition-transform group-open/card:rotate-90"
          aria-hidden="true"
        />
      </summary>
      <div class="flex flex-col gap-2 border-t border-line px-2.5 py-2">
        <Detail title={words.tools.arguments} value={wholeText(props.call.arguments)} />
        <Show when={props.call.error !== null}>
          <Detail title={words.tools.error} value={props.call.error ?? ''} failed />
        </Show>
        <Show when={props.call.status === 'OK'}>
          <Detail title={words.tools.result} value={wholeText(props.call.result)} />
        </Show>
      </div>
    </details>
  );
}

function Detail(props: { readonly title: string; readonly value: string; readonly failed?: boolean }) {
  return (
    <div class="min-w-0">
      <p class="text-xs font-medium text-muted">{props.title}</p>
      <LongText text={props.value} failed={props.failed === true} />
    </div>
  );
}

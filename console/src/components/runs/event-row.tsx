import ChevronRight from 'lucide-solid/icons/chevron-right';
import CircleAlert from 'lucide-solid/icons/circle-alert';
import CircleDashed from 'lucide-solid/icons/circle-dashed';
import Info from 'lucide-solid/icons/info';
import OctagonAlert from 'lucide-solid/icons/octagon-alert';
import TriangleAlert from 'lucide-solid/icons/triangle-alert';
import { createUniqueId, Show } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import { wholeText } from '../../state/chat/tool-words.ts';
import type { RunEvent } from '../../state/runs/run-events.ts';
import { timeText } from '../../state/runs/run-words.ts';
import { formatMoment } from '../../state/time-format.ts';
import { words } from '../../words.ts';
import { LongText } from '../basics/long-text.tsx';

const looks = {
  DEBUG: { icon: CircleDashed, tone: 'text-faint' },
  INFO: { icon: Info, tone: 'text-muted' },
  WARNING: { icon: TriangleAlert, tone: 'text-warning' },
  ERROR: { icon: CircleAlert, tone: 'text-failure' },
  CRITICAL: { icon: OctagonAlert, tone: 'text-failure font-semibold' },
} as const;

interface EventRowProps {
  readonly event: RunEvent;
  readonly startedAt: string;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** One line, or several on a narrow screen, that unfolds to what the event carries. */
export function EventRow(props: EventRowProps) {
  const id = createUniqueId();
  const look = () => looks[props.event.severity];
  const since = () => timeText(Math.max(0, Date.parse(props.event.at) - Date.parse(props.startedAt)));
  return (
    <li data-event={props.event.number} data-severity={props.event.severity}>
      <button
        type="button"
        aria-expanded={props.open}
        aria-controls={props.open ? id : undefined}
        onClick={() => props.onToggle()}
        class="flex w-full items-start gap-2 px-3 py-1.5 text-left text-sm -outline-offset-2 hover:bg-sunken"
      >
        <ChevronRight
          class={`mt-0.5 size-4 shrink-0 text-faint transition-transform ${props.open ? 'rotate-90' : ''}`}
          aria-hidden="true"
        />
        <span class="flex min-w-0 grow flex-wrap gap-x-3 tabular-nums sm:flex-nowrap">
          <span class="shrink-0 text-muted sm:w-10">{props.event.number}</span>{' '}
          <time dateTime={props.event.at} title={formatMoment(props.event.at)} class="shrink-0 text-muted sm:w-20">
            {words.events.after(since())}
          </time>{' '}
          <span class="shrink-0 text-muted sm:w-16">{words.events.turn(props.event.turn)}</span>{' '}
          <span class={`flex shrink-0 items-center gap-1.5 sm:w-28 ${look().tone}`}>
            <Dynamic component={look().icon} class="size-4 shrink-0" aria-hidden="true" />
            {words.severity[props.event.severity]}
          </span>{' '}
          <span class="min-w-0 basis-full font-mono text-[12.5px] leading-[21px] wrap-anywhere sm:grow sm:basis-0">
            {props.event.name}
          </span>{' '}
          <Show when={props.event.agent}>
            {(agent) => (
              <span dir="auto" class="min-w-0 text-muted wrap-anywhere sm:max-w-56">
                {words.events.agent(agent())}
              </span>
            )}
          </Show>
        </span>
      </button>
      <Show when={props.open}>
        <section id={id} aria-label={words.events.payload(props.event.number)} class="px-3 pb-3 sm:pl-9">
          <LongText text={wholeText(props.event.payload)} />
        </section>
      </Show>
    </li>
  );
}

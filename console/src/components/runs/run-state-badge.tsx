import CircleAlert from 'lucide-solid/icons/circle-alert';
import CircleCheck from 'lucide-solid/icons/circle-check';
import CircleStop from 'lucide-solid/icons/circle-stop';
import LoaderCircle from 'lucide-solid/icons/loader-circle';
import OctagonPause from 'lucide-solid/icons/octagon-pause';
import { Dynamic } from 'solid-js/web';
import type { RunState } from '../../state/runs/run-filters.ts';
import { toneOf } from '../../state/runs/run-words.ts';
import { words } from '../../words.ts';

const looks = {
  running: { icon: LoaderCircle, tone: 'text-accent-text motion-safe:animate-spin' },
  complete: { icon: CircleCheck, tone: 'text-success' },
  stopped: { icon: CircleStop, tone: 'text-muted' },
  limit: { icon: OctagonPause, tone: 'text-warning' },
  failure: { icon: CircleAlert, tone: 'text-failure' },
} as const;

/** Whether a run goes on or why it ended: an icon and a word, never a colour alone. */
export function RunStateBadge(props: { readonly state: RunState }) {
  const look = () => looks[toneOf(props.state)];
  return (
    <span class="inline-flex min-w-0 items-center gap-1.5" data-state={props.state}>
      <Dynamic component={look().icon} class={`size-4 shrink-0 ${look().tone}`} aria-hidden="true" />
      <span class="truncate">{words.runs.states[props.state]}</span>
    </span>
  );
}

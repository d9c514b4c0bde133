import { A } from '@solidjs/router';
import Square from 'lucide-solid/icons/square';
import { createMemo, Index, Show } from 'solid-js';
import { forecastAt, type LiveWall, shortened, type WallRun } from '../../state/live-wall.ts';
import { formatDuration } from '../../state/number-format.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { Checkbox } from '../basics/checkbox.tsx';
import { RunMetersView } from '../chat/run-meters-view.tsx';

const said = words.live;
const soonSeconds = 15;

interface LiveRowProps {
  readonly wall: LiveWall;
  readonly item: WallRun;
  readonly onStop: () => void;
}

/** One run under way: who asked what, how far it is, and where it will end at this pace. */
export function LiveRow(props: LiveRowProps) {
  const run = () => props.item.run;
  const question = () => shortened(run().question);
  const ahead = createMemo(() => forecastAt(props.item, props.wall.now()));
  const meters = () => ({
    turn: { used: run().turns, allowed: run().config.maxIterations },
    tokens: { used: run().tokens, allowed: run().config.tokenBudget, estimated: true },
    seconds: { used: ahead().seconds, allowed: run().config.timeoutSeconds },
    context: undefined,
  });
  const inTime = (seconds: number) =>
    Math.round(seconds) === 0 ? said.now : said.inTime(formatDuration(Math.round(seconds)));

  return (
    <li class="flex items-start gap-2 px-2 py-2.5 sm:px-3">
      <Checkbox
        label={said.select(question())}
        checked={props.wall.selection.has(props.item.id)}
        onChange={(chosen) => props.wall.selection.setRow(props.item.id, chosen, [])}
      />
      <div class="grid min-w-0 grow gap-x-6 gap-y-1.5 pt-1 lg:grid-cols-[minmax(0,1fr)_auto]">
        <div class="min-w-0">
          <A
            href={`/runs/${run().id}`}
            class="block truncate text-left leading-6 font-medium hover:underline"
            dir="auto"
            title={question()}
          >
            {question()}
          </A>
          <p class="flex min-w-0 gap-1 text-sm leading-6 text-muted">
            <A href={`/admin/users/${run().user.id}`} class="min-w-0 truncate hover:underline">
              {run().user.name}
            </A>
            <span class="max-w-1/2 shrink-0 truncate">{`· ${run().model}`}</span>
          </p>
        </div>
        <div class="flex flex-col gap-1 lg:items-end">
          <RunMetersView meters={meters()} />
          <p class="flex flex-wrap gap-x-4 text-sm text-muted">
            <span>{said.burn(ahead().tokensPerMinute)}</span>
            <Index each={ahead().limits}>
              {(one, index) => (
                <span
                  classList={{
                    'font-medium text-text': index === 0 && one().secondsLeft >= soonSeconds,
                    'font-medium text-warning': one().secondsLeft < soonSeconds,
                  }}
                >
                  {(index === 0 ? said.first : said.later)[one().limit](inTime(one().secondsLeft))}
                </span>
              )}
            </Index>
          </p>
        </div>
      </div>
      <Button
        size="small"
        variant="danger"
        aria-label={said.stopOf(question())}
        disabled={props.wall.stopping().has(props.item.id)}
        onClick={() => props.onStop()}
      >
        <Square class="size-3.5" aria-hidden="true" />
        <span class="max-sm:sr-only">
          <Show when={props.wall.stopping().has(props.item.id)} fallback={said.stop}>
            {said.stopping}
          </Show>
        </span>
      </Button>
    </li>
  );
}

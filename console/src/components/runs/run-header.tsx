import { A } from '@solidjs/router';
import CircleStop from 'lucide-solid/icons/circle-stop';
import MessagesSquare from 'lucide-solid/icons/messages-square';
import Play from 'lucide-solid/icons/play';
import Zap from 'lucide-solid/icons/zap';
import { type JSX, Show } from 'solid-js';
import { offers, turnsOffered } from '../../state/chat/ending-words.ts';
import { formatNumber } from '../../state/number-format.ts';
import type { RunDetails, RunPageState } from '../../state/runs/run-page.ts';
import { ofLimit, stateOf, timeText } from '../../state/runs/run-words.ts';
import { words } from '../../words.ts';
import { Button, buttonClass } from '../basics/button.tsx';
import { TimeText } from '../basics/time-text.tsx';
import { RunStateBadge } from './run-state-badge.tsx';

interface RunHeaderProps {
  readonly page: RunPageState;
  readonly run: RunDetails;
  readonly mine: boolean;
}

/** What was asked, how it stands or why it stopped, the numbers against their limits, and what can be done. */
export function RunHeader(props: RunHeaderProps) {
  const row = () => props.page.row() ?? props.run;
  const { facts } = words.run;
  return (
    <header class="mb-5 flex flex-col gap-3">
      <div class="flex flex-wrap items-start justify-between gap-3">
        <div class="min-w-0 grow basis-80">
          <p class="mb-1 flex flex-wrap items-center gap-x-3 font-medium" role="status">
            <RunStateBadge state={stateOf(row())} />
          </p>
          <h1 dir="auto" class="line-clamp-4 text-xl font-semibold whitespace-pre-wrap wrap-anywhere">
            {props.run.question}
          </h1>
          <p class="mt-1 wrap-anywhere text-muted" dir="auto">
            <Show when={props.run.ending} fallback={words.run.running(Math.max(1, row().turns))}>
              {(ending) => ending().message}
            </Show>
          </p>
        </div>
        <RunActions page={props.page} run={props.run} mine={props.mine} />
      </div>
      <dl
        aria-label={facts.label}
        class="grid grid-cols-2 gap-x-6 gap-y-2 rounded-lg border border-line bg-surface px-4 py-3 sm:grid-cols-4"
      >
        <Fact term={facts.turns}>
          <Meter used={row().turns} allowed={props.run.config.maxIterations} />
        </Fact>
        <Fact term={facts.tokens}>
          <Meter used={row().tokens} allowed={props.run.config.tokenBudget} />
        </Fact>
        <Fact term={facts.time}>
          {words.runs.of(timeText(props.page.durationMs()), timeText(props.run.config.timeoutSeconds * 1_000))}
        </Fact>
        <Fact term={facts.parallel}>
          {facts.parallelText(
            formatNumber(props.run.config.maxToolCallsPerTurn),
            formatNumber(props.run.config.maxParallelTools),
          )}
        </Fact>
        <Fact term={facts.who}>{props.run.user.name}</Fact>
        <Fact term={facts.model}>
          <span class="font-mono text-xs">{props.run.model}</span>
        </Fact>
        <Fact term={facts.tree}>
          <span class="font-mono text-xs">{props.run.decisionTree}</span>
        </Fact>
        <Fact term={facts.started}>
          <TimeText at={props.run.startedAt} />
        </Fact>
      </dl>
    </header>
  );
}

function RunActions(props: RunHeaderProps) {
  const offered = (action: 'CONTINUE' | 'ANSWER_NOW') => {
    const { ending } = props.run;
    return props.mine && ending && ending.reason !== 'COMPLETED' && offers(ending, action) ? ending : undefined;
  };
  return (
    <div class="flex flex-wrap gap-2">
      <Show when={props.page.running()}>
        <Button variant="danger" disabled={props.page.stopping()} onClick={() => void props.page.stop()}>
          <CircleStop class="size-4" aria-hidden="true" />
          {props.page.stopping() ? words.run.stopping : words.run.stop}
        </Button>
      </Show>
      <Show when={offered('CONTINUE')}>
        {(ending) => (
          <Button disabled={props.page.going()} onClick={() => void props.page.resume('continue')}>
            <Play class="size-4" aria-hidden="true" /> {words.ending.continue(turnsOffered(ending()))}
          </Button>
        )}
      </Show>
      <Show when={offered('ANSWER_NOW')}>
        <Button disabled={props.page.going()} onClick={() => void props.page.resume('answer')}>
          <Zap class="size-4" aria-hidden="true" /> {words.ending.answerNow}
        </Button>
      </Show>
      <Show when={props.mine}>
        <A href={`/c/${props.run.conversationId}?node=${props.run.nodeId}`} class={buttonClass('secondary')}>
          <MessagesSquare class="size-4" aria-hidden="true" /> {words.run.conversation}
        </A>
      </Show>
    </div>
  );
}

function Fact(props: { readonly term: string; readonly children: JSX.Element }) {
  return (
    <div class="min-w-0">
      <dt class="text-sm text-muted">{props.term}</dt>
      <dd class="truncate font-medium">{props.children}</dd>
    </div>
  );
}

function Meter(props: { readonly used: number; readonly allowed: number }) {
  const share = () => Math.min(1, props.allowed > 0 ? props.used / props.allowed : 0);
  return (
    <span class="block">
      {ofLimit(props.used, props.allowed)}
      <span class="mt-1 block h-1 overflow-hidden rounded-full bg-track" aria-hidden="true">
        <span
          class="block h-full rounded-full"
          classList={{ 'bg-accent': share() < 0.8, 'bg-warning': share() >= 0.8 }}
          style={{ width: `${share() * 100}%` }}
        />
      </span>
    </span>
  );
}

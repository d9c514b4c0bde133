import { A } from '@solidjs/router';
import CircleAlert from 'lucide-solid/icons/circle-alert';
import CircleCheck from 'lucide-solid/icons/circle-check';
import CircleStop from 'lucide-solid/icons/circle-stop';
import GitBranch from 'lucide-solid/icons/git-branch';
import OctagonPause from 'lucide-solid/icons/octagon-pause';
import Play from 'lucide-solid/icons/play';
import Save from 'lucide-solid/icons/save';
import SlidersHorizontal from 'lucide-solid/icons/sliders-horizontal';
import Zap from 'lucide-solid/icons/zap';
import { For, Show } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import { endingFacts, endingTone, offers, turnsOffered } from '../../state/chat/ending-words.ts';
import type { Ending } from '../../state/chat/run-view.ts';
import { words } from '../../words.ts';
import { Button, buttonClass } from '../basics/button.tsx';

const looks = {
  complete: { icon: CircleCheck, tone: 'text-success' },
  stopped: { icon: CircleStop, tone: 'text-muted' },
  limit: { icon: OctagonPause, tone: 'text-warning' },
  failure: { icon: CircleAlert, tone: 'text-failure' },
} as const;

interface EndingCardProps {
  readonly ending: Ending;
  /** As many as are listed, each once; the ending itself counts how often any was found. */
  readonly sources: number;
  readonly busy: boolean;
  /** Whose run it is, when it is somebody else's: only they can go on with it. */
  readonly owner?: { readonly id: string; readonly name: string } | undefined;
  readonly onContinue: () => void;
  readonly onAnswerNow: () => void;
  readonly onBranch: () => void;
}

/** Why a run stopped, in words and numbers, what is left of it, and what can be done next. */
export function EndingCard(props: EndingCardProps) {
  const tone = () => endingTone(props.ending.reason);
  const look = () => looks[tone()];
  return (
    <section
      aria-label={words.endings[props.ending.reason]}
      data-ending={props.ending.reason}
      class="rounded-lg border border-line bg-surface text-sm"
      classList={{ 'border-warning-line': tone() === 'limit', 'border-failure-line': tone() === 'failure' }}
    >
      <div class="flex flex-col gap-1.5 px-3 py-2.5">
        <p class="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <Dynamic component={look().icon} class={`size-4 shrink-0 ${look().tone}`} aria-hidden="true" />
          <span class="font-semibold">{words.endings[props.ending.reason]}</span>
          <span class="text-muted">{endingFacts(props.ending).join(' · ')}</span>
        </p>
        <Show when={tone() !== 'complete'}>
          <p dir="auto" class="wrap-anywhere text-muted">
            {props.ending.message}
          </p>
          <p class="flex items-center gap-1.5 text-muted">
            <Save class="size-3.5 shrink-0 text-success" aria-hidden="true" />
            <span>
              <span class="font-medium text-success">{words.ending.saved}:</span>{' '}
              {words.ending.savedText({
                characters: props.ending.saved.contentCharacters,
                calls: props.ending.saved.toolCalls,
                sources: props.sources,
              })}
            </span>
          </p>
        </Show>
        <Show when={props.ending.unfinishedTools.length > 0}>
          <p class="font-medium">{words.ending.unfinished}</p>
          <ul class="flex flex-col gap-0.5">
            <For each={props.ending.unfinishedTools}>
              {(tool) => (
                <li class="text-muted">
                  <span class="font-mono text-xs">{tool.name}</span> · {words.ending.fates[tool.fate]}
                </li>
              )}
            </For>
          </ul>
        </Show>
      </div>
      <Show when={tone() !== 'complete'}>
        <div class="flex flex-wrap gap-2 border-t border-line px-3 py-2">
          <Show when={props.owner} fallback={<NextActions {...props} />}>
            {(owner) => (
              <>
                <p class="self-center text-muted">{words.ending.onlyOwner(owner().name)}</p>
                <A href={`/admin/users/${owner().id}`} class={buttonClass('ghost', 'small')}>
                  <SlidersHorizontal class="size-3.5" aria-hidden="true" /> {words.ending.limitsOf(owner().name)}
                </A>
              </>
            )}
          </Show>
        </div>
      </Show>
    </section>
  );
}

function NextActions(props: Omit<EndingCardProps, 'owner' | 'sources'>) {
  return (
    <>
      <Show when={offers(props.ending, 'CONTINUE')}>
        <Button size="small" disabled={props.busy} onClick={() => props.onContinue()}>
          <Play class="size-3.5" aria-hidden="true" /> {words.ending.continue(turnsOffered(props.ending))}
        </Button>
      </Show>
      <Show when={offers(props.ending, 'ANSWER_NOW')}>
        <Button size="small" disabled={props.busy} onClick={() => props.onAnswerNow()}>
          <Zap class="size-3.5" aria-hidden="true" /> {words.ending.answerNow}
        </Button>
      </Show>
      <Show when={offers(props.ending, 'BRANCH')}>
        <Button size="small" onClick={() => props.onBranch()}>
          <GitBranch class="size-3.5" aria-hidden="true" /> {words.ending.branch}
        </Button>
      </Show>
      <A href="/settings" class={buttonClass('ghost', 'small')}>
        <SlidersHorizontal class="size-3.5" aria-hidden="true" /> {words.ending.limits}
      </A>
    </>
  );
}

import type { RunView } from '@oracle-agent/sdk';
import { A } from '@solidjs/router';
import GitBranch from 'lucide-solid/icons/git-branch';
import Link from 'lucide-solid/icons/link';
import LoaderCircle from 'lucide-solid/icons/loader-circle';
import { createMemo, createSignal, Index, Match, Show, Switch } from 'solid-js';
import { useChat } from '../../state/chat/chat.ts';
import { type Footnote, footnotesOf, withoutSources } from '../../state/chat/citations.ts';
import type { Exchange } from '../../state/chat/conversation.ts';
import { type Part, partsOf, type Source, sourcesOf } from '../../state/chat/run-view.ts';
import { words } from '../../words.ts';
import { buttonClass, IconButton } from '../basics/button.tsx';
import { EndingCard } from './ending-card.tsx';
import { MarkdownView } from './markdown-view.tsx';
import { ByAgent, Message } from './message.tsx';
import { SmallCopyButton } from './small-copy-button.tsx';
import { SourcesList } from './sources-list.tsx';
import { SystemMessage } from './system-message.tsx';
import { ThinkingView } from './thinking-view.tsx';
import { ToolCards } from './tool-cards.tsx';

interface ExchangeViewProps {
  readonly exchange: Exchange;
  readonly onLink: (address: string) => void;
  readonly onSource: (footnote: Footnote) => void;
  readonly onBranch: (parentId: string | null) => void;
}

/** A question, and everything that came of it. */
export function ExchangeView(props: ExchangeViewProps) {
  const chat = useChat();
  const follower = createMemo(() => chat.followers.of(props.exchange.runId));
  const view = () => follower().view();
  const answer = createMemo(() => (view().ending ? view().text : ''));
  const footnotes = createMemo(() => (view().ending ? footnotesOf(answer(), sourcesOf(view())) : []));
  const address = () => `${location.origin}/c/${chat.place.conversationId()}?node=${props.exchange.id}`;

  function openCitation(number: number) {
    const footnote = footnotes().find((one) => one.number === number);
    if (footnote) props.onSource(footnote);
  }

  return (
    <article
      id={`exchange-${props.exchange.id}`}
      aria-label={props.exchange.question.slice(0, 120)}
      class="flex scroll-mt-16 flex-col gap-4"
    >
      <QuestionMessage exchange={props.exchange} />
      <Message who="oracle">
        <div class="flex flex-col gap-3">
          <RunParts view={view()} onLink={props.onLink} onCitation={openCitation} />
          <Show when={follower().problem()}>
            {(problem) => (
              <p role="alert" class="text-failure">
                {words.answer.replayFailed} {problem()}
              </p>
            )}
          </Show>
          <Show when={footnotes().length > 0 && view().ending}>
            <SourcesList answer={answer()} footnotes={footnotes()} onOpen={props.onSource} />
          </Show>
          <Show when={view().ending}>
            {(ending) => (
              <>
                <EndingCard
                  ending={ending()}
                  sources={footnotes().length}
                  busy={chat.runningId() !== undefined || chat.pendingHere() !== undefined}
                  onContinue={() => void chat.resume('continue', props.exchange)}
                  onAnswerNow={() => void chat.resume('answer', props.exchange)}
                  onBranch={() => props.onBranch(props.exchange.parentId)}
                />
                <div class="-mt-1 -ml-1.5 flex items-center gap-0.5 opacity-80 focus-within:opacity-100 hover:opacity-100">
                  <SmallCopyButton text={answer()} label={words.answer.copyAnswer} iconOnly />
                  <CopyLinkButton address={address()} />
                  <IconButton
                    label={words.answer.branch}
                    class="size-7!"
                    onClick={() => props.onBranch(props.exchange.id)}
                  >
                    <GitBranch class="size-3.5" aria-hidden="true" />
                  </IconButton>
                  <A href={`/runs/${props.exchange.runId}`} class={`${buttonClass('ghost', 'small')} text-text!`}>
                    {words.run.seeRun}
                  </A>
                </div>
              </>
            )}
          </Show>
        </div>
      </Message>
    </article>
  );
}

function QuestionMessage(props: { readonly exchange: Exchange }) {
  return (
    <Message who="you">
      <Show
        when={props.exchange.kind === 'ASK'}
        fallback={<p class="text-muted italic">{words.kinds[props.exchange.kind]}</p>}
      >
        <QuestionText text={props.exchange.question} />
      </Show>
      <Show when={props.exchange.label}>
        {(label) => (
          <p class="mt-1 inline-block rounded bg-accent-soft px-1.5 text-xs font-medium text-accent-text">{label()}</p>
        )}
      </Show>
    </Message>
  );
}

export function QuestionText(props: { readonly text: string }) {
  return (
    <h2 dir="auto" class="font-medium text-wrap whitespace-pre-wrap wrap-anywhere">
      {props.text}
    </h2>
  );
}

function CopyLinkButton(props: { readonly address: string }) {
  const [copied, setCopied] = createSignal(false);
  return (
    <IconButton
      label={copied() ? words.answer.linkCopied : words.answer.link}
      class="size-7!"
      onClick={() => void navigator.clipboard?.writeText(props.address).then(() => setCopied(true))}
    >
      <Link class="size-3.5" aria-hidden="true" />
    </IconButton>
  );
}

interface RunPartsProps {
  readonly view: RunView;
  readonly onLink: (address: string) => void;
  readonly onCitation: (number: number) => void;
}

/** What happened, in order. Parts are only ever added or grow at the end, so each keeps its place. */
export function RunParts(props: RunPartsProps) {
  const parts = createMemo(() => partsOf(props.view));
  const sources = createMemo(() => sourcesOf(props.view));
  const growing = (index: number) => !props.view.ending && index === parts().length - 1;
  return (
    <>
      <Index each={parts()}>
        {(part, index) => (
          <PartView
            part={part()}
            sources={sources()}
            growing={growing(index)}
            onLink={props.onLink}
            onCitation={props.onCitation}
          />
        )}
      </Index>
      <Show when={!props.view.ending && parts().at(-1)?.type !== 'answer'}>
        <p class="flex items-center gap-2 text-sm text-muted">
          <LoaderCircle class="size-4 motion-safe:animate-spin" aria-hidden="true" />
          {parts().length === 0 ? words.answer.waiting : words.answer.working}
        </p>
      </Show>
      <Show when={props.view.ending && parts().length === 0}>
        <p class="text-muted italic">{words.answer.empty}</p>
      </Show>
    </>
  );
}

interface PartViewProps {
  readonly part: Part;
  /** Shown below the answer, so its own list of them is left out. */
  readonly sources: readonly Source[];
  readonly growing: boolean;
  readonly onLink: (address: string) => void;
  readonly onCitation: (number: number) => void;
}

function PartView(props: PartViewProps) {
  const of = <Type extends Part['type']>(type: Type) =>
    props.part.type === type ? (props.part as Extract<Part, { type: Type }>) : undefined;
  return (
    <Switch>
      <Match when={of('answer')}>
        {(part) => (
          <ByAgent agent={part().agent}>
            <MarkdownView
              text={withoutSources(part().text, props.sources, props.growing)}
              growing={props.growing}
              onLink={props.onLink}
              onCitation={props.onCitation}
            />
          </ByAgent>
        )}
      </Match>
      <Match when={of('thinking')}>
        {(part) => (
          <ByAgent agent={part().agent}>
            <ThinkingView part={part()} growing={props.growing} />
          </ByAgent>
        )}
      </Match>
      <Match when={of('tools')}>
        {(part) => (
          <ByAgent agent={part().agent}>
            <ToolCards calls={part().cards} />
          </ByAgent>
        )}
      </Match>
      <Match when={of('notice')}>{(part) => <SystemMessage notice={part().chunk} />}</Match>
      <Match when={of('error')}>
        {(part) => (
          <p
            class="rounded-lg border border-failure-line bg-failure-soft px-3 py-2 text-sm text-failure wrap-anywhere"
            dir="auto"
          >
            <span class="font-semibold">{words.answer.problem}:</span> {part().chunk.message}
          </p>
        )}
      </Match>
    </Switch>
  );
}

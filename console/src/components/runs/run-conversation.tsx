import { useNavigate } from '@solidjs/router';
import { createEffect, createMemo, createSignal, on, onCleanup, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { footnotesOf } from '../../state/chat/citations.ts';
import { createRunFollower } from '../../state/chat/run-follower.ts';
import { type Source, sourcesOf } from '../../state/chat/run-view.ts';
import type { RunDetails, RunPageState } from '../../state/runs/run-page.ts';
import { words } from '../../words.ts';
import { EndingCard } from '../chat/ending-card.tsx';
import { QuestionText, RunParts } from '../chat/exchange-view.tsx';
import { LeaveDialog } from '../chat/leave-dialog.tsx';
import { Message } from '../chat/message.tsx';
import { SourceDialog } from '../chat/source-dialog.tsx';
import { SourcesList } from '../chat/sources-list.tsx';

interface RunConversationProps {
  readonly page: RunPageState;
  readonly run: RunDetails;
  readonly mine: boolean;
}

/** The run as the chat shows it, live while it goes on. */
export function RunConversation(props: RunConversationProps) {
  const { live } = useApp();
  const navigate = useNavigate();
  const [address, setAddress] = createSignal<string>();
  const [source, setSource] = createSignal<Source>();
  const follower = createRunFollower(live, props.run.id);
  onCleanup(follower.stop);
  const view = follower.view;
  const footnotes = createMemo(() => (view().ending ? footnotesOf(view().text, sourcesOf(view())) : []));
  const kind = () => props.run.exchange?.kind ?? 'ASK';

  createEffect(
    on(
      () => view().ending !== undefined,
      (ended) => {
        if (ended && props.page.running()) void props.page.reload();
      },
    ),
  );

  function openCitation(number: number) {
    const footnote = footnotes().find((one) => one.number === number);
    if (footnote) setSource(footnote.source);
  }

  return (
    <article aria-label={words.run.views.conversation} class="@container flex max-w-4xl flex-col gap-4">
      <Message who="you">
        <Show when={kind() !== 'ASK'}>
          <p class="text-muted italic">{words.kinds[kind()]}</p>
        </Show>
        <QuestionText text={props.run.question} />
      </Message>
      <Message who="oracle">
        <div class="flex flex-col gap-3">
          <RunParts view={view()} onLink={setAddress} onCitation={openCitation} />
          <Show when={follower.problem()}>
            {(problem) => (
              <p role="alert" class="text-failure">
                {words.answer.replayFailed} {problem()}
              </p>
            )}
          </Show>
          <Show when={footnotes().length > 0}>
            <SourcesList
              answer={view().text}
              footnotes={footnotes()}
              onOpen={({ source: opened }) => setSource(opened)}
            />
          </Show>
          <Show when={view().ending}>
            {(ending) => (
              <EndingCard
                ending={ending()}
                sources={footnotes().length}
                busy={props.page.going()}
                owner={props.mine ? undefined : props.run.user}
                onContinue={() => void props.page.resume('continue')}
                onAnswerNow={() => void props.page.resume('answer')}
                onBranch={() => navigate(`/c/${props.run.conversationId}?node=${props.run.nodeId}`)}
              />
            )}
          </Show>
        </div>
      </Message>
      <LeaveDialog address={address()} onClose={() => setAddress(undefined)} />
      <SourceDialog
        source={source()}
        conversationId={props.run.conversationId}
        onClose={() => setSource(undefined)}
        onLink={setAddress}
      />
    </article>
  );
}

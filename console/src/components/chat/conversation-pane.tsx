import ArrowDown from 'lucide-solid/icons/arrow-down';
import ChevronUp from 'lucide-solid/icons/chevron-up';
import { createEffect, createMemo, createSignal, For, type JSX, on, onMount, Show } from 'solid-js';
import { useChat } from '../../state/chat/chat.ts';
import type { Footnote } from '../../state/chat/citations.ts';
import type { Source } from '../../state/chat/run-view.ts';
import { createStickToEnd } from '../../state/chat/stick-to-end.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { FailedNotice } from '../basics/notice.tsx';
import { Bar } from '../basics/skeleton.tsx';
import { ExchangeView, QuestionText } from './exchange-view.tsx';
import { LeaveDialog } from './leave-dialog.tsx';
import { Message } from './message.tsx';
import { SourceDialog } from './source-dialog.tsx';

/** How many exchanges are shown at first, and how many more at a time. */
const atOnce = 20;

interface ConversationPaneProps {
  readonly onBranch: (parentId: string | null) => void;
  /** Shown while there is nothing to read. */
  readonly welcome: JSX.Element;
}

/** The path that is looked at, newest at the end. */
export function ConversationPane(props: ConversationPaneProps) {
  const chat = useChat();
  const { conversation } = chat;
  const [shown, setShown] = createSignal(atOnce);
  const [address, setAddress] = createSignal<string>();
  const [source, setSource] = createSignal<Source>();
  const stick = createStickToEnd(() => conversation.state().type !== 'none' || chat.pendingHere() !== undefined);
  let scrolling: HTMLElement | undefined;
  let content: HTMLDivElement | undefined;

  onMount(() => scrolling && content && stick.watch(scrolling, content));
  createEffect(
    on([() => chat.place.conversationId(), () => chat.place.node(), () => chat.pendingHere() !== undefined], () => {
      setShown(atOnce);
      const node = chat.place.node();
      if (node !== undefined && !chat.pendingHere()) stick.hold(() => exchangeElement(node));
      else if (chat.place.conversationId() !== undefined) stick.toEnd();
    }),
  );

  const visible = createMemo(() => conversation.path().slice(-shown()));
  // By their ids: an exchange that changes, as every one does when it ends, is not drawn anew.
  const visibleIds = createMemo(() => visible().map(({ id }) => id));
  const byId = createMemo(() => new Map(visible().map((exchange) => [exchange.id, exchange])));
  const hidden = () => conversation.path().length - visible().length;
  const failure = () => {
    const state = conversation.state();
    return state.type === 'failed' ? state.message : undefined;
  };
  const exchangeElement = (node: string) =>
    content?.querySelector<HTMLElement>(`#exchange-${CSS.escape(node)}`) ?? undefined;
  const openSource = ({ source: opened }: Footnote) => setSource(opened);

  return (
    <div class="relative min-h-0 grow">
      <section
        ref={scrolling}
        tabindex="0"
        aria-label={words.conversation.label}
        class="@container h-full overflow-y-auto outline-offset-[-2px]"
      >
        <div ref={content} class="mx-auto flex min-h-full max-w-4xl flex-col gap-8 px-4 py-6 sm:px-6">
          <Show when={failure()}>
            {(message) => <FailedNotice message={message()} onRetry={() => void conversation.reload()} />}
          </Show>
          <Show when={conversation.state().type === 'missing'}>
            <div class="flex flex-col items-center gap-2 py-16 text-center">
              <h1 class="text-lg font-semibold">{words.conversation.missing}</h1>
              <p class="text-muted">{words.conversation.missingText}</p>
              <Button class="mt-2" onClick={() => chat.place.go(undefined)}>
                {words.conversation.startNew}
              </Button>
            </div>
          </Show>
          <Show when={conversation.state().type === 'loading' && !chat.pendingHere()}>
            <div role="status" class="flex flex-col gap-4 pt-2">
              <span class="sr-only">{words.conversation.loading}</span>
              <Bar class="h-4 w-1/2" />
              <Bar class="h-4 w-full" />
              <Bar class="h-4 w-4/5" />
            </div>
          </Show>
          <Show when={conversation.state().type === 'none' && !chat.pendingHere()}>{props.welcome}</Show>
          <Show when={hidden() > 0}>
            <Button
              size="small"
              class="self-center"
              onClick={() => {
                stick.leave();
                setShown((now) => now + atOnce);
              }}
            >
              <ChevronUp class="size-4" aria-hidden="true" /> {words.conversation.earlier(Math.min(hidden(), atOnce))}
            </Button>
          </Show>
          <For each={visibleIds()}>
            {(id) => (
              <Show when={byId().get(id)}>
                {(exchange) => (
                  <ExchangeView
                    exchange={exchange()}
                    onLink={setAddress}
                    onSource={openSource}
                    onBranch={props.onBranch}
                  />
                )}
              </Show>
            )}
          </For>
          <Show when={chat.pendingHere()}>
            {(pending) => (
              <div class="flex flex-col gap-4">
                <Show when={pending().question}>
                  {(question) => (
                    <Message who="you">
                      <QuestionText text={question()} />
                    </Message>
                  )}
                </Show>
                <Message who="oracle">
                  <p class="text-muted">{words.answer.asking}</p>
                </Message>
              </div>
            )}
          </Show>
        </div>
      </section>
      <Show when={stick.away() && conversation.state().type === 'ready'}>
        <Button class="absolute bottom-3 left-1/2 -translate-x-1/2 shadow-raised" size="small" onClick={stick.toEnd}>
          <ArrowDown class="size-4" aria-hidden="true" /> {words.conversation.toEnd}
        </Button>
      </Show>
      <LeaveDialog address={address()} onClose={() => setAddress(undefined)} />
      <SourceDialog
        source={source()}
        conversationId={chat.place.conversationId() ?? ''}
        onClose={() => setSource(undefined)}
        onLink={setAddress}
      />
    </div>
  );
}

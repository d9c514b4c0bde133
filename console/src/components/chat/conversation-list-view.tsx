import { A } from '@solidjs/router';
import Plus from 'lucide-solid/icons/plus';
import Search from 'lucide-solid/icons/search';
import { For, Match, Show, Switch } from 'solid-js';
import { useChat } from '../../state/chat/chat.ts';
import { words } from '../../words.ts';
import { Button, buttonClass } from '../basics/button.tsx';
import { Bar } from '../basics/skeleton.tsx';
import { inputClass } from '../basics/text-field.tsx';
import { TimeText } from '../basics/time-text.tsx';

export function ConversationListView(props: { readonly onChoose: () => void }) {
  const { list, place } = useChat();
  const failure = () => {
    const state = list.state();
    return state.type === 'failed' ? state.message : undefined;
  };
  return (
    <div class="flex h-full flex-col">
      <div class="flex flex-col gap-2 p-3">
        <A href="/" class={`${buttonClass('primary')} w-full`} onClick={() => props.onChoose()}>
          <Plus class="size-4" aria-hidden="true" /> {words.list.create}
        </A>
        <search class="relative block">
          <Search class="pointer-events-none absolute top-2 left-2.5 size-4 text-faint" aria-hidden="true" />
          <input
            type="search"
            aria-label={words.list.search}
            placeholder={words.list.search}
            class={`${inputClass} pl-8`}
            value={list.search()}
            onInput={(event) => list.type(event.currentTarget.value)}
          />
        </search>
      </div>
      <Switch>
        <Match when={failure()}>
          {(message) => (
            <div role="alert" class="flex flex-col items-start gap-2 px-3 text-sm">
              <p class="text-muted">
                {words.list.failed} {message()}
              </p>
              <Button size="small" onClick={() => void list.reload()}>
                {words.frame.retry}
              </Button>
            </div>
          )}
        </Match>
        <Match when={list.state().type === 'loading'}>
          <div role="status" class="flex flex-col gap-3 px-4 pt-2">
            <span class="sr-only">{words.conversation.loading}</span>
            <For each={[1, 2, 3, 4]}>{() => <Bar class="h-4 w-full" />}</For>
          </div>
        </Match>
        <Match when={list.shown().length === 0}>
          <div class="px-4 pt-4 text-center text-sm">
            <p class="font-medium">{list.search() === '' ? words.list.empty : words.list.noneFound}</p>
            <p class="mt-1 text-muted wrap-anywhere">
              {list.search() === '' ? words.list.emptyText : words.list.noneFoundText(list.search())}
            </p>
            <Show when={list.search() !== ''}>
              <Button size="small" class="mt-2" onClick={() => list.type('')}>
                {words.list.clearSearch}
              </Button>
            </Show>
          </div>
        </Match>
        <Match when={true}>
          <ul class="flex min-h-0 grow flex-col gap-px overflow-y-auto px-2 pb-3">
            <For each={list.shown()}>
              {(one) => (
                <li>
                  <a
                    href={`/c/${one.id}`}
                    aria-current={one.id === place.conversationId() ? 'page' : undefined}
                    title={one.title}
                    class="flex min-h-9 flex-col justify-center rounded-md px-2.5 py-1.5 hover:bg-sunken aria-[current=page]:bg-sunken"
                    onClick={() => props.onChoose()}
                  >
                    <span class="truncate" dir="auto">
                      {one.title || words.list.untitled}
                    </span>
                    <span class="flex items-center gap-1.5 text-xs text-muted">
                      <Show when={one.activeRunId} fallback={<TimeText at={one.updatedAt} />}>
                        <span class="inline-flex items-center gap-1.5 font-medium text-accent-text">
                          <span
                            class="size-2 rounded-full bg-accent-text motion-safe:animate-pulse"
                            aria-hidden="true"
                          />
                          {words.list.running}
                        </span>
                      </Show>
                    </span>
                  </a>
                </li>
              )}
            </For>
          </ul>
        </Match>
      </Switch>
    </div>
  );
}

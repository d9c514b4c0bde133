import { For, Show } from 'solid-js';
import { useChat } from '../../state/chat/chat.ts';
import { words } from '../../words.ts';
import { Logo } from '../frame/logo.tsx';

interface WelcomeProps {
  readonly onAsk: (question: string, model?: string) => void;
}

/** Something to begin with, and a way to see every ending without a key. */
export function Welcome(props: WelcomeProps) {
  const { options } = useChat();
  const simulated = () => (options.known()?.models ?? []).filter(({ group }) => group === 'SIMULATED');
  return (
    <div class="m-auto flex w-full max-w-2xl flex-col gap-6 py-6">
      <div class="flex flex-col items-center gap-3 text-center">
        <Logo class="size-11" />
        <h1 class="text-xl font-semibold">{words.ask.greeting}</h1>
        <p class="max-w-lg text-muted">{words.ask.introduction}</p>
      </div>
      <ul class="flex flex-wrap justify-center gap-2">
        <For each={words.ask.examples}>
          {(example) => (
            <li>
              <button
                type="button"
                class="rounded-full border border-line bg-surface px-3 py-1.5 hover:border-control"
                onClick={() => props.onAsk(example)}
              >
                {example}
              </button>
            </li>
          )}
        </For>
      </ul>
      <Show when={simulated().length > 0}>
        <section class="rounded-lg border border-line bg-surface p-4">
          <h2 class="font-semibold">{words.ask.tryLimits}</h2>
          <p class="mt-0.5 text-sm text-muted">{words.ask.tryLimitsText}</p>
          <ul class="mt-3 grid gap-1.5 sm:grid-cols-2">
            <For each={simulated()}>
              {(model) => (
                <li>
                  <button
                    type="button"
                    class="h-full w-full rounded-md border border-line px-2.5 py-1.5 text-left text-sm hover:border-control"
                    title={model.id}
                    onClick={() => props.onAsk(model.title, model.id)}
                  >
                    {model.title}
                  </button>
                </li>
              )}
            </For>
          </ul>
        </section>
      </Show>
    </div>
  );
}

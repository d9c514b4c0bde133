import { For } from 'solid-js';
import { words } from '../../words.ts';

/** Grey shapes where content is about to be; one sentence says so to people who do not see them. */
export function SkeletonCards(props: { readonly count: number }) {
  return (
    <div role="status" class="flex flex-col gap-4">
      <span class="sr-only">{words.frame.loading}</span>
      <For each={Array.from({ length: props.count })}>
        {() => (
          <div class="flex flex-col gap-4 rounded-lg border border-line bg-surface p-5">
            <Bar class="h-4 w-28" />
            <Bar class="h-3 w-full" />
            <Bar class="h-3 w-2/3" />
          </div>
        )}
      </For>
    </div>
  );
}

export function Bar(props: { readonly class: string }) {
  return <div class={`animate-pulse rounded bg-sunken ${props.class}`} />;
}

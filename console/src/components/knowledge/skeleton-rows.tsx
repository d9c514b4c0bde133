import { For } from 'solid-js';
import { words } from '../../words.ts';
import { Bar } from '../basics/skeleton.tsx';

/** Where rows of a list are about to be. */
export function SkeletonRows() {
  return (
    <div role="status" class="flex flex-col gap-3 p-4">
      <span class="sr-only">{words.frame.loading}</span>
      <For each={[1, 2, 3, 4]}>{() => <Bar class="h-4 w-full" />}</For>
    </div>
  );
}

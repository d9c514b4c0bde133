import { A } from '@solidjs/router';
import ArrowLeft from 'lucide-solid/icons/arrow-left';
import { type JSX, Show } from 'solid-js';
import { words } from '../../words.ts';

interface SplitViewProps {
  readonly label: string;
  readonly list: JSX.Element;
  /** Whether something from the list is open; on small screens it takes the list's place. */
  readonly open: boolean;
  readonly backTo: string;
  readonly children: JSX.Element;
}

/** A list and what was chosen from it, side by side where there is room. */
export function SplitView(props: SplitViewProps) {
  return (
    <div class="flex flex-col gap-4 lg:flex-row lg:items-start">
      <section
        aria-label={props.label}
        class="shrink-0 rounded-lg border border-line bg-surface lg:sticky lg:top-16 lg:max-h-[calc(100dvh-5rem)] lg:w-80 lg:overflow-y-auto"
        classList={{ 'max-lg:hidden': props.open }}
      >
        {props.list}
      </section>
      <div class="min-w-0 grow" classList={{ 'max-lg:hidden': !props.open }}>
        <Show when={props.open}>
          <A
            href={props.backTo}
            class="mb-3 inline-flex items-center gap-1.5 rounded text-muted hover:text-text lg:hidden"
          >
            <ArrowLeft class="size-4" aria-hidden="true" /> {words.knowledge.back}
          </A>
        </Show>
        {props.children}
      </div>
    </div>
  );
}

/** The place of what is not chosen yet. */
export function NothingChosen() {
  return (
    <div class="hidden rounded-lg border border-dashed border-line px-6 py-16 text-center text-muted lg:block">
      {words.knowledge.choose}
    </div>
  );
}

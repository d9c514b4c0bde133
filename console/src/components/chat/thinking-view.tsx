import Brain from 'lucide-solid/icons/brain';
import ChevronRight from 'lucide-solid/icons/chevron-right';
import type { Part } from '../../state/chat/run-view.ts';
import { words } from '../../words.ts';

interface ThinkingViewProps {
  readonly part: Extract<Part, { type: 'thinking' }>;
  readonly growing: boolean;
}

/** Reasoning, folded away until somebody wants to read it. */
export function ThinkingView(props: ThinkingViewProps) {
  const seconds = () => Math.round((Date.parse(props.part.lastAt) - Date.parse(props.part.at)) / 1_000);
  return (
    <details class="group/thinking text-sm">
      <summary class="inline-flex h-7 cursor-pointer list-none items-center gap-1.5 rounded-md pr-2 text-muted hover:text-text [&::-webkit-details-marker]:hidden">
        <ChevronRight class="size-3.5 transition-transform group-open/thinking:rotate-90" aria-hidden="true" />
        <Brain class="size-4" aria-hidden="true" />
        {props.growing ? words.thinking.now : words.thinking.done(seconds())}
      </summary>
      <p
        dir="auto"
        class="mt-1 max-h-80 overflow-y-auto border-l-2 border-line pl-3 whitespace-pre-wrap text-muted wrap-anywhere"
      >
        {props.part.text}
      </p>
    </details>
  );
}

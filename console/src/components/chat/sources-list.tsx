import BookText from 'lucide-solid/icons/book-text';
import ChevronRight from 'lucide-solid/icons/chevron-right';
import FileCode from 'lucide-solid/icons/file-code';
import MessagesSquare from 'lucide-solid/icons/messages-square';
import { For, Show } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import { type Footnote, parted } from '../../state/chat/citations.ts';
import { words } from '../../words.ts';

const icons: Readonly<Record<string, typeof BookText>> = { VAULT: BookText, CODE: FileCode, THREAD: MessagesSquare };

interface SourcesListProps {
  readonly answer: string;
  readonly footnotes: readonly Footnote[];
  readonly onOpen: (footnote: Footnote) => void;
}

/** Footnotes; each opens what it names. What was found, but is not referred to, is folded away. */
export function SourcesList(props: SourcesListProps) {
  const parts = () => parted(props.answer, props.footnotes);
  return (
    <div class="text-sm">
      <p class="text-xs font-medium text-muted">{words.sources.title}</p>
      <Chips footnotes={parts().cited} onOpen={props.onOpen} />
      <Show when={parts().besides.length > 0}>
        <details class="group/besides mt-1">
          <summary class="inline-flex h-7 cursor-pointer list-none items-center gap-1 rounded-md pr-2 text-muted hover:text-text [&::-webkit-details-marker]:hidden">
            <ChevronRight class="size-3.5 transition-transform group-open/besides:rotate-90" aria-hidden="true" />
            {words.sources.besides(parts().besides.length)}
          </summary>
          <Chips footnotes={parts().besides} onOpen={props.onOpen} />
        </details>
      </Show>
    </div>
  );
}

function Chips(props: Pick<SourcesListProps, 'footnotes' | 'onOpen'>) {
  return (
    <ol class="mt-1 flex flex-wrap gap-1.5">
      <For each={props.footnotes}>
        {(footnote) => (
          <li class="max-w-full min-w-0">
            <button
              type="button"
              class="flex h-7 max-w-full items-center gap-1.5 rounded-md border border-line bg-surface px-2 hover:border-control"
              title={footnote.source.path}
              onClick={() => props.onOpen(footnote)}
            >
              <span class="text-xs font-semibold text-accent-text">
                <span class="sr-only">{words.sources.source} </span>
                {footnote.number}
              </span>
              <Dynamic
                component={icons[footnote.source.kind] ?? BookText}
                class="size-3.5 shrink-0 text-faint"
                aria-hidden="true"
              />
              <span class="truncate">{footnote.source.title ?? footnote.source.path}</span>
            </button>
          </li>
        )}
      </For>
    </ol>
  );
}

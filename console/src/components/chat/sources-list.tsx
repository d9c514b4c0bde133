import BookText from 'lucide-solid/icons/book-text';
import FileCode from 'lucide-solid/icons/file-code';
import MessagesSquare from 'lucide-solid/icons/messages-square';
import { For } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import type { Footnote } from '../../state/chat/citations.ts';
import { words } from '../../words.ts';

const icons: Readonly<Record<string, typeof BookText>> = { VAULT: BookText, CODE: FileCode, THREAD: MessagesSquare };

interface SourcesListProps {
  readonly footnotes: readonly Footnote[];
  readonly onOpen: (footnote: Footnote) => void;
}

/** Footnotes; each opens what it names. */
export function SourcesList(props: SourcesListProps) {
  return (
    <div class="text-sm">
      <p class="text-xs font-medium text-muted">{words.sources.title}</p>
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
    </div>
  );
}

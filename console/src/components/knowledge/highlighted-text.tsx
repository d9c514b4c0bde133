import { For } from 'solid-js';
import { piecesOf } from '../../state/knowledge/highlights.ts';

interface HighlightedTextProps {
  readonly text: string;
  readonly highlights: readonly { readonly start: number; readonly end: number }[];
}

/** A passage with what was searched for marked in it. */
export function HighlightedText(props: HighlightedTextProps) {
  return (
    <span class="line-clamp-4 text-sm wrap-anywhere text-muted" dir="auto">
      <For each={piecesOf(props.text, props.highlights)}>
        {(piece) =>
          piece.marked ? (
            <mark class="rounded-xs bg-accent-soft font-medium text-accent-text">{piece.text}</mark>
          ) : (
            piece.text
          )
        }
      </For>
    </span>
  );
}

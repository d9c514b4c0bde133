import { createEffect, createSignal, For, on, Show } from 'solid-js';
import { type HighlightAnswer, highlight } from '../../state/chat/highlight.ts';
import { words } from '../../words.ts';
import { SmallCopyButton } from './small-copy-button.tsx';

interface CodeBlockProps {
  readonly language: string;
  readonly text: string;
  /** Still being written. */
  readonly open: boolean;
}

/** Plain while it is being written, coloured when it is whole. */
export function CodeBlock(props: CodeBlockProps) {
  const [lines, setLines] = createSignal<HighlightAnswer['lines']>();

  createEffect(
    on([() => props.text, () => props.open, () => props.language], async ([text, open, language]) => {
      setLines(undefined);
      if (open) return;
      const found = await highlight(language, text);
      if (props.text === text) setLines(found);
    }),
  );

  return (
    <figure class="overflow-hidden rounded-lg border border-line bg-surface">
      <figcaption class="flex h-8 items-center justify-between border-b border-line bg-sunken pr-1 pl-3 text-xs text-muted">
        <span class="truncate font-mono">{props.language || words.answer.code.toLowerCase()}</span>
        <SmallCopyButton text={props.text} label={words.answer.copyCode} />
      </figcaption>
      <pre tabindex="0" dir="ltr" class="rounded-none! border-0!">
        <Show when={lines()} fallback={<code>{props.text}</code>}>
          {(coloured) => (
            <code>
              <For each={coloured()}>
                {(line, index) => (
                  <>
                    {index() > 0 ? '\n' : ''}
                    <For each={line}>{([content, colour]) => <span style={{ color: colour }}>{content}</span>}</For>
                  </>
                )}
              </For>
            </code>
          )}
        </Show>
      </pre>
    </figure>
  );
}

import { createEffect, on } from 'solid-js';
import { frameQueue } from '../../state/chat/frame-queue.ts';
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
  let code: HTMLElement | undefined;
  let latest = 0;

  createEffect(
    on([() => props.text, () => props.open, () => props.language], async ([text, open, language]) => {
      const mine = ++latest;
      if (code) code.textContent = text;
      if (open) return;
      const lines = await highlight(language, text);
      if (lines) frameQueue.add(() => mine === latest && code?.replaceChildren(coloured(lines)));
    }),
  );

  return (
    <figure class="overflow-hidden rounded-lg border border-line bg-surface">
      <figcaption class="flex h-8 items-center justify-between border-b border-line bg-sunken pr-1 pl-3 text-xs text-muted">
        <span class="truncate font-mono">{props.language || words.answer.code.toLowerCase()}</span>
        <SmallCopyButton text={props.text} label={words.answer.copyCode} />
      </figcaption>
      <pre tabindex="0" dir="ltr" class="rounded-none! border-0!">
        <code ref={code} />
      </pre>
    </figure>
  );
}

/** Many small elements, made without anything that watches them. */
function coloured(lines: NonNullable<HighlightAnswer['lines']>): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const [index, line] of lines.entries()) {
    if (index > 0) fragment.append('\n');
    for (const [content, colour] of line) {
      const span = document.createElement('span');
      span.style.color = colour;
      span.textContent = content;
      fragment.append(span);
    }
  }
  return fragment;
}

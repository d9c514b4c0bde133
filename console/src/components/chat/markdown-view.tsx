import './markdown.css';
import { createEffect, createMemo, Index, Match, on, Switch } from 'solid-js';
import { frameQueue } from '../../state/chat/frame-queue.ts';
import { type Block, drawSafely, makeBlocks } from '../../state/chat/markdown.ts';
import { words } from '../../words.ts';
import { CodeBlock } from './code-block.tsx';

interface MarkdownViewProps {
  readonly text: string;
  /** More is on its way. */
  readonly growing: boolean;
  readonly onLink: (address: string) => void;
  readonly onCitation?: (number: number) => void;
  /** For a note: where its links to other notes lead. */
  readonly onNote?: (target: string) => void;
}

/** An answer. Nothing in it can act by itself: links and citations are buttons that ask this page. */
export function MarkdownView(props: MarkdownViewProps) {
  const toBlocks = makeBlocks(props.onNote ? 'note' : 'answer');
  const blocks = createMemo(() => toBlocks(props.text, props.growing));

  function click(event: MouseEvent) {
    const button =
      event.target instanceof Element
        ? event.target.closest('button[data-address], button[data-citation], button[data-note]')
        : null;
    if (!(button instanceof HTMLElement)) return;
    const { address, citation, note } = button.dataset;
    if (address !== undefined) props.onLink(address);
    if (citation !== undefined) props.onCitation?.(Number(citation));
    if (note !== undefined) props.onNote?.(note);
  }

  return (
    // The buttons inside are what is pressed, by key or pointer; their clicks arrive here.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div class="md" dir="auto" onClick={click}>
      <Index each={blocks()}>{(block) => <BlockView block={block()} />}</Index>
    </div>
  );
}

function BlockView(props: { readonly block: Block }) {
  const code = () => (props.block.type === 'code' ? props.block : undefined);
  const plain = () => (props.block.type === 'plain' ? props.block : undefined);
  const html = () => (props.block.type === 'html' ? props.block : undefined);
  return (
    <Switch>
      <Match when={code()}>{(block) => <CodeBlock {...block()} />}</Match>
      <Match when={plain()}>{(block) => <PlainText text={block().text} />}</Match>
      <Match when={html()}>{(block) => <HtmlBlock html={block().html} />}</Match>
    </Switch>
  );
}

function HtmlBlock(props: { readonly html: () => string }) {
  let element: HTMLDivElement | undefined;
  let waiting = false;
  createEffect(
    on(
      () => props.html,
      () => {
        if (waiting) return;
        waiting = true;
        frameQueue.add(draw);
      },
    ),
  );

  function draw() {
    waiting = false;
    if (element?.isConnected) drawSafely(element, props.html());
  }

  return <div ref={element} class="md-block" />;
}

const pieceLength = 4_000;

/** A text without end: in pieces, of which the browser lays out only those in sight. */
function PlainText(props: { readonly text: string }) {
  const pieces = createMemo(() =>
    Array.from({ length: Math.ceil(props.text.length / pieceLength) }, (_, index) =>
      props.text.slice(index * pieceLength, (index + 1) * pieceLength),
    ),
  );
  return (
    <div>
      <p class="text-sm text-muted">{words.answer.longText(props.text.length)}</p>
      <section
        class="mt-1 max-h-96 overflow-y-auto rounded-lg border border-line p-3"
        tabindex="0"
        aria-label={words.answer.longText(props.text.length)}
      >
        <Index each={pieces()}>
          {(piece) => (
            <p
              dir="auto"
              class="whitespace-pre-wrap [contain-intrinsic-size:auto_400px] [content-visibility:auto] wrap-anywhere"
            >
              {piece()}
            </p>
          )}
        </Index>
      </section>
    </div>
  );
}

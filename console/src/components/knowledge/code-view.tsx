import { type CodeFileQuery, DeleteCodeFilesDocument, SaveCodeFilesDocument } from '@oracle-agent/sdk/documents';
import { useNavigate } from '@solidjs/router';
import Trash from 'lucide-solid/icons/trash';
import { createEffect, createMemo, createSignal, For, on, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { type HighlightAnswer, highlight } from '../../state/chat/highlight.ts';
import { mutate, mutateLarge } from '../../state/graphql-client.ts';
import { codeAddress, sectionAddress } from '../../state/knowledge/addresses.ts';
import { shortenedLines } from '../../state/knowledge/code-lines.ts';
import { toasts } from '../../state/toasts.ts';
import { words } from '../../words.ts';
import { IconButton } from '../basics/button.tsx';

interface CodeViewProps {
  readonly file: NonNullable<CodeFileQuery['codeFile']>;
  readonly line: number | undefined;
  readonly project: string | undefined;
  readonly onName: (name: string) => void;
  readonly onChanged: () => void;
}

/** In pixels, so that a line can be found without drawing each one by itself. */
const lineHeight = 20;

/** A file with its lines numbered, coloured where the language is known, and one of them marked. */
export function CodeView(props: CodeViewProps) {
  const { session } = useApp();
  const navigate = useNavigate();
  const [coloured, setColoured] = createSignal<HighlightAnswer['lines']>();
  const lines = createMemo(() => shortenedLines(props.file.text));
  const text = () => lines().join('\n');
  let scroller: HTMLElement | undefined;

  createEffect(
    on([text, () => props.file.language], async ([now, language]) => {
      setColoured(undefined);
      const found = await highlight(language ?? '', now);
      if (text() === now) setColoured(found);
    }),
  );
  createEffect(() => {
    const { line } = props;
    if (line !== undefined && scroller) scroller.scrollTop = Math.max(0, (line - 6) * lineHeight);
  });

  const inProject = () => (props.project ? { projectId: props.project } : {});

  async function remove() {
    const { path, text: whole } = props.file;
    const answer = await mutate(session.client, DeleteCodeFilesDocument, { input: { paths: [path], ...inProject() } });
    if (answer.type === 'failed') {
      toasts.show({ text: `${words.failed} ${answer.message}`, tone: 'failure' });
      return;
    }
    toasts.show({ text: words.code.removed(path), undo: () => restore(path, whole) });
    props.onChanged();
    navigate(sectionAddress('code', props.project));
  }

  async function restore(path: string, whole: string): Promise<string | undefined> {
    const input = { files: [{ path, text: whole }], ...inProject() };
    const answer = await mutateLarge(session.client, SaveCodeFilesDocument, { input });
    if (answer.type === 'failed') return answer.message;
    if (answer.data.saveCodeFiles.__typename === 'InvalidInput') return answer.data.saveCodeFiles.message;
    props.onChanged();
    navigate(codeAddress(path, null, props.project));
    return undefined;
  }

  return (
    <article aria-labelledby="file-path" class="rounded-lg border border-line bg-surface">
      <header class="flex items-start justify-between gap-3 border-b border-line px-4 py-3">
        <div class="min-w-0">
          <h2 id="file-path" class="font-semibold wrap-anywhere">
            <bdi>{props.file.path}</bdi>
          </h2>
          <p class="text-sm text-muted">
            {[props.file.language, words.code.lines(props.file.lines)].filter(Boolean).join(' · ')}
          </p>
        </div>
        <IconButton label={words.code.remove} onClick={() => void remove()}>
          <Trash class="size-4" aria-hidden="true" />
        </IconButton>
      </header>
      <Show when={props.file.symbols.length > 0}>
        <details class="border-b border-line px-4 py-2 text-sm">
          <summary class="cursor-pointer font-medium text-muted">{words.code.symbols}</summary>
          <ul class="mt-2 flex max-h-48 flex-wrap gap-x-3 gap-y-1 overflow-y-auto">
            <For each={props.file.symbols}>
              {(symbol) => (
                <li>
                  <button
                    type="button"
                    title={symbol.signature}
                    class="rounded font-mono text-accent-text hover:underline"
                    onClick={() => props.onName(symbol.name)}
                  >
                    {symbol.name}
                  </button>
                </li>
              )}
            </For>
          </ul>
        </details>
      </Show>
      <section
        ref={scroller}
        aria-label={words.code.text}
        tabindex="0"
        class="relative max-h-[70dvh] overflow-auto rounded-b-lg font-mono text-sm leading-5"
      >
        <div class="relative flex w-max min-w-full">
          <Show when={props.line !== undefined && props.line <= lines().length && props.line}>
            {(line) => (
              <div
                aria-hidden="true"
                data-marked-line={line()}
                class="absolute inset-x-0 border-l-2 border-accent bg-accent-soft"
                style={{ top: `${(line() - 1) * lineHeight}px`, height: `${lineHeight}px` }}
              />
            )}
          </Show>
          <pre
            aria-hidden="true"
            class="sticky left-0 z-10 border-r border-line bg-surface px-3 text-right text-faint select-none"
          >
            {lines()
              .map((_, index) => index + 1)
              .join('\n')}
          </pre>
          <pre dir="ltr" class="relative px-3">
            <Show when={coloured()} fallback={<code>{text()}</code>}>
              {(rows) => (
                <code>
                  <For each={rows()}>
                    {(row, index) => (
                      <>
                        {index() > 0 ? '\n' : ''}
                        <For each={row}>{([content, colour]) => <span style={{ color: colour }}>{content}</span>}</For>
                      </>
                    )}
                  </For>
                </code>
              )}
            </Show>
          </pre>
        </div>
      </section>
    </article>
  );
}

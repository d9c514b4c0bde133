import { For, Match, onMount, Show, Switch } from 'solid-js';
import type { Source } from '../../state/chat/run-view.ts';
import type { Material } from '../../state/chat/source-material.ts';
import { words } from '../../words.ts';
import { ThreadEntryView } from '../knowledge/thread-entry-view.tsx';
import { MarkdownView } from './markdown-view.tsx';

interface SourceMaterialProps {
  readonly material: Material;
  readonly source: Source | undefined;
  readonly onLink: (address: string) => void;
}

/** A note, some lines of code or some entries of a thread; the passage that was kept where there is nothing else. */
export function SourceMaterial(props: SourceMaterialProps) {
  const of = <Type extends Material['type']>(type: Type) =>
    props.material.type === type ? (props.material as Extract<Material, { type: Type }>) : undefined;
  const thread = () => {
    const found = of('thread');
    return found && found.entries.length > 0 ? found : undefined;
  };
  return (
    <Switch fallback={<Passage source={props.source} said={words.sources.passage} />}>
      <Match when={of('note')}>
        {(note) => <MarkdownView text={note().body} growing={false} onLink={props.onLink} onCitation={() => {}} />}
      </Match>
      <Match when={of('code')}>{(code) => <CodeLines code={code()} />}</Match>
      <Match when={thread()}>
        {(found) => (
          <>
            <p class="mb-2 text-sm text-muted">
              {words.sources.entriesShown(
                found().entries[0]?.number ?? 0,
                found().entries.at(-1)?.number ?? 0,
                found().all,
              )}
            </p>
            <ol class="divide-y divide-line rounded-md border border-line">
              <For each={found().entries}>
                {(entry) => (
                  <ThreadEntryView entry={entry} marked={entry.number === found().marked} onLink={props.onLink} />
                )}
              </For>
            </ol>
          </>
        )}
      </Match>
      <Match when={of('gone')}>
        <Passage source={props.source} said={words.sources.gone} />
      </Match>
      <Match when={of('failed')}>
        {(failed) => (
          <>
            <p role="alert" class="mb-2 text-failure">
              {words.failed} {failed().message}
            </p>
            <Passage source={props.source} said={words.sources.passage} />
          </>
        )}
      </Match>
    </Switch>
  );
}

function CodeLines(props: { readonly code: Extract<Material, { type: 'code' }> }) {
  const numberOf = (index: number) => props.code.from + index;
  return (
    <>
      <p class="mb-2 text-sm text-muted">
        {words.sources.linesShown(props.code.from, props.code.from + props.code.lines.length - 1, props.code.all)}
      </p>
      <div class="overflow-x-auto rounded-md border border-line">
        <ol dir="ltr" class="w-max min-w-full py-1 font-mono text-sm leading-5">
          <For each={props.code.lines}>
            {(line, index) => (
              <CodeLine number={numberOf(index())} text={line} marked={numberOf(index()) === props.code.marked} />
            )}
          </For>
        </ol>
      </div>
    </>
  );
}

interface CodeLineProps {
  readonly number: number;
  readonly text: string;
  readonly marked: boolean;
}

function CodeLine(props: CodeLineProps) {
  let item: HTMLLIElement | undefined;
  onMount(() => {
    if (props.marked) item?.scrollIntoView({ block: 'nearest' });
  });
  return (
    <li
      ref={item}
      class="flex border-l-2 border-transparent"
      classList={{ 'border-accent! bg-accent-soft': props.marked }}
      aria-current={props.marked ? 'true' : undefined}
    >
      <span aria-hidden="true" class="w-14 shrink-0 px-3 text-right text-muted tabular-nums select-none">
        {props.number}
      </span>
      <code class="pr-3 whitespace-pre">
        {props.text}
        <Show when={props.text === ''}>{'\n'}</Show>
      </code>
    </li>
  );
}

function Passage(props: { readonly source: Source | undefined; readonly said: string }) {
  return (
    <>
      <p class="mb-2 text-muted">{props.said}</p>
      <pre class="rounded-md bg-sunken p-3 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
        {props.source?.snippet ?? words.sources.nothing}
      </pre>
    </>
  );
}

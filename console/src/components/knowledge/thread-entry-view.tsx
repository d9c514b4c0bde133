import type { ThreadEntryFragment } from '@oracle-agent/sdk/documents';
import { onMount, Show } from 'solid-js';
import { words } from '../../words.ts';
import { StatusPill } from '../basics/status-pill.tsx';
import { TimeText } from '../basics/time-text.tsx';
import { MarkdownView } from '../chat/markdown-view.tsx';

interface ThreadEntryViewProps {
  readonly entry: ThreadEntryFragment;
  /** The one that a link led to. */
  readonly marked: boolean;
  readonly onLink: (address: string) => void;
  /** Where links to notes lead; without it they are text. */
  readonly onNote?: (target: string) => void;
}

export function ThreadEntryView(props: ThreadEntryViewProps) {
  let item: HTMLLIElement | undefined;
  onMount(() => {
    if (props.marked) item?.scrollIntoView({ block: 'center' });
  });
  return (
    <li
      ref={item}
      class="px-4 py-3 sm:px-5"
      classList={{ 'bg-accent-soft': props.marked }}
      aria-current={props.marked ? 'true' : undefined}
    >
      <p class="mb-1 flex flex-wrap items-center gap-2 text-sm text-muted">
        <span>{words.threads.number(props.entry.number)}</span>
        <StatusPill
          text={words.threads.kinds[props.entry.kind]}
          tone={props.entry.kind === 'DECISION' ? 'accent' : 'neutral'}
        />
        <Show when={props.entry.author}>{(author) => <bdi class="wrap-anywhere">{author()}</bdi>}</Show>
        <Show when={props.entry.runId}>
          {(runId) => (
            <a href={`/runs/${runId()}`} class="hover:underline">
              {words.threads.byRun}
            </a>
          )}
        </Show>
        <TimeText at={props.entry.createdAt} />
      </p>
      <MarkdownView
        text={props.entry.text}
        growing={false}
        onLink={props.onLink}
        {...(props.onNote ? { onNote: props.onNote } : {})}
      />
    </li>
  );
}

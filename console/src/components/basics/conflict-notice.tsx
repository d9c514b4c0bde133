import TriangleAlert from 'lucide-solid/icons/triangle-alert';
import { Show } from 'solid-js';
import { words } from '../../words.ts';
import { Button } from './button.tsx';

interface ConflictNoticeProps {
  readonly text: string;
  /** What somebody else wrote meanwhile; undefined: it is gone. */
  readonly theirs: string | undefined;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
  readonly class?: string;
}

/** Somebody else wrote there meanwhile: the person decides whose text stays, and can read both. */
export function ConflictNotice(props: ConflictNoticeProps) {
  return (
    <div role="alert" class={`border-warning-line bg-warning-soft px-4 py-3 text-sm ${props.class ?? ''}`}>
      <p class="flex items-center gap-2 font-medium text-warning">
        <TriangleAlert class="size-4 shrink-0" aria-hidden="true" />
        {props.text}
      </p>
      <Show when={props.theirs !== undefined}>
        <details class="mt-2">
          <summary class="cursor-pointer">{words.notes.theirs}</summary>
          <pre
            tabindex="0"
            class="mt-1 max-h-60 overflow-auto rounded-md bg-surface p-2 font-mono whitespace-pre-wrap wrap-anywhere"
          >
            {props.theirs?.slice(0, 20_000)}
          </pre>
        </details>
      </Show>
      <div class="mt-2 flex flex-wrap gap-2">
        <Button size="small" onClick={() => props.onKeepMine()}>
          {words.notes.keepMine}
        </Button>
        <Button size="small" onClick={() => props.onTakeTheirs()}>
          {words.notes.takeTheirs}
        </Button>
      </div>
    </div>
  );
}

import Check from 'lucide-solid/icons/check';
import { onMount, Show } from 'solid-js';
import { useApp, useViewer } from '../../state/app-context.ts';
import { createNoteEditor, type Note } from '../../state/knowledge/note-editor.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { ConflictNotice } from '../basics/conflict-notice.tsx';

interface NoteEditorViewProps {
  readonly path: string;
  readonly project: string | undefined;
  /** Null for a note that is not there yet. */
  readonly note: Note | null;
  readonly onSaved: (note: Note) => void;
  readonly onDone: () => void;
}

/** Writes one note. What is typed is kept in this browser until it is saved. */
export function NoteEditorView(props: NoteEditorViewProps) {
  const { session } = useApp();
  const viewer = useViewer();
  const place = { userId: viewer().id, projectId: props.project, path: props.path };
  const editor = createNoteEditor(session.client, place, props.note, (note) => props.onSaved(note));
  let field: HTMLTextAreaElement | undefined;
  onMount(() => field?.focus());
  const conflict = () => {
    const state = editor.state();
    return state.type === 'conflict' ? state : undefined;
  };
  const failure = () => {
    const state = editor.state();
    return state.type === 'failed' ? state.message : undefined;
  };
  const status = () => {
    const type = editor.state().type;
    if (type === 'saving') return words.notes.saving;
    if (type === 'saved') return words.notes.saved;
    return type === 'edited' ? words.notes.draft : '';
  };

  function keydown(event: KeyboardEvent) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    void editor.save();
  }

  return (
    <section
      aria-labelledby="note-path"
      class="flex flex-col rounded-lg border border-line bg-surface"
      onKeyDown={keydown}
    >
      <header class="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-3 sm:px-5">
        <h2 id="note-path" class="min-w-0 font-semibold wrap-anywhere">
          <bdi>{props.path}</bdi>
        </h2>
        <div class="flex flex-wrap items-center gap-2">
          <span role="status" class="flex items-center gap-1 text-xs text-muted">
            <Show when={editor.state().type === 'saved'}>
              <Check class="size-3 text-success" aria-hidden="true" />
            </Show>
            {status()}
          </span>
          <Show when={editor.unsaved()}>
            <Button size="small" variant="ghost" onClick={() => editor.discard()}>
              {words.notes.discard}
            </Button>
          </Show>
          <Button size="small" onClick={() => props.onDone()}>
            {words.notes.done}
          </Button>
          <Button size="small" variant="primary" title={words.notes.saveHint} onClick={() => void editor.save()}>
            {words.notes.save}
          </Button>
        </div>
      </header>
      <Show when={editor.hadDraft && editor.state().type === 'edited'}>
        <p class="border-b border-line bg-sunken px-4 py-2 text-sm text-muted sm:px-5">{words.notes.draftFound}</p>
      </Show>
      <p role="alert" class="border-b border-line bg-failure-soft px-4 py-2 text-sm text-failure empty:hidden sm:px-5">
        {failure()}
      </p>
      <Show when={conflict()}>
        {(now) => (
          <ConflictNotice
            class="border-b sm:px-5"
            text={now().theirs ? words.notes.conflict : words.notes.conflictGone}
            theirs={now().theirs?.body}
            onKeepMine={() => editor.keepMine()}
            onTakeTheirs={() => editor.takeTheirs()}
          />
        )}
      </Show>
      <textarea
        ref={field}
        aria-label={words.notes.body}
        spellcheck={false}
        dir="auto"
        class="min-h-[60dvh] w-full resize-y rounded-b-lg bg-surface p-4 font-mono text-sm sm:p-5"
        value={editor.text()}
        onInput={(event) => editor.write(event.currentTarget.value)}
      />
    </section>
  );
}

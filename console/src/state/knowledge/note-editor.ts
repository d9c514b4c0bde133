import { type NoteFragment, SaveNoteDocument } from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { createSignal, onCleanup } from 'solid-js';
import { mutateLarge } from '../graphql-client.ts';
import { keepDraft, readDraft } from '../kept-draft.ts';

export type Note = NoteFragment;

export type EditorState =
  | { readonly type: 'clean' | 'edited' | 'saving' | 'saved' }
  | { readonly type: 'failed'; readonly message: string }
  /** Somebody else wrote there meanwhile; null: the note is gone. */
  | { readonly type: 'conflict'; readonly message: string; readonly theirs: Note | null };

export type NoteEditor = ReturnType<typeof createNoteEditor>;

interface NotePlace {
  readonly userId: string;
  readonly projectId: string | undefined;
  readonly path: string;
}

/** A note being written: what is typed is kept at every key, and saved only over what it was begun from. */
export function createNoteEditor(client: Client, place: NotePlace, note: Note | null, onSaved: (note: Note) => void) {
  const drafted = { userId: place.userId, of: ['note', place.projectId ?? '', place.path] } as const;
  const kept = readDraft(drafted);
  const [text, setText] = createSignal(kept?.body ?? note?.body ?? '');
  const [base, setBase] = createSignal(kept?.base ?? note?.hash ?? '');
  const [state, setState] = createSignal<EditorState>({ type: kept ? 'edited' : 'clean' });

  const unsaved = () => state().type !== 'clean' && state().type !== 'saved';
  const warn = (event: BeforeUnloadEvent) => {
    // The draft is kept; only a save under way could be lost.
    if (state().type === 'saving') event.preventDefault();
  };
  addEventListener('beforeunload', warn);
  onCleanup(() => removeEventListener('beforeunload', warn));

  function write(next: string) {
    setText(next);
    if (state().type !== 'conflict') setState({ type: 'edited' });
    keepDraft(drafted, { body: next, base: base() });
  }

  async function save(): Promise<void> {
    if (state().type === 'saving') return;
    setState({ type: 'saving' });
    const body = text();
    const { projectId, path } = place;
    const input = { path, body, expectedHash: base(), ...(projectId ? { projectId } : {}) };
    const answer = await mutateLarge(client, SaveNoteDocument, { input });
    if (answer.type === 'failed') return void setState({ type: 'failed', message: answer.message });
    const result = answer.data.saveNote;
    if (result.__typename === 'Note') {
      setBase(result.hash);
      const unchanged = text() === body;
      keepDraft(drafted, unchanged ? undefined : { body: text(), base: result.hash });
      setState({ type: unchanged ? 'saved' : 'edited' });
      return onSaved(result);
    }
    if (result.__typename === 'InvalidInput') {
      return void setState({ type: 'failed', message: result.problems[0]?.message ?? result.message });
    }
    setState({ type: 'conflict', message: result.message, theirs: result.current });
  }

  return {
    text,
    state,
    unsaved,
    hadDraft: kept !== undefined,
    write,
    save,
    /** Mine over theirs, knowing what they wrote. */
    keepMine() {
      const now = state();
      if (now.type !== 'conflict') return;
      setBase(now.theirs?.hash ?? '');
      setState({ type: 'edited' });
      void save();
    },
    takeTheirs() {
      const now = state();
      if (now.type !== 'conflict') return;
      setBase(now.theirs?.hash ?? '');
      setText(now.theirs?.body ?? '');
      setState({ type: 'clean' });
      keepDraft(drafted, undefined);
    },
    discard() {
      keepDraft(drafted, undefined);
      setText(note?.body ?? '');
      setBase(note?.hash ?? '');
      setState({ type: 'clean' });
    },
  };
}

import type { Source } from '../tools/tool.ts';

/** A note as a conversation knows it. */
export interface ReadNote {
  readonly path: string;
  readonly title?: string | undefined;
  /** Which one it was and its text then; of exchanges before these were kept, only when it had been read at the latest. */
  readonly known: { readonly id: string; readonly hash: string } | { readonly readBefore: Date };
}

/** A note as it stands. */
export interface NoteState {
  readonly id: string;
  readonly path: string;
  readonly hash: string;
  readonly updatedAt: Date;
}

/** A note that the conversation relies on, and what became of it since. */
export interface StaleNote {
  readonly path: string;
  readonly title?: string | undefined;
  readonly change: 'CHANGED' | 'MOVED' | 'DELETED';
  /** Gone when it was deleted. */
  readonly state?: NoteState | undefined;
  /** Moved, and changed as well. */
  readonly alsoChanged?: boolean;
}

/** However much somebody searches: of so many notes the oldest are forgotten first. */
const mostNotes = 500;

/** The notes that a conversation has read, and which of them have changed since. Pure: what there is comes from outside. */
export class ReadNotes {
  readonly #notes = new Map<string, ReadNote>();
  /** What was said of each since it was last read. */
  readonly #told = new Map<string, string>();

  get all(): readonly ReadNote[] {
    return [...this.#notes.values()];
  }

  /** Read earlier than anything since. */
  remember(earlier: readonly ReadNote[]): void {
    for (const note of earlier) if (!this.#notes.has(keyOf(note))) this.#keep(note);
  }

  /** It was read just now. */
  cite({ kind, path, title, note }: Source): void {
    if (kind === 'VAULT' && note) this.#keep({ path, title, known: note });
  }

  /** The conversation itself made it what it is: that is no news to it. */
  wrote({ id, path, hash }: Pick<NoteState, 'id' | 'path' | 'hash'>): void {
    const known = this.#notes.get(id);
    if (known) this.#keep({ ...known, path, known: { id, hash } });
  }

  /** Those that have changed. What was taken by `tell` before is left out until the note is read again. */
  stale(states: readonly NoteState[]): readonly StaleNote[] {
    const byId = new Map(states.map((state) => [state.id, state]));
    const byPath = new Map(states.map((state) => [state.path, state]));
    return [...this.#notes].flatMap(([key, note]) => {
      const stale = changeOf(note, byId, byPath);
      return stale && this.#told.get(key) !== signatureOf(stale) ? [stale] : [];
    });
  }

  tell(stale: StaleNote): void {
    for (const [key, { path }] of this.#notes) if (path === stale.path) this.#told.set(key, signatureOf(stale));
  }

  #keep(note: ReadNote): void {
    const key = keyOf(note);
    this.#notes.delete(key);
    this.#notes.set(key, note);
    this.#told.delete(key);
    const [oldest] = this.#notes.keys();
    if (this.#notes.size > mostNotes && oldest !== undefined) this.#notes.delete(oldest);
  }
}

function keyOf({ path, known }: ReadNote): string {
  return 'id' in known ? known.id : path;
}

function changeOf(
  { path, title, known }: ReadNote,
  byId: ReadonlyMap<string, NoteState>,
  byPath: ReadonlyMap<string, NoteState>,
): StaleNote | undefined {
  const there = byPath.get(path);
  if (!('id' in known))
    return there && there.updatedAt > known.readBefore ? { path, title, change: 'CHANGED', state: there } : undefined;
  // Deleted and written again is the same note to whoever reads it.
  const state = byId.get(known.id) ?? there;
  if (!state) return { path, title, change: 'DELETED' };
  const changed = state.hash !== known.hash;
  if (state.path !== path) return { path, title, change: 'MOVED', state, alsoChanged: changed };
  return changed ? { path, title, change: 'CHANGED', state } : undefined;
}

function signatureOf({ change, state, alsoChanged }: StaleNote): string {
  return [change, change === 'MOVED' ? state?.path : '', alsoChanged].join('\n');
}

/** "… since it was read." */
export function changeInWords({ change, state, alsoChanged = false }: StaleNote): string {
  if (change === 'DELETED') return 'was deleted';
  if (change === 'CHANGED') return 'changed';
  return `was moved to ${state?.path}${alsoChanged ? ' and changed' : ''}`;
}

/** A text that is being written, kept in this browser under the chat's prefix, so that signing out forgets it too. */
export interface KeptDraft {
  readonly body: string;
  /** What it was begun from, as the server names it; empty for something new. */
  readonly base: string;
}

/** Whose it is, and what of theirs: `['note', projectId, path]`. */
export interface DraftPlace {
  readonly userId: string;
  readonly of: readonly [kind: string, ...place: string[]];
}

const key = ({ userId, of: [kind, ...place] }: DraftPlace) => `oracle-chat:${kind}:${userId}:${place.join(':')}`;

export function readDraft(place: DraftPlace): KeptDraft | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key(place)) ?? 'null');
    if (typeof stored !== 'object' || stored === null || !('body' in stored) || !('base' in stored)) return undefined;
    const { body, base } = stored;
    return typeof body === 'string' && typeof base === 'string' ? { body, base } : undefined;
  } catch {
    return undefined;
  }
}

export function keepDraft(place: DraftPlace, draft: KeptDraft | undefined): void {
  try {
    if (draft) localStorage.setItem(key(place), JSON.stringify(draft));
    else localStorage.removeItem(key(place));
  } catch {
    // Without storage, or with a full one, it lasts as long as the page.
  }
}

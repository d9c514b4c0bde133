/** A note that is being written, kept in this browser under the chat's prefix, so that signing out forgets it too. */
export interface NoteDraft {
  readonly body: string;
  /** The hash of what it was begun from; empty for a new note. */
  readonly base: string;
}

const key = (userId: string, projectId: string | undefined, path: string) =>
  `oracle-chat:note:${userId}:${projectId ?? ''}:${path}`;

export function readNoteDraft(userId: string, projectId: string | undefined, path: string): NoteDraft | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key(userId, projectId, path)) ?? 'null');
    if (typeof stored !== 'object' || stored === null || !('body' in stored) || !('base' in stored)) return undefined;
    const { body, base } = stored;
    return typeof body === 'string' && typeof base === 'string' ? { body, base } : undefined;
  } catch {
    return undefined;
  }
}

export function keepNoteDraft(
  userId: string,
  projectId: string | undefined,
  path: string,
  draft: NoteDraft | undefined,
): void {
  try {
    if (draft) localStorage.setItem(key(userId, projectId, path), JSON.stringify(draft));
    else localStorage.removeItem(key(userId, projectId, path));
  } catch {
    // Without storage, or with a full one, it lasts as long as the page.
  }
}

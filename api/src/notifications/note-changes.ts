import type { ChangeFeed } from '../store/changes.ts';

/** Tells runs under way that notes of their project were changed, moved or deleted, on whatever server. */
export class NoteChanges {
  readonly #watched = new Map<string, Set<() => void>>();
  readonly #stopListening: () => void;

  constructor(changes: ChangeFeed) {
    this.#stopListening = changes.listen((change) => {
      if (change.type === 'notes-changed') this.#tell(change.projectId);
      if (change.type === 'changes-missed') for (const projectId of this.#watched.keys()) this.#tell(projectId);
    });
  }

  watch(projectId: string, callback: () => void): () => void {
    const watchers = this.#watched.get(projectId) ?? new Set();
    this.#watched.set(projectId, watchers.add(callback));
    return () => {
      watchers.delete(callback);
      if (watchers.size === 0) this.#watched.delete(projectId);
    };
  }

  close(): void {
    this.#stopListening();
  }

  #tell(projectId: string): void {
    for (const callback of [...(this.#watched.get(projectId) ?? [])]) callback();
  }
}

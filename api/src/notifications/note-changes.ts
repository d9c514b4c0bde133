import type { ChangeFeed } from '../store/changes.ts';
import { type Watch, Watchers } from '../watchers.ts';

/** Tells runs under way that notes of their project were changed, moved or deleted, on whatever server. */
export class NoteChanges {
  /** By project. */
  readonly #watchers = new Watchers<() => void>();
  readonly #stopListening: () => void;

  constructor(changes: ChangeFeed) {
    this.#stopListening = changes.listen((change) => {
      if (change.type === 'notes-changed') this.#tell(change.projectId);
      if (change.type === 'changes-missed') for (const projectId of this.#watchers.topics) this.#tell(projectId);
    });
  }

  watch(projectId: string, callback: () => void): Watch {
    return this.#watchers.add(projectId, callback);
  }

  close(): void {
    this.#stopListening();
  }

  #tell(projectId: string): void {
    for (const callback of this.#watchers.of(projectId)) callback();
  }
}

import type { SettingsSet } from './settings-set.ts';
import { isTyping, isUndo } from './typing.ts';

/**
 * Ties forms to the life of the page that shows them: leaving sends what is still waiting, closing the tab asks first
 * when something could not be saved, and Ctrl-Z outside of inputs takes back the last change. Returns how to let go.
 */
export function followPageLife(sets: readonly SettingsSet[]): () => void {
  const controller = new AbortController();
  const { signal } = controller;

  addEventListener(
    'pagehide',
    () => {
      for (const set of sets) set.flushBeforeUnload();
    },
    { signal },
  );
  addEventListener(
    'beforeunload',
    (event) => {
      if (sets.some((set) => set.unsaved())) event.preventDefault();
    },
    { signal },
  );
  addEventListener(
    'keydown',
    (event) => {
      if (event.defaultPrevented || !isUndo(event) || isTyping(event.target)) return;
      const set = newest(sets);
      if (!set) return;
      event.preventDefault();
      void set.undoLast();
    },
    { signal },
  );

  return () => {
    controller.abort();
    for (const set of sets) void set.flush();
  };
}

function newest(sets: readonly SettingsSet[]): SettingsSet | undefined {
  const changed = sets.filter((set) => set.lastChangeNumber() > 0);
  return changed.sort((a, b) => b.lastChangeNumber() - a.lastChangeNumber())[0];
}

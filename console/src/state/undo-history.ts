import { createSignal } from 'solid-js';
import type { SettingValue } from './setting.ts';
import type { SettingsChange } from './settings-source.ts';

const remembered = 50;

/** Counts changes over all forms, so that the newest of a page can be found. */
let made = 0;

interface Remembered {
  readonly number: number;
  readonly replaced: SettingsChange;
}

/** What each saved change replaced, newest last. Undoing is not remembered itself, so that it walks further back. */
export function createUndoHistory() {
  const [changes, setChanges] = createSignal<readonly Remembered[]>([]);
  const undoing = new Map<string, SettingValue | null>();

  function remember(change: SettingsChange, ownBefore: (key: string) => SettingValue | null) {
    const replaced = Object.keys(change).filter((key) => !isUndo(key, change[key] ?? null));
    if (replaced.length === 0) return;
    const before = Object.fromEntries(replaced.map((key) => [key, ownBefore(key)]));
    setChanges((list) => [...list, { number: ++made, replaced: before }].slice(-remembered));
  }

  function isUndo(key: string, value: SettingValue | null): boolean {
    return undoing.has(key) && undoing.get(key) === value && undoing.delete(key);
  }

  function take(pick: (change: SettingsChange) => SettingsChange): SettingsChange | undefined {
    const last = changes().at(-1);
    if (!last) return undefined;
    const taken = pick(last.replaced);
    const rest = Object.fromEntries(Object.entries(last.replaced).filter(([key]) => !(key in taken)));
    setChanges((list) => [
      ...list.slice(0, -1),
      ...(Object.keys(rest).length > 0 ? [{ ...last, replaced: rest }] : []),
    ]);
    for (const [key, value] of Object.entries(taken)) undoing.set(key, value);
    return taken;
  }

  return {
    remember,
    /** True for the fields of the newest change. */
    isLast: (key: string): boolean => key in (changes().at(-1)?.replaced ?? {}),
    lastSize: (): number => Object.keys(changes().at(-1)?.replaced ?? {}).length,
    lastNumber: (): number => changes().at(-1)?.number ?? 0,
    takeLast: () => take((change) => change),
    takeField: (key: string) => take((change) => (key in change ? { [key]: change[key] ?? null } : {})),
  };
}

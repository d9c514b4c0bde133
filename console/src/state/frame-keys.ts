import { onCleanup } from 'solid-js';
import { makeShortcutReader, type Shortcut } from './shortcuts.ts';
import { isBehindDialog, isTyping } from './typing.ts';

interface FrameKeys {
  readonly shortcuts: () => readonly Shortcut[];
  /** Whether single characters are read at all. */
  readonly enabled: () => boolean;
  readonly onShortcut: (shortcut: Shortcut) => void;
  readonly onPalette: () => void;
}

/** Letters mean something of their own in these: they jump to what begins with them. */
const readsLetters = '[role=menu], [role=listbox], [role=tree], [role=combobox], [role=application]';

/** Keys that work on every page. Never while something is being written or lies on top. */
export function followFrameKeys(keys: FrameKeys): void {
  const read = makeShortcutReader(keys.shortcuts);

  function keydown(event: KeyboardEvent) {
    if (event.defaultPrevented || event.isComposing) return;
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      if (!isBehindDialog()) keys.onPalette();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !keys.enabled()) return;
    if (event.key.length > 1 || isTyping(event.target) || isBehindDialog()) return;
    if (event.target instanceof Element && event.target.closest(readsLetters)) return;
    const shortcut = read(event.key);
    if (!shortcut) return;
    event.preventDefault();
    keys.onShortcut(shortcut);
  }

  addEventListener('keydown', keydown);
  onCleanup(() => removeEventListener('keydown', keydown));
}

/** The search field of the page that is open; false when it has none in sight. */
export function focusPageSearch(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>('main input[type=search]');
  const field = [...fields].find((one) => one.checkVisibility());
  field?.focus();
  field?.select();
  return field !== undefined;
}

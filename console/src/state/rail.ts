import { createSignal } from 'solid-js';

const storageKey = 'oracle-rail';

export type Rail = ReturnType<typeof createRail>;

/** Whether the rail is folded to icons: as the person left it, or folded where the screen is narrow. */
export function createRail() {
  const [folded, setFolded] = createSignal(readFolded());

  function toggle() {
    setFolded((now) => !now);
    try {
      localStorage.setItem(storageKey, folded() ? 'folded' : 'open');
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  }

  return { folded, toggle };
}

function readFolded(): boolean {
  try {
    const stored = localStorage.getItem(storageKey);
    if (stored !== null) return stored === 'folded';
  } catch {
    // Falls through to the width of the screen.
  }
  return matchMedia('(max-width: 1023px)').matches;
}

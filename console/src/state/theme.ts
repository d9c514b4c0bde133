import { createEffect, createSignal } from 'solid-js';

export const themeChoices = ['light', 'dark', 'system'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

/** Also read by public/theme.js, which sets the theme before the first paint. */
const storageKey = 'oracle-theme';

export type Theme = ReturnType<typeof createTheme>;

export function createTheme() {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const [systemDark, setSystemDark] = createSignal(system.matches);
  const [choice, setChoice] = createSignal<ThemeChoice>(readChoice());
  system.addEventListener('change', (event) => setSystemDark(event.matches));
  addEventListener('storage', (event) => {
    if (event.key === storageKey) setChoice(readChoice());
  });

  createEffect(() => {
    const dark = choice() === 'dark' || (choice() === 'system' && systemDark());
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  });

  function choose(next: ThemeChoice) {
    setChoice(next);
    try {
      localStorage.setItem(storageKey, next);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  }

  return { choice, choose };
}

function readChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(storageKey);
    return themeChoices.find((choice) => choice === stored) ?? 'system';
  } catch {
    return 'system';
  }
}

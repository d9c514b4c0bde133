// Runs before the first paint, so that the page never flashes in the other theme. A file of its own because the
// content security policy allows no inline script. state/theme.ts takes over once the console has started.
(() => {
  let choice = 'system';
  try {
    choice = localStorage.getItem('oracle-theme') ?? 'system';
  } catch {
    // Storage may be switched off; the system's theme is a fine answer.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();

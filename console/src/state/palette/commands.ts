import { words } from '../../words.ts';
import { destinationsFor } from '../navigation.ts';
import type { Viewer } from '../session.ts';
import { keysOf, shortcutsFor } from '../shortcuts.ts';
import { type ThemeChoice, themeChoices } from '../theme.ts';

export type PaletteGroup = 'recent' | 'pages' | 'actions' | 'conversations' | 'notes' | 'runs' | 'people';

export interface PaletteItem {
  readonly id: string;
  readonly group: PaletteGroup;
  readonly label: string;
  /** What else it may be found by. */
  readonly keywords?: readonly string[];
  /** A second line or a hint. */
  readonly detail?: string;
  /** The shortcut that does the same. */
  readonly shortcut?: string;
  /** Where it leads; what has no address does something. */
  readonly href?: string;
  readonly run?: () => void | Promise<void>;
}

/** What commands do to the console around them. */
export interface PaletteActions {
  chooseTheme(choice: ThemeChoice): void;
  signOut(): void;
  stopRuns(): Promise<void>;
  showShortcuts(): void;
}

/** Everything that can be done from anywhere. */
export function paletteCommands(
  viewer: Pick<Viewer, 'role'>,
  path: string,
  actions: PaletteActions,
): readonly PaletteItem[] {
  const said = words.palette;
  const keys = new Map(shortcutsFor(viewer.role).map((shortcut) => [shortcut.id, keysOf(shortcut)]));
  const shortcut = (id: string) => (keys.has(id) ? { shortcut: keys.get(id) ?? '' } : {});
  const action = (id: keyof typeof said.actions, more: Partial<PaletteItem>): PaletteItem => ({
    id: `action:${id}`,
    group: 'actions',
    label: said.actions[id],
    keywords: said.keywords[id],
    ...more,
  });
  return [
    action('newConversation', { href: '/', ...shortcut('new') }),
    ...(path.startsWith('/c/') ? [action('openTree', { href: `${path}?panel=tree` })] : []),
    action('newNote', { href: '/knowledge/notes?new=1' }),
    action('importFiles', { href: '/knowledge/import' }),
    action('stopRuns', { run: actions.stopRuns }),
    action('changeLimits', { href: '/settings' }),
    action('issueToken', { href: '/settings?view=tokens' }),
    action('settingsHistory', { href: '/settings?view=history' }),
    ...themeChoices.map(
      (choice): PaletteItem => ({
        id: `action:theme-${choice}`,
        group: 'actions',
        label: words.frame.theme(words.frame.themes[choice].toLowerCase()),
        keywords: said.keywords.theme,
        run: () => actions.chooseTheme(choice),
      }),
    ),
    action('shortcuts', { run: actions.showShortcuts, ...shortcut('help') }),
    action('signOut', { run: actions.signOut }),
    ...destinationsFor(viewer.role).map(
      ({ href, label }): PaletteItem => ({
        id: `page:${href}`,
        group: 'pages',
        label,
        href,
        ...shortcut(`go:${href}`),
      }),
    ),
  ];
}

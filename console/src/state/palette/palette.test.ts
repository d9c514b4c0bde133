import { describe, expect, it } from 'vitest';
import { type PaletteItem, paletteCommands } from './commands.ts';
import { sectionsFor } from './palette.ts';

const actions = { chooseTheme() {}, signOut() {}, async stopRuns() {}, showShortcuts() {} };
const commands = paletteCommands({ role: 'USER' }, '/', actions);
const conversation: PaletteItem = { id: 'conversation:1', group: 'conversations', label: 'Caching', href: '/c/1' };
const labels = (typed: string, chosen: Parameters<typeof sectionsFor>[3] = [], found: readonly PaletteItem[] = []) =>
  sectionsFor(typed, commands, found, chosen).map(({ group, items }) => [group, ...items.map(({ label }) => label)]);

describe('the palette', () => {
  it('begins with what was chosen lately, each thing once', () => {
    const [recent, actionsSection] = labels('', [
      { id: 'note:a.md', label: 'A note', href: '/knowledge/notes/a.md' },
      { id: 'action:signOut' },
      { id: 'action:gone' },
    ]);

    expect(recent).toEqual(['recent', 'A note', 'Sign out']);
    expect(actionsSection?.[0]).toBe('actions');
    expect(actionsSection).not.toContain('Sign out');
  });

  it('puts the best group first, what the server found after it', () => {
    expect(labels('settings', [], [conversation])[0]?.slice(0, 2)).toEqual(['pages', 'Settings']);
    expect(labels('dark', [], [conversation])).toEqual([
      ['actions', 'Theme: dark'],
      ['conversations', 'Caching'],
    ]);
  });

  it('finds by other words, and prefers what was chosen before', () => {
    expect(labels('log out')[0]).toContain('Sign out');
    expect(labels('theme')[0]?.[1]).toBe('Theme: dark');
    expect(labels('theme', [{ id: 'action:theme-system' }])[0]?.[1]).toBe('Theme: system');
  });

  it('offers only what the person may do, where they are', () => {
    const ids = (role: 'USER' | 'ADMIN', path: string) => paletteCommands({ role }, path, actions).map(({ id }) => id);

    expect(ids('USER', '/')).not.toContain('page:/admin/users');
    expect(ids('ADMIN', '/')).toContain('page:/admin/users');
    expect(ids('USER', '/')).not.toContain('action:openTree');
    expect(ids('USER', '/c/1')).toContain('action:openTree');
  });
});

import { createSignal } from 'solid-js';
import { words } from '../words.ts';
import { destinationsFor } from './navigation.ts';
import type { Viewer } from './session.ts';

export type ShortcutGroup = 'go' | 'do' | 'always';

export interface Shortcut {
  readonly id: string;
  readonly group: ShortcutGroup;
  readonly label: string;
  /** Pressed one after the other, as `KeyboardEvent.key` names them. */
  readonly keys: readonly string[];
  /** Where it leads; what has no address is done by the frame. */
  readonly href?: string;
}

/** The second key after g, for each page of the rail. */
const pageKeys: Readonly<Record<string, string>> = {
  '/': 'a',
  '/runs': 'r',
  '/knowledge': 'k',
  '/settings': 's',
  '/rules': 't',
  '/usage': 'e',
  '/inbox': 'i',
  '/admin/live': 'l',
  '/admin/users': 'u',
  '/admin/organisation': 'o',
  '/admin/mcp': 'm',
  '/admin/usage': 'e',
  '/admin/rules': 't',
};

/** All that keys do, in one list: the handler reads it, and so do the help sheet, menus and tooltips. */
export function shortcutsFor(role: Viewer['role']): readonly Shortcut[] {
  const pages = destinationsFor(role).flatMap(({ href, label }): readonly Shortcut[] => {
    const key = pageKeys[href];
    return key === undefined ? [] : [{ id: `go:${href}`, group: 'go', label, keys: ['g', key], href }];
  });
  return [...pages, ...deeds, ...always];
}

const said = words.shortcuts.does;

/** Single characters: they can be switched off, as some people speak or mistype them. */
const deeds: readonly Shortcut[] = [
  { id: 'new', group: 'do', label: said.new, keys: ['n'], href: '/' },
  { id: 'search', group: 'do', label: said.search, keys: ['/'] },
  { id: 'rail', group: 'do', label: said.rail, keys: ['['] },
  { id: 'help', group: 'do', label: said.help, keys: ['?'] },
];

/** Keys that belong to the place where they are pressed, or that need Ctrl: listed here, always on. */
const always: readonly Shortcut[] = [
  { id: 'palette', group: 'always', label: said.palette, keys: ['Ctrl K'] },
  { id: 'undo', group: 'always', label: said.undo, keys: ['Ctrl Z'] },
  { id: 'save', group: 'always', label: said.save, keys: ['Ctrl S'] },
  { id: 'stop', group: 'always', label: said.stop, keys: ['Esc'] },
  { id: 'send', group: 'always', label: said.send, keys: ['Enter'] },
  { id: 'line', group: 'always', label: said.line, keys: ['Shift Enter'] },
];

/** "g s", for menus and tooltips. */
export function keysOf(shortcut: Pick<Shortcut, 'keys'>): string {
  return shortcut.keys.join(' ');
}

/** How long a second key may take after the first. */
const sequenceMs = 1_500;

/** Reads keys one by one and tells which shortcut they complete. */
export function makeShortcutReader(list: () => readonly Shortcut[], now: () => number = () => performance.now()) {
  let begun: readonly string[] = [];
  let lastAt = 0;

  return (key: string): Shortcut | undefined => {
    const earlier = now() - lastAt > sequenceMs ? [] : begun;
    lastAt = now();
    const readable = list().filter(({ group }) => group !== 'always');
    // What does not go on from the keys before may still begin something itself.
    for (const pressed of earlier.length > 0 ? [[...earlier, key], [key]] : [[key]]) {
      const complete = readable.find(({ keys }) => keysOf({ keys }) === pressed.join(' '));
      if (complete) {
        begun = [];
        return complete;
      }
      if (readable.some(({ keys }) => keysOf({ keys }).startsWith(`${pressed.join(' ')} `))) {
        begun = pressed;
        return undefined;
      }
    }
    begun = [];
    return undefined;
  };
}

const storageKey = 'oracle-shortcuts';

/** Whether single characters do anything, as the person chose; kept in this browser. */
export function createShortcutSwitch() {
  const [on, setOn] = createSignal(readSwitch());
  return {
    on,
    set(next: boolean) {
      setOn(next);
      try {
        localStorage.setItem(storageKey, next ? 'on' : 'off');
      } catch {
        // Without storage the choice lasts as long as the page.
      }
    },
  };
}

function readSwitch(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off';
  } catch {
    return true;
  }
}

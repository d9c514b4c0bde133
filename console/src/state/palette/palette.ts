import { PaletteDocument, type PaletteQuery } from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { createMemo, createSignal, onCleanup } from 'solid-js';
import { query } from '../graphql-client.ts';
import type { Viewer } from '../session.ts';
import type { PaletteGroup, PaletteItem } from './commands.ts';
import { foundItems } from './found.ts';
import { rank } from './fuzzy.ts';
import { type Chosen, readChosen, rememberChosen } from './recent.ts';

const typingPauseMs = 120;
const foundPerGroup = 6;
const recentShown = 5;
const commandsShown = 8;
/** So much more does it count that something was chosen before. */
const recentBonus = 3;

export interface PaletteSection {
  readonly group: PaletteGroup;
  readonly items: readonly PaletteItem[];
}

export type Palette = ReturnType<typeof createPalette>;

/** What the palette knows while it is open: what was typed, what fits, and which of it is marked. */
export function createPalette(
  client: Client,
  viewer: Viewer,
  commands: () => readonly PaletteItem[],
  onChoose: (item: PaletteItem) => void,
) {
  const [typed, setTyped] = createSignal('');
  const [found, setFound] = createSignal<PaletteQuery>();
  const [searching, setSearching] = createSignal(false);
  const [failed, setFailed] = createSignal<string>();
  const [marked, setMarked] = createSignal(0);
  const chosenBefore = readChosen(viewer.id);
  let latest = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => {
    clearTimeout(pause);
    latest++;
  });

  async function search(text: string): Promise<void> {
    const mine = ++latest;
    setSearching(true);
    const isSearch = text !== '';
    const answer = await query(client, PaletteDocument, {
      search: text,
      first: foundPerGroup,
      searching: isSearch,
      people: isSearch && viewer.role === 'ADMIN',
    });
    if (mine !== latest) return;
    setSearching(false);
    setFailed(answer.type === 'failed' ? answer.message : undefined);
    if (answer.type === 'data') setFound(answer.data);
  }
  void search('');

  const sections = createMemo(() => sectionsFor(typed().trim(), commands(), remote(), chosenBefore));
  const items = createMemo(() => sections().flatMap((section) => section.items));

  function remote(): readonly PaletteItem[] {
    const now = found();
    return now ? foundItems(now, new Date()) : [];
  }

  function choose(item: PaletteItem | undefined): void {
    if (!item) return;
    const remembered = item.id.startsWith('page:') || item.id.startsWith('action:');
    rememberChosen(viewer.id, {
      id: item.id,
      ...(!remembered && item.href ? { label: item.label, href: item.href } : {}),
    });
    onChoose(item);
  }

  return {
    typed,
    sections,
    items,
    searching,
    failed,
    marked: () => Math.min(marked(), Math.max(0, items().length - 1)),
    mark: setMarked,
    type(text: string) {
      setTyped(text);
      setMarked(0);
      clearTimeout(pause);
      pause = setTimeout(() => void search(text.trim()), typingPauseMs);
    },
    /** Round and round, as in every list of this kind. */
    move(by: number) {
      const count = items().length;
      if (count > 0) setMarked((now) => (Math.min(now, count - 1) + by + count) % count);
    },
    choose,
    chooseMarked: () => choose(items()[Math.min(marked(), items().length - 1)]),
  };
}

/** Nothing typed: what was chosen lately, then everything that can be done. Otherwise what fits, best first. */
export function sectionsFor(
  typed: string,
  commands: readonly PaletteItem[],
  found: readonly PaletteItem[],
  chosen: readonly Chosen[],
): readonly PaletteSection[] {
  const of = (items: readonly PaletteItem[], group: PaletteGroup) => items.filter((item) => item.group === group);
  const remote = (['conversations', 'notes', 'runs', 'people'] as const).map((group) => ({
    group,
    items: of(found, group),
  }));
  if (typed === '') {
    const recent = chosen.flatMap((one) => known(one, commands)).slice(0, recentShown);
    const rest = (items: readonly PaletteItem[]) => items.filter(({ id }) => !recent.some((one) => one.id === id));
    return nonEmpty([
      { group: 'recent', items: recent },
      { group: 'actions', items: rest(of(commands, 'actions')) },
      { group: 'pages', items: rest(of(commands, 'pages')) },
      ...remote.map(({ group, items }) => ({ group, items: rest(items).slice(0, recentShown) })),
    ]);
  }
  const bonus = ({ id }: PaletteItem) => (chosen.some((one) => one.id === id) ? recentBonus : 0);
  const fitting = rank(typed, commands, ({ label, keywords = [] }) => [label, ...keywords], bonus).slice(
    0,
    commandsShown,
  );
  const ranked = fitting.map(({ item }) => item);
  // The group of the best one comes first.
  const groups = ranked[0]?.group === 'pages' ? (['pages', 'actions'] as const) : (['actions', 'pages'] as const);
  return nonEmpty([...groups.map((group) => ({ group, items: of(ranked, group) })), ...remote]);
}

function known(chosen: Chosen, commands: readonly PaletteItem[]): readonly PaletteItem[] {
  const command = commands.find(({ id }) => id === chosen.id);
  if (command) return [{ ...command, group: 'recent' }];
  if (!chosen.href || !chosen.label) return [];
  return [{ id: chosen.id, group: 'recent', label: chosen.label, href: chosen.href }];
}

function nonEmpty(sections: readonly PaletteSection[]): readonly PaletteSection[] {
  return sections.filter(({ items }) => items.length > 0);
}

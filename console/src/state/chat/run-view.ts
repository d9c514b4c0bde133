import type { RunView, ToolCard, ViewItem } from '@oracle-agent/sdk';

export type ToolItem = Extract<ViewItem, { type: 'tool' }>;
export type Ending = NonNullable<RunView['ending']>;
export type Source = Pick<RunView['sources'][number], 'kind' | 'path' | 'title' | 'line' | 'snippet'>;

/** What is drawn as one piece: an item of the view, or the tool calls of one turn together. */
export type Part =
  | Exclude<ViewItem, ToolItem>
  | {
      readonly type: 'tools';
      readonly key: number;
      readonly agent: string | null;
      readonly cards: readonly ToolCard[];
    };

/** Items in their order; tool calls that were asked for together stand together. */
export function partsOf(view: RunView): readonly Part[] {
  const parts: Part[] = [];
  let turn = 0;
  for (const item of itemsOf(view)) {
    if (item.type !== 'tool') {
      parts.push(item);
      continue;
    }
    const last = parts.at(-1);
    if (last?.type === 'tools' && last.agent === item.agent && turn === item.card.turn) {
      parts[parts.length - 1] = { ...last, cards: [...last.cards, item.card] };
    } else {
      parts.push({ type: 'tools', key: item.key, agent: item.agent, cards: [item.card] });
    }
    turn = item.card.turn;
  }
  return parts;
}

/** What sub-agents do stands where they began it. */
function itemsOf({ items, agents }: RunView): readonly ViewItem[] {
  const others = Object.entries(agents).flatMap(([agent, view]) => itemsOf(view).map((item) => ({ ...item, agent })));
  return others.length === 0 ? items : [...items, ...others].sort((a, b) => a.key - b.key);
}

const settled: ReadonlySet<ToolCard['status']> = new Set(['OK', 'FAILED', 'NOT_RUN']);

/** The turn under way: the one after the last tools, as soon as those have answered. */
export function turnOf({ items, ending }: RunView): number {
  if (ending) return ending.turns;
  const own = items.filter((item): item is ToolItem => item.type === 'tool' && item.agent === null);
  const latest = own.at(-1)?.card.turn ?? 0;
  const open = own.some(({ card }) => card.turn === latest && !settled.has(card.status));
  return Math.max(1, open ? latest : latest + 1);
}

/** Each source once, however often it was found; lines of one file are sources of their own. */
export function sourcesOf({ sources }: RunView): readonly Source[] {
  return [...new Map(sources.map((source) => [`${source.kind} ${source.path} ${source.line}`, source])).values()];
}

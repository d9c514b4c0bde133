import { type Node, pathTo } from './exchange-path.ts';

export interface TreeRow<One extends Node> {
  readonly node: One;
  /** How many branchings away from the main line. */
  readonly depth: number;
  readonly onHeadPath: boolean;
  /** Where rows of the tree view lie: their place among the children of one exchange. */
  readonly siblings: number;
  readonly position: number;
}

/**
 * A tree as a list. Each exchange is followed by its side branches, one step further in, and then by its main
 * continuation at the same depth: the way to HEAD, or else the newest. So a long conversation stays a straight line.
 */
export function rowsOf<One extends Node>(nodes: readonly One[], headId: string | null): readonly TreeRow<One>[] {
  const children = new Map<string | null, One[]>();
  const known = new Set(nodes.map(({ id }) => id));
  for (const node of nodes) {
    const parent = node.parentId !== null && known.has(node.parentId) ? node.parentId : null;
    children.set(parent, [...(children.get(parent) ?? []), node]);
  }
  const onPath = new Set(pathTo(nodes, headId).map(({ id }) => id));
  const rows: TreeRow<One>[] = [];
  // A list of its own instead of recursion: conversations may be thousands of exchanges long.
  const open: { readonly node: One; readonly depth: number; readonly siblings: number; readonly position: number }[] =
    [];
  const add = (siblings: readonly One[], depth: number) => {
    const main = siblings.find(({ id }) => onPath.has(id)) ?? siblings.at(-1);
    const entries = siblings.map((node, index) => ({
      node,
      depth: node === main ? depth : depth + 1,
      siblings: siblings.length,
      position: index + 1,
    }));
    // Taken from the end, so what comes first goes in last.
    open.push(...entries.filter(({ node }) => node === main), ...entries.filter(({ node }) => node !== main).reverse());
  };
  add(children.get(null) ?? [], 0);
  for (let next = open.pop(); next; next = open.pop()) {
    rows.push({ ...next, onHeadPath: onPath.has(next.node.id) });
    add(children.get(next.node.id) ?? [], next.depth);
  }
  return rows;
}

/** Where an arrow key leads from a row; undefined when it leads nowhere. */
export function moveIn<One extends Node>(rows: readonly TreeRow<One>[], from: number, key: string): number | undefined {
  const here = rows[from];
  if (!here) return rows.length > 0 ? 0 : undefined;
  switch (key) {
    case 'ArrowDown':
      return from + 1 < rows.length ? from + 1 : undefined;
    case 'ArrowUp':
      return from > 0 ? from - 1 : undefined;
    case 'Home':
      return 0;
    case 'End':
      return rows.length - 1;
    case 'ArrowLeft':
      return indexOr(rows.findIndex(({ node }) => node.id === here.node.parentId));
    case 'ArrowRight':
      return indexOr(rows.findIndex(({ node }) => node.parentId === here.node.id));
    default:
      return undefined;
  }
}

export function countBranches(nodes: readonly Node[]): number {
  const parents = new Set(nodes.map(({ parentId }) => parentId));
  return nodes.filter(({ id }) => !parents.has(id)).length;
}

function indexOr(index: number): number | undefined {
  return index === -1 ? undefined : index;
}

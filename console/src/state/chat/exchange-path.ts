/** As much of an exchange as its place in the tree needs. */
export interface Node {
  readonly id: string;
  readonly parentId: string | null;
}

/** From the root to the exchange, root first; empty when it is not there. */
export function pathTo<One extends Node>(nodes: readonly One[], id: string | null | undefined): readonly One[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const path: One[] = [];
  for (let node = byId.get(id ?? ''); node; node = node.parentId === null ? undefined : byId.get(node.parentId)) {
    path.push(node);
    if (path.length > nodes.length) break; // a circle cannot be, but must not hang the page either
  }
  return path.reverse();
}

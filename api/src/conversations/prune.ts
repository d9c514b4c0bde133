/** What of an exchange decides whether it may go. */
export interface TreeNode {
  readonly id: string;
  readonly parentId: string | null;
  readonly checkpoint: boolean;
  /** Its run is under way. */
  readonly running: boolean;
}

/**
 * The exchanges that pruning takes away, in the order given: all but the roots, HEAD, checkpoints, what is being
 * written, and everything on the way from a root to one of them.
 */
export function prunable<Node extends TreeNode>(nodes: readonly Node[], headId: string | null): readonly Node[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const kept = new Set<string>();
  for (const node of nodes) {
    const stays = node.parentId === null || node.checkpoint || node.running || node.id === headId;
    // Whoever is kept already has their ancestors kept: each exchange is climbed through once.
    for (let next = stays ? node : undefined; next && !kept.has(next.id); next = byId.get(next.parentId ?? '')) {
      kept.add(next.id);
    }
  }
  return nodes.filter(({ id }) => !kept.has(id));
}

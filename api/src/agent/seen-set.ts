/**
 * A set of fingerprints that never changes: a trie over their hexadecimal digits, in which a lone fingerprint stands
 * as a string and a crowded place as a deeper node. Adding copies only the nodes on one path (at most 16 entries
 * each), so old and new share the rest. A Set copied each turn would make a run's cost quadratic, and one shared
 * Set would let a later turn change an earlier state. Plain data, so it survives JSON.
 */
export interface SeenSet {
  readonly [digit: string]: SeenSet | string;
}

export const nothingSeen: SeenSet = Object.freeze({});

export function hasSeen(set: SeenSet, fingerprint: string): boolean {
  let node = set;
  for (const digit of fingerprint) {
    const held = node[digit];
    if (held === undefined || typeof held === 'string') return held === fingerprint;
    node = held;
  }
  return false;
}

export function addSeen(set: SeenSet, fingerprint: string, depth = 0): SeenSet {
  const digit = fingerprint.charAt(depth);
  const held = set[digit];
  if (held === fingerprint) return set;
  if (held === undefined) return { ...set, [digit]: fingerprint };
  const below = typeof held === 'string' ? { [held.charAt(depth + 1)]: held } : held;
  const grown = addSeen(below, fingerprint, depth + 1);
  return grown === held ? set : { ...set, [digit]: grown };
}

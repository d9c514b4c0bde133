/**
 * A set of fingerprints that never changes: a trie over their hexadecimal digits, in which a lone fingerprint stands
 * as a string and a crowded place as a deeper node. Adding copies only the nodes on one path (at most 16 entries
 * each), so old and new share the rest. A Set copied each turn would make a run's cost quadratic, and one shared
 * Set would let a later turn change an earlier state. Plain data, so it survives JSON.
 */
export type SeenSet = readonly (SeenSet | string | null)[];

const digits = 16;

/** Not frozen: copies of frozen lists take ten times as long. */
export const nothingSeen: SeenSet = new Array<null>(digits).fill(null);

export function hasSeen(set: SeenSet, fingerprint: string): boolean {
  let node = set;
  for (let depth = 0; depth < fingerprint.length; depth += 1) {
    const held = node[digitAt(fingerprint, depth)] ?? null;
    if (held === null || typeof held === 'string') return held === fingerprint;
    node = held;
  }
  return false;
}

export function addSeen(set: SeenSet, fingerprint: string, depth = 0): SeenSet {
  const digit = digitAt(fingerprint, depth);
  const held = set[digit] ?? null;
  if (held === fingerprint) return set;
  if (held === null) return withEntry(set, digit, fingerprint);
  const below = typeof held === 'string' ? withEntry(nothingSeen, digitAt(held, depth + 1), held) : held;
  const grown = addSeen(below, fingerprint, depth + 1);
  return grown === held ? set : withEntry(set, digit, grown);
}

function withEntry(set: SeenSet, digit: number, entry: SeenSet | string): SeenSet {
  const copy = set.slice();
  copy[digit] = entry;
  return copy;
}

/** Of the digits 0 to 9 and a to f. */
function digitAt(fingerprint: string, place: number): number {
  const code = fingerprint.charCodeAt(place);
  return code < 58 ? code - 48 : code - 87;
}

const longestCompared = 200;

/** The candidates most like a name that does not exist, best first; those that are not much alike are left out. */
export function nearest(name: string, candidates: readonly string[], count: number): readonly string[] {
  const wanted = simplify(name);
  if (wanted === '') return [];
  return candidates
    .map((candidate) => ({ candidate, likeness: likeness(wanted, simplify(candidate)) }))
    .filter((entry) => entry.likeness >= 0.5)
    .sort((one, other) => other.likeness - one.likeness || compare(one.candidate, other.candidate))
    .slice(0, count)
    .map((entry) => entry.candidate);
}

/** 1 for the same, 0 for nothing in common. A name that holds the other counts as much alike, however long it is. */
function likeness(one: string, other: string): number {
  const longer = Math.max(one.length, other.length);
  if (longer === 0) return 0;
  const byEdits = 1 - editDistance(one, other) / longer;
  const shorter = one.length < other.length ? one : other;
  const holds = shorter.length >= 3 && (one.includes(other) || other.includes(one));
  return holds ? Math.max(byEdits, 0.75) : byEdits;
}

function simplify(name: string): string {
  return name
    .slice(0, longestCompared)
    .toLowerCase()
    .replace(/\.md$/, '')
    .replace(/[\s_-]+/g, '-');
}

/** Not the locale's order, so that every machine gives the same answer. */
function compare(one: string, other: string): number {
  return one < other ? -1 : 1;
}

/** How many letters must be added, dropped or changed to get from one to the other. */
function editDistance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const changed = (above[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1);
      current.push(Math.min(changed, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[other.length] ?? 0;
}

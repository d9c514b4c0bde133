/** The numbers, from 1, of what is shown around one of them: some before it, more after it. */
export function around(wanted: number, all: number, before = 8): { readonly from: number; readonly to: number } {
  const from = Math.max(1, Math.min(wanted, all) - before);
  return { from, to: Math.min(all, from + before * 4) };
}

const mostAtOnce = 100;

/** Which entries of a thread to ask for so that a certain one is among them; from the nearer end. */
export function entriesRequest(wanted: number, all: number): { readonly first: number } | { readonly last: number } {
  const { from, to } = around(wanted, all, 4);
  const last = all - from + 1;
  return to < last
    ? { first: Math.min(mostAtOnce, Math.max(1, to)) }
    : { last: Math.min(mostAtOnce, Math.max(1, last)) };
}

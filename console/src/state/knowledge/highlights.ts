export interface Piece {
  readonly text: string;
  readonly marked: boolean;
}

/** A passage cut where what was searched for begins and ends. Places that make no sense are left out. */
export function piecesOf(
  text: string,
  highlights: readonly { readonly start: number; readonly end: number }[],
): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end } of highlights.toSorted((a, b) => a.start - b.start)) {
    const from = Math.max(start, at);
    const to = Math.min(end, text.length);
    if (from >= to) continue;
    if (from > at) pieces.push({ text: text.slice(at, from), marked: false });
    pieces.push({ text: text.slice(from, to), marked: true });
    at = to;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), marked: false });
  return pieces;
}

/** Characters in a piece, unless one line alone is longer. */
const usualPiece = 4_000;

/** A run of whole lines. */
export interface Piece {
  /** Counted from 1. */
  readonly line: number;
  readonly endLine: number;
  readonly text: string;
}

/** Pieces that put together are the text, so that a search reads what it shows and not whole files. */
export function splitText(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  let startLine = 1;
  let line = 1;
  let position = 0;
  while (position < text.length) {
    const newline = text.indexOf('\n', position);
    const next = newline === -1 ? text.length : newline + 1;
    if (position > start && next - start > usualPiece) {
      pieces.push({ line: startLine, endLine: line - 1, text: text.slice(start, position) });
      start = position;
      startLine = line;
    }
    position = next;
    line += 1;
  }
  if (position > start) pieces.push({ line: startLine, endLine: line - 1, text: text.slice(start) });
  return pieces;
}

export function countLines(text: string): number {
  if (text === '') return 0;
  let lines = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

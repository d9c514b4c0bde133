import type { CodeText, ParsedCode } from './code.ts';
import { hashOf } from './code-text.ts';
import { searchVector, wordsOf } from './code-words.ts';
import { languageOf } from './languages.ts';
import { countLines, type Piece, splitText } from './split-text.ts';

/** A piece of a file with its words as PostgreSQL reads them. */
export interface PreparedPiece extends Piece {
  readonly words: string;
}

/** A file with all that is stored of it. */
export interface PreparedFile {
  readonly path: string;
  readonly language: string | null;
  readonly bytes: number;
  readonly lines: number;
  readonly hash: string;
  readonly pieces: readonly PreparedPiece[];
  readonly parsed: ParsedCode;
}

/** Takes a while for a long file, so servers have it done in another thread; see `parser-thread.ts`. */
export function prepareFile(projectId: string, { path, text }: CodeText, parsed: ParsedCode): PreparedFile {
  const pathWords = wordsOf(path);
  const pieces = splitText(text).map((piece) => ({
    ...piece,
    words: searchVector(projectId, {
      defined: definedIn(piece, parsed),
      path: pathWords,
      text: wordsOf(piece.text),
    }),
  }));
  return {
    path,
    language: languageOf(path)?.name ?? null,
    bytes: Buffer.byteLength(text),
    lines: countLines(text),
    hash: hashOf(text),
    pieces,
    parsed,
  };
}

function definedIn({ line, endLine }: Piece, { symbols }: ParsedCode): readonly string[] {
  return symbols.flatMap((symbol) => (symbol.line >= line && symbol.line <= endLine ? wordsOf(symbol.name) : []));
}

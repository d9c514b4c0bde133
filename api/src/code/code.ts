import type { FieldProblem } from '../agent/settings.ts';

export const symbolKinds = [
  'FUNCTION',
  'METHOD',
  'CLASS',
  'STRUCT',
  'INTERFACE',
  'TYPE',
  'ENUM',
  'CONSTANT',
  'MODULE',
] as const;
export type SymbolKind = (typeof symbolKinds)[number];

/** Something that a file defines, with a name to refer to it by. Lines count from 1. */
export interface CodeSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  /** Its head without the body, on one line. */
  readonly signature: string;
  /** The class, type, module or function that it stands in. */
  readonly container: string | null;
  readonly line: number;
  readonly endLine: number;
}

/** The lines on which a file uses a name. */
export interface NameUse {
  readonly name: string;
  readonly lines: readonly number[];
}

export interface ParsedCode {
  readonly symbols: readonly CodeSymbol[];
  readonly uses: readonly NameUse[];
}

export interface CodeHit {
  readonly path: string;
  readonly line: number;
  /** The text from that line on, at most 500 characters. */
  readonly snippet: string;
  /** 0 to 1; comparable within one search only. */
  readonly score: number;
}

export interface Definition extends CodeSymbol {
  readonly path: string;
  /** The text of the definition, cut when it is long. */
  readonly code: string;
}

export interface Reference {
  readonly path: string;
  readonly line: number;
  /** That line. */
  readonly text: string;
  /** The innermost definition that it stands in. */
  readonly within: string | null;
}

/** What was found under a name; when nothing was, the names most like it. */
export interface Found<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly nearest: readonly string[];
}

export interface RepositoryMap {
  readonly text: string;
  readonly shownFiles: number;
  readonly files: number;
}

export interface SearchRequest {
  readonly query: string;
  readonly limit: number;
  /** Only files whose path contains this; with a * in it, only those whose whole path is of that form. */
  readonly path?: string | undefined;
}

export interface CodeText {
  readonly path: string;
  readonly text: string;
}

export type SaveOutcome =
  | { readonly type: 'saved'; readonly created: number; readonly changed: number; readonly unchanged: number }
  | { readonly type: 'invalid'; readonly problems: readonly FieldProblem[] };

/** The code of projects, as tools use it. The project is the caller's to check: nothing here knows people. */
export interface CodeIndex {
  isEmpty(projectId: string): Promise<boolean>;
  search(projectId: string, request: SearchRequest): Promise<readonly CodeHit[]>;
  definitions(projectId: string, name: string, limit: number): Promise<Found<Definition>>;
  references(projectId: string, name: string, limit: number): Promise<Found<Reference>>;
  map(projectId: string, tokens: number): Promise<RepositoryMap>;
}

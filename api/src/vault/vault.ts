import type { FieldProblem } from '../agent/settings.ts';
import type { Highlight } from '../search/snippet.ts';

/** A note as it stands. */
export interface NoteRecord {
  readonly id: string;
  readonly projectId: string;
  readonly path: string;
  readonly title: string;
  readonly body: string;
  /** SHA-256 of the body, by which a reader sees whether it has changed. */
  readonly hash: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A note that answers a search, best passage first in mind. */
export interface NoteHit {
  readonly id: string;
  readonly projectId: string;
  readonly path: string;
  readonly title: string;
  readonly hash: string;
  /** Where the best passage starts, counted from 1. */
  readonly line: number;
  /** The best passage, as plain text of at most 500 characters. */
  readonly snippet: string;
  /** Where in the snippet the words are that were searched for. */
  readonly highlights: readonly Highlight[];
  /** 0 to 1; comparable within one search only. */
  readonly score: number;
}

export interface ListedNote {
  readonly path: string;
  readonly title: string;
  readonly updatedAt: Date;
}

/** One folder: what lies in it directly, and how many notes each folder below holds in all. */
export interface FolderListing {
  readonly folder: string;
  readonly folders: readonly { readonly path: string; readonly notes: number }[];
  readonly notes: readonly ListedNote[];
  /** Notes in this folder and below, the ones not listed included. */
  readonly total: number;
  /** True when there are more folders or notes here than are listed. */
  readonly more: boolean;
}

export type ReadOutcome =
  | { readonly type: 'found'; readonly note: NoteRecord }
  | { readonly type: 'missing'; readonly nearest: readonly string[] };

export type WriteOutcome =
  | { readonly type: 'created' | 'replaced' | 'unchanged'; readonly note: NoteRecord }
  | { readonly type: 'invalid'; readonly problems: readonly FieldProblem[] }
  /** Not the text that was expected stands there; without `current`, none does. */
  | { readonly type: 'conflict'; readonly current: NoteRecord | undefined };

export type MoveOutcome =
  | {
      readonly type: 'moved';
      readonly note: NoteRecord;
      readonly from: string;
      /** Other notes, and itself, whose links were rewritten. */
      readonly notesRewritten: number;
      readonly linksRewritten: number;
    }
  | { readonly type: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly type: 'taken'; readonly current: NoteRecord }
  | { readonly type: 'missing'; readonly nearest: readonly string[] };

/** The notes of projects, as tools use them. The project is the caller's to check: nothing here knows people. */
export interface Vault {
  search(projectId: string, request: { readonly query: string; readonly limit: number }): Promise<readonly NoteHit[]>;
  read(projectId: string, path: string): Promise<ReadOutcome>;
  list(projectId: string, folder: string): Promise<FolderListing>;
  write(projectId: string, note: { readonly path: string; readonly body: string }): Promise<WriteOutcome>;
  /** Rewrites the links that pointed to the note, in all notes of the project. */
  move(projectId: string, path: string, newPath: string): Promise<MoveOutcome>;
}

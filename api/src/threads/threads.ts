import type { FieldProblem } from '../agent/settings.ts';
import type { Highlight } from '../search/snippet.ts';

export const entryKinds = ['THOUGHT', 'DECISION', 'RESEARCH', 'INSIGHT'] as const;
export type EntryKind = (typeof entryKinds)[number];

/** A line of thought, kept over time. */
export interface ThreadRecord {
  readonly id: string;
  readonly projectId: string;
  readonly title: string;
  readonly entryCount: number;
  readonly archivedAt?: Date | null | undefined;
  readonly createdAt: Date;
  /** When the last entry was made. */
  readonly updatedAt: Date;
}

export interface EntryRecord {
  readonly id: string;
  readonly threadId: string;
  /** Its place in the thread, counted from 1. */
  readonly number: number;
  readonly kind: EntryKind;
  readonly text: string;
  readonly author?: string | null | undefined;
  /** The run that made it, when an agent did. */
  readonly runId?: string | null | undefined;
  readonly createdAt: Date;
}

/** An entry to be made, in the thread of that id, or else of that title, which is made when there is none. */
export interface NewEntry {
  readonly threadId?: string | null | undefined;
  readonly title?: string | null | undefined;
  readonly kind: EntryKind;
  readonly text: string;
  readonly author?: string | null | undefined;
  readonly runId?: string | null | undefined;
  /** Now, unless it was made earlier somewhere else. */
  readonly at?: Date | null | undefined;
}

export type AppendOutcome =
  | { readonly type: 'appended'; readonly thread: ThreadRecord; readonly entry: EntryRecord }
  | { readonly type: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly type: 'missing' };

/** Of many entries, how many were added or there already, and which could not be. */
export interface AppendedEntries {
  readonly threadsCreated: number;
  readonly appended: number;
  readonly unchanged: number;
  /** By their place in what was given, counted from 0. */
  readonly failures: readonly { readonly index: number; readonly message: string }[];
}

/** An entry that answers a search. */
export interface EntryHit {
  readonly entry: EntryRecord;
  readonly thread: ThreadRecord;
  /** The best passage, as plain text of at most 500 characters. */
  readonly snippet: string;
  /** Where in the snippet the words are that were searched for. */
  readonly highlights: readonly Highlight[];
  /** 0 to 1; comparable within one search only. */
  readonly score: number;
}

export interface SeekRequest {
  readonly query: string;
  readonly limit: number;
  /** Of these kinds only; of all when there are none. */
  readonly kinds?: readonly EntryKind[];
  readonly threadId?: string | undefined;
}

export type ReadThreadOutcome =
  | { readonly type: 'found'; readonly thread: ThreadRecord; readonly entries: readonly EntryRecord[] }
  | { readonly type: 'missing'; readonly nearest: readonly string[] };

export interface ThreadList {
  readonly threads: readonly ThreadRecord[];
  /** How many there are, the ones not listed included. */
  readonly total: number;
}

/** The threads of projects, as tools use them. The project is the caller's to check: nothing here knows people. */
export interface Threads {
  /** Those that are not archived, the latest activity first. */
  list(projectId: string, limit: number): Promise<ThreadList>;
  /** By id or title; entries from a number on, or the newest ones, in their order. */
  read(
    projectId: string,
    thread: string,
    range: { readonly from?: number | undefined; readonly limit: number },
  ): Promise<ReadThreadOutcome>;
  seek(projectId: string, request: SeekRequest): Promise<readonly EntryHit[]>;
  /** An archived thread comes back with a new entry. */
  append(projectId: string, entry: NewEntry): Promise<AppendOutcome>;
}

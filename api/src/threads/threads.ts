import type { FieldProblem } from '../agent/settings.ts';

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

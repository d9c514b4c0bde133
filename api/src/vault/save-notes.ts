import { DriverException } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { FieldProblem } from '../agent/settings.ts';
import { encodeText } from '../store/exact-text.ts';
import { canonicalPath, hashOf, noteProblems, titleOf } from './note-text.ts';
import { linkTargets } from './wikilinks.ts';

/** A note to be saved. */
export interface NewNote {
  readonly path: string;
  readonly body: string;
  /** Save it only over the text with this hash; empty: only if there is none yet. */
  readonly expectedHash?: string | null | undefined;
}

export type SavedAs = 'created' | 'replaced' | 'unchanged' | 'conflict';

/** Of many notes, how many were what, and which could not be saved. */
export interface SavedNotes {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly failures: readonly { readonly path: string; readonly message: string }[];
}

/** Saves valid notes and their links in one statement, and tells for each path what came of it. */
export async function saveNotes(
  em: EntityManager,
  projectId: string,
  notes: readonly NewNote[],
): Promise<ReadonlyMap<string, SavedAs>> {
  if (notes.length === 0) return new Map();
  const rows = await em.execute<{ path: string; outcome: SavedAs }[]>('select * from save_notes(?, ?::json)', [
    projectId,
    JSON.stringify(notes.map(rowOf)),
  ]);
  return new Map(rows.map(({ path, outcome }) => [path, outcome]));
}

/**
 * Saves what can be saved of many notes and reports the rest. Notes that stand there already, word for word, are told
 * by their hash and not sent again. The caller decides how many it hands over at once: all are held in memory.
 */
export async function saveManyNotes(
  em: EntityManager,
  projectId: string,
  given: readonly NewNote[],
): Promise<SavedNotes> {
  const failures: { path: string; message: string }[] = [];
  const valid = new Map<string, NewNote>();
  for (const note of given) {
    const path = canonicalPath(note.path);
    const message = sentences(noteProblems(note.path, note.body)) || (valid.has(path) ? takenTwice : '');
    if (message === '') valid.set(path, { path, body: note.body });
    else failures.push({ path: note.path, message });
  }
  const known = await hashesOf(em, projectId, [...valid.keys()]);
  const fresh = [...valid.values()].filter(({ path, body }) => known.get(path) !== hashOf(body.toWellFormed()));
  const saved = await saveApart(em, projectId, fresh);
  failures.push(...saved.failures);
  const count = (wanted: SavedAs) => saved.outcomes.filter((outcome) => outcome === wanted).length;
  return {
    created: count('created'),
    changed: count('replaced'),
    unchanged: valid.size - fresh.length + count('unchanged'),
    failures,
  };
}

const takenTwice = 'Another note of the same path was given.';

/** Together; one by one when something among them cannot be stored, so that only that one is lost. */
async function saveApart(em: EntityManager, projectId: string, notes: readonly NewNote[]) {
  const failures: { path: string; message: string }[] = [];
  try {
    return { outcomes: [...(await saveNotes(em, projectId, notes)).values()], failures };
  } catch (error) {
    if (!isUnstorable(error)) throw error;
  }
  const outcomes: SavedAs[] = [];
  for (const note of notes) {
    try {
      outcomes.push(...(await saveNotes(em, projectId, [note])).values());
    } catch (error) {
      if (!isUnstorable(error)) throw error;
      failures.push({ path: note.path, message: 'The database cannot store this text.' });
    }
  }
  return { outcomes, failures };
}

/** The text itself is to blame (SQLSTATE classes 22 and 54), not the state of the database. */
function isUnstorable(error: unknown): boolean {
  return error instanceof DriverException && /^(22|54)/.test(String(error.code));
}

async function hashesOf(
  em: EntityManager,
  projectId: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await em.execute<{ path: string; hash: string }[]>(hashesSql, [projectId, JSON.stringify(paths)]);
  return new Map(rows.map(({ path, hash }) => [path, hash]));
}

const hashesSql = `
  select path, hash from notes
  where project_id = ? and path in (select json_array_elements_text(?::json))`;

function rowOf({ path: given, body: text, expectedHash }: NewNote) {
  const path = canonicalPath(given);
  const body = text.toWellFormed();
  return {
    path,
    title: titleOf(path, body),
    body,
    hash: hashOf(body),
    expected: expectedHash == null ? null : encodeText(expectedHash),
    links: linkTargets(body),
  };
}

function sentences(problems: readonly FieldProblem[]): string {
  return problems.map(({ message }) => message).join(' ');
}

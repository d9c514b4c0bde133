import type { EntityManager } from '@mikro-orm/postgresql';
import { type RankedRow, rankedSql, roundedScore } from '../search/ranked-sql.ts';
import { snippetOf } from '../search/snippet.ts';
import { asked } from '../search/words.ts';
import { Note } from '../store/entities/note.ts';
import type { NoteHit } from './vault.ts';

/** Finds notes of some projects by a question in plain words, best first. With quotes or a minus, it means what it says. */
export async function searchNotes(
  em: EntityManager,
  projectIds: readonly string[],
  { query, limit }: { readonly query: string; readonly limit: number },
): Promise<readonly NoteHit[]> {
  const { text, words } = asked(query);
  const rows = await em.execute<RankedRow[]>(searchSql, [JSON.stringify(words), text, projectIds.join(','), limit]);
  const found = await em.find(Note, { id: { $in: rows.map(({ id }) => id) } });
  const notes = new Map(found.map((note) => [note.id, note]));
  return rows.flatMap(({ id, line, passage, marked, score }) => {
    const note = notes.get(id);
    if (!note) return [];
    const { text: snippet, highlights } = snippetOf(passage, marked);
    const { projectId, path, title, hash } = note;
    const place = { id, projectId, path, title, hash, line: Number(line) };
    return [{ ...place, snippet, highlights, score: roundedScore(score) }];
  });
}

const searchSql = rankedSql({ table: 'notes', text: 'body', names: 'names' });

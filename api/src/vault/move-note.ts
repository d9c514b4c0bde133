import type { EntityManager } from '@mikro-orm/postgresql';
import type { FieldProblem } from '../agent/settings.ts';
import { Note } from '../store/entities/note.ts';
import { waysToLink, withoutEnding } from './note-links.ts';
import { canonicalPath, noteProblems, titleOf } from './note-text.ts';
import { saveNotes } from './save-notes.ts';
import type { MoveOutcome, NoteRecord } from './vault.ts';
import { rewriteLinks } from './wikilinks.ts';

/** Notes whose texts are held at the same time. */
const rewrittenAtOnce = 50;

/**
 * Moves a note, and rewrites the links that pointed to it so that they still do. Nobody else writes in the project
 * meanwhile, so that no link is missed and no text lost.
 */
export async function moveNote(em: EntityManager, { id, projectId }: NoteRecord, to: string): Promise<MoveOutcome> {
  const problems = pathProblems(to);
  if (problems.length > 0) return { type: 'invalid', problems };
  const newPath = canonicalPath(to);
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?::text, 5))', [projectId]);
  const note = await em.findOne(Note, { id }, { populate: ['body'] });
  if (!note) return { type: 'missing', nearest: [] };
  if (newPath === note.path) return { type: 'moved', note, from: note.path, ...nothing };
  const current = await em.findOne(Note, { projectId, path: newPath }, { populate: ['body'] });
  if (current) return { type: 'taken', current };
  const pointing = await leadingTo(em, note, waysToLink(note.path));
  const linking = await em.execute<{ note_id: string }[]>(linkingSql, [projectId, JSON.stringify(pointing)]);
  if (linking.length > 0 && /[[\]|#]/.test(newPath)) return { type: 'invalid', problems: [unlinkable(newPath)] };

  await em.execute('update notes set path = ?, title = ? where id = ?', [newPath, titleOf(newPath, note.body), id]);
  const ways = new Set(await leadingTo(em, note, waysToLink(newPath)));
  const replacements = new Map(pointing.map((target) => [target, replacement(target, note.path, newPath, ways)]));
  const rewritten = await rewrite(
    em,
    projectId,
    linking.map((row) => row.note_id),
    replacements,
  );
  em.clear();
  return {
    type: 'moved',
    note: await em.findOneOrFail(Note, { id }, { populate: ['body'] }),
    from: note.path,
    ...rewritten,
  };
}

const nothing = { notesRewritten: 0, linksRewritten: 0 };

async function rewrite(
  em: EntityManager,
  projectId: string,
  linking: readonly string[],
  replacements: ReadonlyMap<string, string>,
) {
  let { notesRewritten, linksRewritten } = nothing;
  for (let at = 0; at < linking.length; at += rewrittenAtOnce) {
    em.clear(); // the texts before
    const ids = linking.slice(at, at + rewrittenAtOnce);
    const found = await em.find(Note, { id: { $in: ids } }, { populate: ['body'] });
    const changed = found.flatMap(({ path, body }) => {
      const { text, rewritten } = rewriteLinks(body, (target) => replacements.get(target));
      linksRewritten += rewritten;
      return rewritten === 0 ? [] : [{ path, body: text }];
    });
    notesRewritten += changed.length;
    await saveNotes(em, projectId, changed);
  }
  return { notesRewritten, linksRewritten };
}

/** In the manner in which it was written, as far as that leads to the note: with or without .md, the path or the name. */
function replacement(target: string, oldPath: string, newPath: string, ways: ReadonlySet<string>): string {
  const shape = target.endsWith('.md') ? (path: string) => path : withoutEnding;
  const byPath = target === oldPath || `${target}.md` === oldPath;
  const name = newPath.slice(newPath.lastIndexOf('/') + 1);
  const wishes = byPath ? [shape(newPath)] : [shape(name), shape(newPath)];
  return wishes.find((way) => ways.has(way)) ?? newPath;
}

async function leadingTo(
  em: EntityManager,
  { id, projectId }: Note,
  ways: readonly string[],
): Promise<readonly string[]> {
  const rows = await em.execute<{ way: string }[]>(leadingSql, [JSON.stringify(ways), projectId, id]);
  return rows.map(({ way }) => way);
}

const leadingSql = 'select way from json_array_elements_text(?::json) as way where note_linked_as(?, way) = ?';
const linkingSql = `
  select distinct note_id from note_links
  where project_id = ? and target in (select json_array_elements_text(?::json))`;

function pathProblems(path: string): readonly FieldProblem[] {
  return noteProblems(path, '').map((problem) => ({ ...problem, field: 'newPath' }));
}

function unlinkable(path: string): FieldProblem {
  const message = 'Path must not contain [, ], | or #: there are links to this note, and they could not be written.';
  return { field: 'newPath', message, value: path, min: undefined, max: undefined };
}

import type { EntityManager } from '@mikro-orm/postgresql';
import { Note } from '../store/entities/note.ts';
import { canonicalPath } from './note-text.ts';
import type { FolderListing } from './vault.ts';

/** Folders, and notes, that are listed at most. */
const longestList = 100;

/** A folder exists as long as there is a note in it. */
export async function listFolder(em: EntityManager, projectId: string, given: string): Promise<FolderListing> {
  const folder = canonicalPath(given)
    .toWellFormed()
    .replaceAll('\0', '')
    .replace(/^(\.?\/)+/, '')
    .replace(/\/+$/, '')
    .replace(/^\.$/, '');
  const prefix = folder === '' ? '' : `${folder}/`;
  const [folders, direct, total] = await Promise.all([
    em.fork().execute<{ name: string; notes: string }[]>(foldersSql, [prefix, projectId, prefix, longestList + 1]),
    em.fork().execute<{ id: string }[]>(notesSql, [projectId, prefix, prefix, longestList + 1]),
    em.fork().execute<{ total: string }[]>(totalSql, [projectId, prefix]),
  ]);
  const notes = await em.find(
    Note,
    { id: { $in: direct.slice(0, longestList).map(({ id }) => id) } },
    { orderBy: { path: 'asc' } },
  );
  return {
    folder,
    folders: folders
      .slice(0, longestList)
      .map(({ name, notes: held }) => ({ path: prefix + name, notes: Number(held) })),
    notes,
    total: Number(total[0]?.total ?? 0),
    more: folders.length > longestList || direct.length > longestList,
  };
}

const foldersSql = `
  with below as (
    select substr(path, length(?) + 1) as rest from notes where project_id = ? and starts_with(path, ?)
  ), named as (
    select split_part(rest, '/', 1) collate "C" as name from below where strpos(rest, '/') > 0
  )
  select name, count(*) as notes from named group by name order by name limit ?`;

const notesSql = `
  select id from notes where project_id = ? and starts_with(path, ?) and strpos(substr(path, length(?) + 1), '/') = 0
  order by path collate "C" limit ?`;

const totalSql = 'select count(*) as total from notes where project_id = ? and starts_with(path, ?)';

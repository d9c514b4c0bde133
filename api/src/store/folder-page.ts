import type { EntityManager } from '@mikro-orm/postgresql';
import { type Page, type PageRequest, pageByText } from './page.ts';

/** What lies directly in a folder: a file, or a folder that exists because files lie in it. */
export interface FolderEntry {
  readonly name: string;
  readonly path: string;
  readonly isFolder: boolean;
  /** Files in it and below; 1 for a file. */
  readonly files: number;
  /** Of a note. */
  readonly title: string | null;
  readonly updatedAt: Date;
}

type Table = 'notes' | 'code_files';

interface Row {
  readonly key: string;
  readonly name: string;
  readonly folder: boolean;
  readonly files: string;
  readonly title: string | null;
  readonly updated_at: Date | string;
}

/** A folder in pages: its folders by name, then its files by name. */
export async function folderPage(
  em: EntityManager,
  table: Table,
  projectId: string,
  { folder, ...request }: PageRequest & { readonly folder: string },
): Promise<Page<FolderEntry>> {
  const { size, after, page } = pageByText<FolderEntry>(request);
  const tidy = folder
    .toWellFormed()
    .replaceAll('\0', '')
    .replace(/^\/+|\/+$/g, '');
  const prefix = tidy === '' ? '' : `${tidy}/`;
  const [rows, [total]] = await Promise.all([
    em.fork().execute<Row[]>(entriesSql(table), [prefix, projectId, prefix, after, after, size + 1]),
    em.fork().execute<{ total: string }[]>(totalSql(table), [prefix, projectId, prefix]),
  ]);
  const entries = rows.map(
    ({ name, folder: isFolder, files, title, updated_at }): FolderEntry => ({
      name,
      path: prefix + name,
      isFolder,
      files: Number(files),
      title: isFolder ? null : title,
      updatedAt: new Date(updated_at),
    }),
  );
  return page(entries, Number(total?.total ?? 0), ({ isFolder, name }) => keyOf(isFolder, name));
}

/** Folders before files, and a folder and a file of one name apart. */
function keyOf(isFolder: boolean, name: string): string {
  return `${isFolder ? 0 : 1}${name}`;
}

const below = (table: Table) => `
  below as (
    select substr(path, length(?) + 1) as rest, ${table === 'notes' ? 'title' : 'null::text as title'}, updated_at
    from ${table} where project_id = ? and starts_with(path, ?)
  ), named as (
    select split_part(rest, '/', 1) as name, strpos(rest, '/') > 0 as folder, title, updated_at from below
  )`;

const entriesSql = (table: Table) => `
  with ${below(table)}, entries as (
    select (case when folder then '0' else '1' end || name) collate "C" as key, name, folder, count(*) as files,
      min(title) as title, max(updated_at) as updated_at
    from named group by name, folder
  )
  select * from entries where ?::text is null or key > ?::text collate "C" order by key limit ?`;

const totalSql = (table: Table) =>
  `with ${below(table)} select count(*) as total from (select 1 from named group by name, folder) as entries`;

import type { EntityManager } from '@mikro-orm/postgresql';
import { nearest } from '../vault/nearest.ts';
import type { Definition, Found, Reference } from './code.ts';
import { escaped } from './search-code.ts';

const longestCode = 3_000;
const longestLine = 300;
const comparedNames = 2_000;
const suggestions = 3;

/** Those of the very name, else those of the name in another case. Those in the container that was named come first. */
export async function findDefinitions(
  em: EntityManager,
  projectId: string,
  given: string,
  limit: number,
): Promise<Found<Definition>> {
  const { name, container } = splitName(given);
  const rows = await em.execute<DefinitionRow[]>(definitionsSql, [projectId, name, name, container, limit]);
  const items = rows.map(({ path, name, kind, signature, container, line, end_line: endLine, pieces }) => {
    const first = pieces?.[0]?.line ?? line;
    const lines = (pieces ?? [])
      .map(({ text }) => text)
      .join('')
      .split('\n');
    const code = cut(lines.slice(line - first, endLine - first + 1).join('\n'), longestCode);
    return { path, name, kind, signature, container, line, endLine, code };
  });
  const total = Number(rows[0]?.total ?? 0);
  return { items, total, nearest: total === 0 ? await nearestNames(em, projectId, name) : [] };
}

/** By path and line. A line that uses a name twice counts once. */
export async function findReferences(
  em: EntityManager,
  projectId: string,
  given: string,
  limit: number,
): Promise<Found<Reference>> {
  const { name } = splitName(given);
  const rows = await em.execute<ReferenceRow[]>(referencesSql, [projectId, name, limit]);
  const items = rows.map(({ path, line, text, within }) => ({
    path,
    line,
    text: cut(text.trim(), longestLine),
    within,
  }));
  const total = Number(rows[0]?.total ?? 0);
  return { items, total, nearest: total === 0 ? await nearestNames(em, projectId, name) : [] };
}

/** A name as people write it: `Type.method`, `Type::method`, `method()` or alone. */
function splitName(given: string): { readonly name: string; readonly container: string } {
  const plain = given.toWellFormed().replaceAll('\0', '').trim().replace(/\(.*$/s, '');
  const parts = plain.split(/::|[.#]/).filter((part) => part.trim() !== '');
  return { name: (parts.at(-1) ?? '').trim(), container: (parts.at(-2) ?? '').trim() };
}

/** Compared with the names that begin like it or contain it. */
async function nearestNames(em: EntityManager, projectId: string, name: string): Promise<readonly string[]> {
  const lower = name.toLowerCase();
  if (lower === '') return [];
  const beginning = `${escaped(lower.slice(0, 2))}%`;
  const rows = await em.execute<{ name: string }[]>(namesSql, [
    projectId,
    beginning,
    `%${escaped(lower)}%`,
    comparedNames,
  ]);
  return nearest(
    name,
    rows.map((row) => row.name).filter((known) => known !== name),
    suggestions,
  );
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`.toWellFormed();
}

interface DefinitionRow extends Omit<Definition, 'endLine' | 'code'> {
  readonly end_line: number;
  readonly pieces: readonly { readonly line: number; readonly text: string }[] | null;
  readonly total: string;
}

interface ReferenceRow extends Reference {
  readonly total: string;
}

/** The first pieces are enough: more of a definition is not shown. */
const definitionsSql = `
  with named as (
    select * from code_symbols where project_id = ? and lower(name) = lower(?)
  ), exact as (
    select *, name = ? as same from named
  ), chosen as (
    select *, count(*) over () as total from exact where same or not exists (select 1 from exact where same)
  )
  select
    path, name, kind, signature, container, symbol.line, symbol.end_line, total,
    (
      select json_agg(json_build_object('line', line, 'text', text) order by line)
      from (
        select piece.line, left(piece.text, 20000) as text from code_pieces as piece
        where piece.file_id = symbol.file_id and piece.end_line >= symbol.line and piece.line <= symbol.end_line
        order by piece.line limit 2
      ) as first
    ) as pieces
  from chosen as symbol join code_files as file on file.id = symbol.file_id
  order by lower(coalesce(container, '')) = lower(?) desc, path collate "C", symbol.line, number
  limit ?`;

const referencesSql = `
  with used as (
    select file_id, lines, sum(cardinality(lines)) over () as total from code_uses where project_id = ? and name = ?
  ), chosen as (
    select file_id, path, line, total
    from used join code_files as file on file.id = file_id cross join unnest(used.lines) as line
    order by path collate "C", line
    limit ?
  )
  select
    path, chosen.line, total,
    (
      select left(split_part(text, chr(10), chosen.line - piece.line + 1), 1000) from code_pieces as piece
      where piece.file_id = chosen.file_id and chosen.line between piece.line and piece.end_line
    ) as text,
    (
      select concat_ws('.', container, name) from code_symbols as symbol
      where symbol.file_id = chosen.file_id and chosen.line between symbol.line and symbol.end_line
      order by symbol.line desc, number desc limit 1
    ) as within
  from chosen
  order by path collate "C", chosen.line`;

const namesSql = `
  select distinct name from code_symbols
  where project_id = ? and (lower(name) like ? or lower(name) like ?)
  limit ?`;

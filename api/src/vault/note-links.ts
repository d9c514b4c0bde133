import type { EntityManager } from '@mikro-orm/postgresql';
import { Note } from '../store/entities/note.ts';
import { type Page, type PageRequest, pageByText } from '../store/page.ts';

/** What a note points to. */
export interface NoteLink {
  /** The path or name, as written in the note. */
  readonly target: string;
  /** Where it is linked first. */
  readonly line: number;
  readonly times: number;
  /** None when it leads nowhere. */
  readonly note: Note | undefined;
}

/** Distinct targets that are told of one note. */
const mostLinks = 500;

/** The links of many notes, in one query, by the id of the note. */
export async function linksOf(
  em: EntityManager,
  noteIds: readonly string[],
): Promise<ReadonlyMap<string, readonly NoteLink[]>> {
  const rows = await em.execute<LinkRow[]>(linksSql, [JSON.stringify(noteIds)]);
  const notes = await notesById(em, [...new Set(rows.flatMap(({ leads_to }) => leads_to ?? []))]);
  const links = new Map<string, NoteLink[]>(noteIds.map((id) => [id, []]));
  for (const { note_id, target, line, times, leads_to } of rows)
    links.get(note_id)?.push({ target, line, times, note: leads_to === null ? undefined : notes.get(leads_to) });
  return links;
}

/** A page of the notes that link to each of many, in one query, by the id of the note. */
export async function backlinksOf(
  em: EntityManager,
  noteIds: readonly string[],
  request: PageRequest,
): Promise<ReadonlyMap<string, Page<Note>>> {
  const { size, after, page } = pageByText<Note>(request);
  const rows = await em.execute<BacklinkRow[]>(backlinksSql, [JSON.stringify(noteIds), after, size + 1]);
  const notes = await notesById(em, [...new Set(rows.flatMap(({ linking }) => linking))]);
  return new Map(
    rows.map(({ id, total, linking }) => {
      const found = linking.flatMap((from) => notes.get(from) ?? []);
      return [id, page(found, Number(total), (note) => note.path)];
    }),
  );
}

/** The ways in which a note can be linked, of which some may lead to another. */
export function waysToLink(path: string): readonly string[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return [...new Set([path, withoutEnding(path), name, withoutEnding(name)])].filter((way) => way !== '');
}

export function withoutEnding(path: string): string {
  return path.replace(/\.md$/, '');
}

async function notesById(em: EntityManager, ids: readonly string[]): Promise<ReadonlyMap<string, Note>> {
  const found = ids.length === 0 ? [] : await em.find(Note, { id: { $in: [...ids] } });
  return new Map(found.map((note) => [note.id, note]));
}

interface LinkRow {
  readonly note_id: string;
  readonly target: string;
  readonly line: number;
  readonly times: number;
  readonly leads_to: string | null;
}

interface BacklinkRow {
  readonly id: string;
  readonly total: string;
  readonly linking: readonly string[];
}

const linksSql = `
  select links.*, note_linked_as(links.project_id, links.target) as leads_to
  from json_array_elements_text(?::json) as wanted
    cross join lateral (
      select * from note_links where note_id = wanted::uuid order by line, target collate "C" limit ${mostLinks}
    ) as links`;

const backlinksSql = `
  with wanted as (
    select id, project_id, path, name from notes
    where id in (select value::uuid from json_array_elements_text(?::json) as value)
  ), ways as (
    select distinct id, project_id, way
    from wanted cross join lateral unnest(array[
      path, regexp_replace(path, '\\.md$', ''), name, regexp_replace(name, '\\.md$', '')]) as way
  ), pointing as materialized (
    select id, project_id, way from ways where note_linked_as(project_id, way) = id
  ), linking as (
    select distinct pointing.id, note_id
    from pointing join note_links on note_links.project_id = pointing.project_id and target = way
    where note_id <> pointing.id
  ), pages as (
    select ? as after, ?::integer as size
  )
  select wanted.id,
    (select count(*) from linking where linking.id = wanted.id) as total,
    array(
      select notes.id::text from linking join notes on notes.id = note_id, pages
      where linking.id = wanted.id and (after is null or notes.path collate "C" > after)
      order by notes.path collate "C" limit (select size from pages)
    ) as linking
  from wanted`;

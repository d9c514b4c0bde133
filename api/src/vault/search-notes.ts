import type { EntityManager } from '@mikro-orm/postgresql';
import type { NoteHit } from './vault.ts';

const mostWords = 24;
const longestSnippet = 500;
/** A passage starts with its whole line, unless that would push the match out of sight. */
const longestLead = 200;
/** The part of a body that is searched, see the migration. */
const searchedCharacters = 100_000;

/**
 * Finds notes by a question in plain words. Questions seldom share all their words with the note that answers them, so
 * a note counts by how many of the words it has, then by how well. With quotes or a minus, the query means what it says.
 */
export async function searchNotes(
  em: EntityManager,
  projectId: string,
  { query, limit }: { readonly query: string; readonly limit: number },
): Promise<readonly NoteHit[]> {
  const text = query.toWellFormed().replaceAll('\0', ' ').slice(0, 1_000);
  const exact = /"|(^|\s)-\S/.test(text);
  const words = JSON.stringify(exact ? [] : wordsOf(text));
  const rows = await em.execute<Row[]>(searchSql, [words, text, projectId, limit]);
  return rows.map(({ path, title, line, passage, score }) => ({
    path,
    title,
    line: Number(line),
    snippet: plainSnippet(passage),
    score: Math.round(Number(score) * 1_000) / 1_000,
  }));
}

interface Row {
  readonly path: string;
  readonly title: string;
  readonly line: number;
  readonly passage: string;
  readonly score: number;
}

/** The last word may be unfinished: its beginning counts as well. */
interface Word {
  readonly word: string;
  readonly begins: boolean;
}

function wordsOf(text: string): readonly Word[] {
  const words = (text.match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? []).slice(0, mostWords);
  const open = /[\p{L}\p{N}]$/u.test(text);
  const last = words.at(-1) ?? '';
  const begins = open && /^[\p{L}\p{N}]{2,}$/u.test(last);
  return [...new Set(words)].map((word) => ({ word, begins: begins && word === last }));
}

function plainSnippet(passage: string): string {
  const text = passage.replaceAll(/\s+/g, ' ').trim();
  return text.length <= longestSnippet
    ? text
    : `${text.slice(0, longestSnippet - 1).replace(/ \S*$/, '')}…`.toWellFormed();
}

/**
 * A word that is too common to be searched for (a stop word) makes an empty term and is passed over. PostgreSQL drops
 * tags from a headline; without their brackets they stay, and the headline can be found again in the text.
 */
const searchSql = `
  with words as (
    select entry ->> 'word' as word, (entry ->> 'begins')::boolean as begins
    from jsonb_array_elements(?::jsonb) as entry
  ), terms as (
    select case
      when begins then plainto_tsquery('english', word) || to_tsquery('english', word || ':*') || to_tsquery('simple', word || ':*')
      else plainto_tsquery('english', word)
    end as term
    from words
    where numnode(plainto_tsquery('english', word)) > 0
  ), asked as (
    select
      coalesce(array_agg(term), '{}') as terms,
      coalesce(string_agg('(' || term::text || ')', ' | ')::tsquery, websearch_to_tsquery('english', ?)) as wanted
    from terms
  ), found as (
    select
      id, path, title, wanted,
      ts_rank_cd('{0.2, 0.2, 0.5, 1}', search, wanted, 1 | 32) as rank,
      (select count(*) from unnest(terms) as term where search @@ term) / greatest(cardinality(terms), 1)::float as coverage
    from notes, asked
    where project_id = ? and search @@ wanted
  ), best as (
    select *, max(coverage) over () as best_coverage
    from found
  ), top as (
    select *, case when best_coverage = 0 then 1 else coverage end * 0.7 + rank * 0.3 as score
    from best
    where coverage >= best_coverage / 2
    order by score desc, path collate "C"
    limit ?
  ), bodies as (
    select
      top.path, top.title, top.score, top.wanted, left(notes.body, ${searchedCharacters}) as body,
      translate(left(notes.body, ${searchedCharacters}), '</', '  ') as untagged
    from top join notes using (id)
  ), headlines as (
    select *, ts_headline('english', untagged, wanted, 'StartSel="", StopSel="", MaxWords=60, MinWords=30, ShortWord=0') as headline
    from bodies
  ), places as (
    select *, left(untagged, greatest(strpos(untagged, headline) - 1, 0)) as before
    from headlines
  ), lines as (
    select *, length(regexp_replace(before, '[^\\n]*$', '')) as line_start
    from places
  )
  select
    path, title, score,
    length(before) - length(replace(before, chr(10), '')) + 1 as line,
    case
      when length(before) - line_start > ${longestLead} then headline
      else substr(body, line_start + 1, ${longestSnippet + 100})
    end as passage
  from lines
  order by score desc, path collate "C"`;

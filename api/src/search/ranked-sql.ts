import { endMark, startMark } from './snippet.ts';

/** A word in more rows than this is common: of the rows that have nothing but common words, only so many are ranked. */
const commonFrom = 150;
/** Common words that are combined with each other: all of them and, when few rows have them all, all but one. */
const mostCommon = 5;
const mostExact = 1_000;
/** The part of a text that is searched, see the migration. */
const searchedCharacters = 100_000;
/** A passage starts with its whole line, unless that would push the match out of sight. */
const longestLead = 200;
const longestPassage = 600;

/** What the query answers with. */
export interface RankedRow {
  readonly id: string;
  readonly line: number;
  readonly passage: string;
  /** The passage with marks around the words that were searched for. */
  readonly marked: string;
  readonly score: number;
}

export function roundedScore(score: number): number {
  return Math.round(Number(score) * 1_000) / 1_000;
}

interface Searched {
  readonly table: string;
  /** The column that passages are taken from. */
  readonly text: string;
  /** A search vector of its own for names, when the table has one. */
  readonly names?: string;
  /** A further condition on a row; it may use the columns of `scope`. */
  readonly filter?: string;
  /** Further columns of `scope`, each with its parameter. */
  readonly scope?: string;
}

/**
 * Ranks rows by a question in plain words. Questions seldom share all their words with the text that answers them, so a
 * row counts by how many of the words it has, then by how well.
 *
 * What is ranked is bounded, however many rows there are: every row that has a rare word, and of those that have only
 * common ones a number for each way to combine these, the most demanding included. A stop word makes an empty term and
 * is passed over. Steps that are read in several places are materialized, or their work would be done in each. Its
 * parameters: the words as JSON, the query, the project (or several, with commas between), those of `scope`, and the limit.
 */
export function rankedSql({ table, text, names, filter = 'true', scope = '' }: Searched): string {
  const among = (vector: string, query: string, limit: number) =>
    `(select id from ${table} where ${vector} @@ (scope.project && ${query}) and ${filter} limit ${limit})`;
  return `
  with words as (
    select searchable(entry ->> 'word') as word, (entry ->> 'begins')::boolean as begins
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
      coalesce(string_agg('(' || term::text || ')', ' | ')::tsquery, websearch_to_tsquery('english', searchable(?))) as wanted
    from terms
  ), scope as (
    select (select string_agg(format('%L', id), ' | ')::tsquery from regexp_split_to_table(?, ',') as id) as project ${scope}
  ), weighed as materialized (
    select term, array${among('search', 'term', commonFrom + 1)} as holding
    from terms, scope
  ), common as (
    select '(' || term::text || ')' as term, row_number() over (order by term::text) as place
    from (select distinct term from weighed where cardinality(holding) > ${commonFrom}) as distinguished
    limit ${mostCommon}
  ), together as materialized (
    select array${among('search', 'query', commonFrom + 1)} as holding
    from (select string_agg(term, ' & ')::tsquery as query from common having count(*) > 1) as every, scope
  ), without_one as (
    select string_agg(others.term, ' & ')::tsquery as query
    from common join common as others on others.place <> common.place
    where (select cardinality(holding) from together) <= ${commonFrom}
    group by common.place having count(*) > 1
  ), candidates as (
    select unnest(holding) as id from weighed
    union
    select unnest(holding) from together
    union
    select found.id from without_one, scope cross join lateral ${among('search', 'query', commonFrom + 1)} as found
    union
    select found.id from asked, scope cross join lateral ${among('search', 'wanted', mostExact)} as found
    where cardinality(terms) = 0
    ${
      names
        ? `union
    select found.id from asked, scope cross join lateral ${among(names, 'wanted', commonFrom)} as found
    where cardinality(terms) > 0`
        : ''
    }
  ), found as materialized (
    select
      id, wanted,
      ts_rank_cd('{0.2, 0.2, 0.5, 1}', search, wanted, 1 | 32) as rank,
      (select count(*) from unnest(terms) as term where search @@ term) / greatest(cardinality(terms), 1)::float as coverage
    from candidates cross join lateral (select search from ${table} where id = candidates.id limit 1) as row cross join asked
  ), best as (
    select *, max(coverage) over () as best_coverage
    from found
  ), top as (
    select *, case when best_coverage = 0 then 1 else coverage end * 0.7 + rank * 0.3 as score
    from best
    where coverage >= best_coverage / 2
    order by score desc, id
    limit ?
  ), texts as materialized (
    select id, score, wanted, normalize(left(${text}, ${searchedCharacters}), NFC) as body
    from top join ${table} using (id)
  ), bodies as materialized (
    select *, translate(case
      when length(searchable(body)) = length(body) then searchable(body) else body
    end, '</${startMark}${endMark}', '    ') as plain
    from texts
  ), headlines as materialized (
    select *, ts_headline('english', plain, wanted, 'StartSel="", StopSel="", MaxWords=60, MinWords=30, ShortWord=0') as headline
    from bodies
  ), places as materialized (
    select *, left(plain, greatest(strpos(plain, headline) - 1, 0)) as before
    from headlines
  ), lines as materialized (
    select *, case
      when length(before) - length(regexp_replace(before, '[^\\n]*$', '')) > ${longestLead} then length(before)
      else length(regexp_replace(before, '[^\\n]*$', ''))
    end as passage_start
    from places
  )
  select
    id, score,
    length(before) - length(replace(before, chr(10), '')) + 1 as line,
    substr(body, passage_start + 1, ${longestPassage}) as passage,
    ts_headline('english', substr(plain, passage_start + 1, ${longestPassage}), wanted,
      'HighlightAll=true, StartSel="${startMark}", StopSel="${endMark}"') as marked
  from lines
  order by score desc, id`;
}

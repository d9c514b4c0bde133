import type { EntityManager } from '@mikro-orm/postgresql';
import type { CodeHit, SearchRequest } from './code.ts';
import { projectWord, wordsOf } from './code-words.ts';
import { type Asked, likeness, readQuery, type Term } from './search-terms.ts';

const longestSnippet = 500;
const snippetLines = 4;
const mostOfOneFile = 3;
/** Of a piece: more than this only data and minified code have on few lines. */
const readCharacters = 20_000;
/** A word found more often than this is too common to look for alone; nothing is counted or ranked beyond it. */
const common = 2_000;
/** Pieces whose text is read again for the exact words of the question. */
const reread = 200;

interface Weighed extends Term {
  readonly weight: number;
}

interface PieceRow {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly defined: readonly (readonly [line: number, name: string])[] | null;
}

/**
 * Finds lines of code by words, parts of identifiers or an exact piece of text. Rare words weigh more than common ones,
 * and lines that define what is asked for more than those that mention it.
 */
export async function searchCode(
  em: EntityManager,
  projectId: string,
  { query, limit, path }: SearchRequest,
): Promise<readonly CodeHit[]> {
  const asked = readQuery(query);
  if (asked.terms.length === 0 && asked.phrase === undefined) return [];
  const where: Place = { projectId, path: pathPattern(path), pieces: limit * mostOfOneFile };
  const found = await ranked(em, where, asked);
  const hits = found.length > 0 ? found : await literal(em, where, asked, query);
  return spread(hits, limit);
}

interface Place {
  readonly projectId: string;
  readonly path: string;
  readonly pieces: number;
}

async function ranked(em: EntityManager, where: Place, asked: Asked): Promise<readonly CodeHit[]> {
  if (asked.terms.length === 0) return [];
  const project = `'${projectWord(where.projectId)}'`;
  const counts = await em.execute<{ found: string }[]>(countSql, [
    project,
    JSON.stringify(asked.terms.map(({ tsquery }) => tsquery)),
  ]);
  const terms = asked.terms.map((term, index) => ({ ...term, found: Number(counts[index]?.found ?? 0) }));
  const present = terms.filter(({ found }) => found > 0);
  if (present.length === 0 || (asked.exact && present.length < terms.length)) return [];
  const rare = present.filter(({ found }) => found < common);
  const weighed = terms.map(({ found, ...term }) => ({ ...term, weight: Math.log(1 + common / Math.max(found, 1)) }));
  const wanted =
    rare.length > 0 && !asked.exact
      ? rare.map(({ tsquery }) => tsquery).join(' | ')
      : present.map(({ tsquery }) => tsquery).join(' & ');
  const pattern = asked.phrase === undefined ? null : `%${escaped(asked.phrase)}%`;
  const required = asked.exact ? pattern : null;
  const rows = await em.execute<PieceRow[]>(rankSql, [
    JSON.stringify(weighed.map(({ tsquery, weight }) => ({ tsquery, weight }))),
    `${project} & (${wanted})`,
    where.projectId,
    where.path,
    ...[required, required],
    pattern,
    where.pieces,
  ]);
  return rows.flatMap((row) => bestLine(row, weighed, asked));
}

/** For what is no beginning of any word: looked for letter by letter. */
async function literal(em: EntityManager, where: Place, asked: Asked, query: string): Promise<readonly CodeHit[]> {
  const phrase = asked.phrase ?? query.replaceAll('\0', '').trim();
  if (phrase.length < 3) return [];
  const pattern = `%${escaped(phrase)}%`;
  const rows = await em.execute<PieceRow[]>(literalSql, [where.projectId, where.path, pattern, where.pieces]);
  return rows.flatMap((row) => bestLine(row, [], { ...asked, phrase, exact: true }));
}

/** The line of a piece that answers best; none when an exact text is asked for that is on no line. */
function bestLine(row: PieceRow, terms: readonly Weighed[], { phrase, exact }: Asked): readonly CodeHit[] {
  const total = terms.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const weightOf = (words: readonly string[]) =>
    terms.reduce((sum, term) => sum + likeness(words, term) * term.weight, 0) / total;
  const lines = row.text.slice(0, readCharacters).split('\n');
  const names = new Map(row.defined ?? []);
  const inPiece = weightOf([...wordsOf(row.text.slice(0, readCharacters)), ...wordsOf(row.path)]);
  const forPhrase = terms.length === 0 ? 0.7 : 0.2;
  let best = { index: -1, score: -1 };
  for (const [index, line] of lines.entries()) {
    const hasPhrase = phrase !== undefined && line.toLowerCase().includes(phrase.toLowerCase());
    if (exact && !hasPhrase) continue;
    const name = names.get(row.line + index);
    const defines = name === undefined ? 0 : weightOf(wordsOf(name));
    const score = 0.5 * weightOf(wordsOf(line)) + (hasPhrase ? forPhrase : 0) + 0.1 * defines;
    if (score > best.score) best = { index, score };
  }
  if (best.index === -1) return [];
  const score = Math.min(1, best.score + 0.2 * inPiece);
  const snippet = snippetOf(lines.slice(best.index, best.index + snippetLines), phrase);
  return [{ path: row.path, line: row.line + best.index, snippet, score: Math.round(score * 1_000) / 1_000 }];
}

function snippetOf([first = '', ...rest]: readonly string[], phrase: string | undefined): string {
  const at = phrase === undefined ? -1 : first.toLowerCase().indexOf(phrase.toLowerCase());
  const start = at > longestSnippet / 2 ? `…${first.slice(at - 100)}` : first;
  const text = [start, ...rest].join('\n').trimEnd();
  return text.length <= longestSnippet ? text : `${text.slice(0, longestSnippet - 1)}…`.toWellFormed();
}

function spread(hits: readonly CodeHit[], limit: number): readonly CodeHit[] {
  const ofFile = new Map<string, number>();
  return hits
    .toSorted((one, other) => other.score - one.score || (one.path < other.path ? -1 : 1) || one.line - other.line)
    .filter(({ path }) => {
      const count = (ofFile.get(path) ?? 0) + 1;
      ofFile.set(path, count);
      return count <= mostOfOneFile;
    })
    .slice(0, limit);
}

/** A part of the path, or with * the form of the whole. */
export function pathPattern(path: string | undefined): string {
  const wanted = (path ?? '')
    .toWellFormed()
    .replaceAll('\0', '')
    .replace(/^\.?\//, '')
    .trim();
  if (wanted === '') return '%';
  const pattern = escaped(wanted).replaceAll(/\*+/g, '%');
  return wanted.includes('*') ? pattern : `%${pattern}%`;
}

export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\0', '')
    .replace(/[\\%_]/g, '\\$&');
}

const countSql = `
  select (
    select count(*) from (select 1 from code_pieces where words @@ (?::tsquery && term::tsquery) limit ${common}) as found
  ) as found
  from json_array_elements_text(?::json) with ordinality as asked (term, number)
  order by number`;

const definedSql = `(
  select json_agg(json_build_array(symbol.line, symbol.name) order by symbol.number)
  from code_symbols as symbol
  where symbol.file_id = piece.file_id and symbol.line between piece.line and piece.end_line
) as defined`;

/** Reading texts is what takes long, so only those of the best pieces are looked at for the phrase. */
const rankSql = `
  with terms as (
    select tsquery::tsquery as term, weight from json_to_recordset(?::json) as given (tsquery text, weight float)
  ), found as (
    select file_id, path, piece.line, words
    from code_pieces as piece join code_files as file on file.id = piece.file_id
    where words @@ ?::tsquery and project_id = ? and path ilike ? and (?::text is null or text ilike ?)
    limit ${common * 2}
  ), best as (
    select
      file_id, path, line,
      (select sum(weight * (1 + ts_rank('{0.1, 0.2, 0.4, 1}', words, term))) from terms where words @@ term) as score
    from found
    order by score desc, path collate "C", line
    limit ${reread}
  ), top as (
    select file_id, path, line, score + case when text ilike ? then 10 else 0 end as score
    from best join code_pieces as piece using (file_id, line)
    order by 4 desc, path collate "C", line
    limit ?
  )
  select top.path, piece.line, left(piece.text, ${readCharacters}) as text, ${definedSql}
  from top join code_pieces as piece using (file_id, line)
  order by top.score desc, top.path collate "C", piece.line`;

const literalSql = `
  select path, piece.line, left(text, ${readCharacters}) as text, ${definedSql}
  from code_files as file join code_pieces as piece on piece.file_id = file.id
  where project_id = ? and path ilike ? and text ilike ?
  limit ?`;

import type { EntityManager } from '@mikro-orm/postgresql';
import { estimateTokenCount } from 'tokenx';
import type { RepositoryMap } from './code.ts';

/** Rows that are weighed for the map: the best symbols of a project. More would not fit into any budget. */
const mostSymbols = 2_000;
const mostOfOneFile = 12;
const longestSignature = 90;

interface SymbolRow {
  readonly path: string;
  readonly name: string;
  readonly signature: string;
  readonly container: string | null;
  readonly line: number;
  readonly score: number;
}

/**
 * The files of a project with their most used symbols, as text. A symbol counts by how many other files use its name,
 * shared among those that bear it; a file by its symbols. Methods count less, since \`map\` and \`get\` are called everywhere
 * and seldom mean ours. The same index gives the same map.
 */
export async function mapRepository(em: EntityManager, projectId: string, tokens: number): Promise<RepositoryMap> {
  const [{ files: count } = { files: '0' }] = await em.execute<{ files: string }[]>(countSql, [projectId]);
  const files = Number(count);
  const symbols = await em.execute<SymbolRow[]>(symbolsSql, [projectId, projectId, projectId, mostSymbols]);
  const plain = await em.execute<{ path: string }[]>(pathsSql, [projectId, 500]);
  const ranked = rankFiles(symbols);
  const mapped = new Set(ranked.map(({ path }) => path));
  const others = plain.filter(({ path }) => !mapped.has(path)).map(({ path }) => ({ path, symbols: [] }));
  return cutToBudget([...ranked, ...others], files, tokens);
}

interface MappedFile {
  readonly path: string;
  readonly symbols: readonly SymbolRow[];
}

function rankFiles(symbols: readonly SymbolRow[]): readonly MappedFile[] {
  const byPath = Map.groupBy(symbols, ({ path }) => path);
  return [...byPath]
    .map(([path, found]) => ({ path, symbols: found.slice(0, mostOfOneFile), score: sum(found) }))
    .sort((one, other) => other.score - one.score || (one.path < other.path ? -1 : 1));
}

function sum(symbols: readonly SymbolRow[]): number {
  return symbols.reduce((total, { score }) => total + Number(score), 0);
}

/**
 * Whole files in the order of their rank, and of each as many symbols as its share of the budget allows: a map of many
 * files with a few symbols tells more than one of a few files with all of theirs.
 */
function cutToBudget(files: readonly MappedFile[], total: number, tokens: number): RepositoryMap {
  for (const most of [mostOfOneFile, 6, 3, 1]) {
    const blocks: string[] = [];
    let used = 0;
    for (const file of files) {
      const block = blockOf(file, most);
      const cost = estimateTokenCount(block) + 1;
      if (used + cost > tokens) break;
      used += cost;
      blocks.push(block);
    }
    const enough = blocks.length === files.length || blocks.length >= 12;
    if (enough || most === 1) return { text: blocks.join('\n'), shownFiles: blocks.length, files: total };
  }
  return { text: '', shownFiles: 0, files: total };
}

function blockOf({ path, symbols }: MappedFile, most: number): string {
  const lines = symbols
    .slice(0, most)
    .toSorted((one, other) => one.line - other.line)
    .map(({ line, signature }) => `  ${line}: ${short(signature)}`);
  return [path, ...lines].join('\n');
}

function short(signature: string): string {
  return signature.length <= longestSignature
    ? signature
    : `${signature.slice(0, longestSignature - 1)}…`.toWellFormed();
}

const countSql = 'select count(*) as files from code_files where project_id = ?';

const symbolsSql = `
  with defined as (
    select name, count(*) as definitions from code_symbols where project_id = ? group by name
  ), used as (
    select name, count(*) as files from code_uses join defined using (name) where project_id = ? group by name
  ), scored as (
    select
      symbol.file_id, symbol.name, signature, container, symbol.line, symbol.number,
      ln(1 + greatest(
        coalesce(used.files, 0) - (exists (
          select 1 from code_uses as own where own.file_id = symbol.file_id and own.name = symbol.name
        ))::int, 0
      )) / definitions * case kind when 'METHOD' then 0.3 else 1 end as score
    from code_symbols as symbol join defined using (name) left join used using (name)
    where symbol.project_id = ?
  )
  select path, name, signature, container, line, score
  from scored join code_files as file on file.id = file_id
  order by score desc, path collate "C", number
  limit ?`;

const pathsSql = 'select path from code_files where project_id = ? order by path collate "C" limit ?';

import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ParsedCode } from './code.ts';
import type { PreparedFile, PreparedPiece } from './prepare-file.ts';

/** Sent in one statement, so that no text of many megabytes has to be built at once. */
const charactersAtOnce = 500_000;

export interface SavedCounts {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
}

/**
 * Writes files with all that was found in them, all or none. What stands there already, word for word, is left alone.
 * The caller sends few enough to be held in memory, each path once.
 */
export async function saveCode(
  em: EntityManager,
  projectId: string,
  files: readonly PreparedFile[],
): Promise<SavedCounts> {
  return em.transactional(async (transaction) => {
    const rows = files.map(({ pieces, parsed, ...row }) => ({ ...row, id: randomUUID() }));
    const written = await transaction.execute<WrittenRow[]>(filesSql, [projectId, JSON.stringify(rows)]);
    const ids = new Map(written.map(({ id, path }) => [path, id]));
    const replaced = JSON.stringify(written.filter(({ created }) => !created).map(({ id }) => id));
    for (const table of ['code_pieces', 'code_symbols', 'code_uses'])
      await transaction.execute(`delete from ${table} where file_id in (${listedIds})`, [replaced]);
    for (const some of inTurns(files.filter(({ path }) => ids.has(path)))) {
      const each = (rowsOf: (file: PreparedFile) => readonly object[]) =>
        JSON.stringify(some.flatMap((file) => rowsOf(file).map((row) => ({ ...row, file_id: ids.get(file.path) }))));
      await transaction.execute(piecesSql, [each(({ pieces }) => pieces.map(pieceRow))]);
      await transaction.execute(symbolsSql, [projectId, each(({ parsed }) => numbered(parsed.symbols))]);
      await transaction.execute(usesSql, [projectId, each(({ parsed }) => parsed.uses)]);
    }
    const created = written.filter((row) => row.created).length;
    return { created, changed: written.length - created, unchanged: files.length - written.length };
  });
}

interface WrittenRow {
  readonly id: string;
  readonly path: string;
  readonly created: boolean;
}

function* inTurns(files: readonly PreparedFile[]): Generator<readonly PreparedFile[]> {
  let some: PreparedFile[] = [];
  let characters = 0;
  for (const file of files) {
    some.push(file);
    characters += file.bytes;
    if (characters < charactersAtOnce) continue;
    yield some;
    [some, characters] = [[], 0];
  }
  if (some.length > 0) yield some;
}

function pieceRow({ line, endLine, text, words }: PreparedPiece): object {
  return { line, end_line: endLine, text, words };
}

function numbered(symbols: ParsedCode['symbols']): readonly object[] {
  return symbols.map(({ endLine, ...symbol }, number) => ({ ...symbol, end_line: endLine, number }));
}

const listedIds = 'select value::uuid from json_array_elements_text(?::json)';

/** In the order of paths, so that two that save the same files wait for each other rather than both at once. */
const filesSql = `
  insert into code_files (id, project_id, path, language, bytes, lines, hash)
  select id, ?::uuid, path, language, bytes, lines, hash
  from json_to_recordset(?::json) as file (id uuid, path text, language text, bytes integer, lines integer, hash text)
  order by path
  on conflict (project_id, path) do update
    set language = excluded.language, bytes = excluded.bytes, lines = excluded.lines, hash = excluded.hash, updated_at = now()
    where code_files.hash <> excluded.hash
  returning id, path, xmax = 0 as created`;

const piecesSql = `
  insert into code_pieces (file_id, line, end_line, text, words)
  select file_id, line, end_line, text, words::tsvector
  from json_to_recordset(?::json) as piece (file_id uuid, line integer, end_line integer, text text, words text)`;

const symbolsSql = `
  insert into code_symbols (project_id, file_id, number, name, kind, signature, container, line, end_line)
  select ?::uuid, file_id, number, name, kind, signature, container, line, end_line
  from json_to_recordset(?::json) as symbol (
    file_id uuid, number integer, name text, kind text, signature text, container text, line integer, end_line integer
  )`;

const usesSql = `
  insert into code_uses (project_id, file_id, name, lines)
  select ?::uuid, file_id, name, lines
  from json_to_recordset(?::json) as use (file_id uuid, name text, lines integer[])`;

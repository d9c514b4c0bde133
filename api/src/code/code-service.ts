import { raw } from '@mikro-orm/core';
import DataLoader from 'dataloader';
import type { Database } from '../store/database.ts';
import { CodeFile } from '../store/entities/code-file.ts';
import { type FolderEntry, folderPage } from '../store/folder-page.ts';
import { type Page, type PageRequest, pageOf } from '../store/page.ts';
import type {
  CodeHit,
  CodeIndex,
  CodeSymbol,
  CodeText,
  Definition,
  Found,
  Reference,
  RepositoryMap,
  SaveOutcome,
  SearchRequest,
} from './code.ts';
import { canonicalPath, codeProblems, hashOf } from './code-text.ts';
import { findDefinitions, findReferences } from './find-symbols.ts';
import { ParserThread } from './parser-thread.ts';
import { prepareFile } from './prepare-file.ts';
import { mapRepository } from './repository-map.ts';
import { saveCode } from './save-code.ts';
import { escaped, pathPattern, searchCode } from './search-code.ts';

/** The code of projects: files, what they define and use, and search. Every method trusts the project id it is given. */
export class CodeService implements CodeIndex {
  readonly #database: Database;
  readonly #parser = new ParserThread();
  readonly #texts: DataLoader<string, string>;
  readonly #symbols: DataLoader<string, readonly CodeSymbol[]>;

  constructor(database: Database) {
    this.#database = database;
    const grouped = async <Row extends { file_id: string }>(sql: string, ids: readonly string[]) =>
      Map.groupBy(await database.fork().execute<Row[]>(sql, [JSON.stringify(ids)]), ({ file_id }) => file_id);
    this.#texts = new DataLoader(
      async (ids) => {
        const rows = await grouped<{ file_id: string; text: string }>(textsSql, ids);
        return ids.map(
          (id) =>
            rows
              .get(id)
              ?.map(({ text }) => text)
              .join('') ?? '',
        );
      },
      { cache: false, maxBatchSize: 20 },
    );
    this.#symbols = new DataLoader(
      async (ids) => {
        const rows = await grouped<CodeSymbol & { file_id: string }>(symbolsSql, ids);
        return ids.map((id) => rows.get(id) ?? []);
      },
      { cache: false },
    );
  }

  /** What lies directly in a folder, in pages. */
  folder(projectId: string, request: PageRequest & { readonly folder: string }): Promise<Page<FolderEntry>> {
    return folderPage(this.#database.fork(), 'code_files', projectId, request);
  }

  async isEmpty(projectId: string): Promise<boolean> {
    const found = await this.#database
      .fork()
      .execute('select 1 from code_files where project_id = ? limit 1', [projectId]);
    return found.length === 0;
  }

  search(projectId: string, request: SearchRequest): Promise<readonly CodeHit[]> {
    return searchCode(this.#database.fork(), projectId, request);
  }

  definitions(projectId: string, name: string, limit: number): Promise<Found<Definition>> {
    return findDefinitions(this.#database.fork(), projectId, name, limit);
  }

  references(projectId: string, name: string, limit: number): Promise<Found<Reference>> {
    return findReferences(this.#database.fork(), projectId, name, limit);
  }

  map(projectId: string, tokens: number): Promise<RepositoryMap> {
    return mapRepository(this.#database.fork(), projectId, tokens);
  }

  /** By path. Texts and symbols are not read; see `textOf` and `symbolsOf`. */
  page(projectId: string, { path, ...request }: PageRequest & { path?: string | undefined }): Promise<Page<CodeFile>> {
    const matching = raw((alias) => `${alias}.path ilike ?`, [pathPattern(path)]);
    return pageOf(this.#database.fork(), CodeFile, {
      ...request,
      where: path === undefined ? { projectId } : { projectId, [matching]: [] },
      orderBy: [{ path: 'asc' }, { id: 'asc' }],
    });
  }

  async find(projectId: string, path: string): Promise<CodeFile | undefined> {
    const wanted = canonicalPath(path.toWellFormed().replaceAll('\0', '')).replace(/^\.?\//, '');
    return (await this.#database.fork().findOne(CodeFile, { projectId, path: wanted })) ?? undefined;
  }

  textOf(file: Pick<CodeFile, 'id'>): Promise<string> {
    return this.#texts.load(file.id);
  }

  symbolsOf(file: Pick<CodeFile, 'id'>): Promise<readonly CodeSymbol[]> {
    return this.#symbols.load(file.id);
  }

  /** Files as somebody sends them: all are saved, or none and every fault is told. */
  async save(projectId: string, files: readonly CodeText[]): Promise<SaveOutcome> {
    const problems = codeProblems(files);
    if (problems.length > 0) return { type: 'invalid', problems };
    return { type: 'saved', ...(await this.index(projectId, files)) };
  }

  /** For files that are known to be good. Only those that changed are parsed; one that cannot be is found by its text. */
  async index(projectId: string, files: readonly CodeText[]) {
    const given = files.map(({ path, text }) => ({ path: canonicalPath(path), text: text.toWellFormed() }));
    const known = await this.hashes(
      projectId,
      given.map(({ path }) => path),
    );
    const fresh = given.filter(({ path, text }) => known.get(path) !== hashOf(text));
    const nothing = { symbols: [], uses: [] };
    const prepared = fresh.map((file) =>
      this.#parser.prepare(projectId, file).catch(() => prepareFile(projectId, file, nothing)),
    );
    const saved = await saveCode(this.#database.fork(), projectId, await Promise.all(prepared));
    return { ...saved, unchanged: saved.unchanged + given.length - fresh.length };
  }

  /** By path, of those that are there. */
  async hashes(projectId: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#database
      .fork()
      .execute<{ path: string; hash: string }[]>(hashesSql, [projectId, JSON.stringify(paths)]);
    return new Map(rows.map(({ path, hash }) => [path, hash]));
  }

  /** Files by path, and of a path that ends in / all below it. Answers with how many there were. */
  async remove(projectId: string, paths: readonly string[]): Promise<number> {
    const wanted = paths.map((path) => canonicalPath(path.toWellFormed().replaceAll('\0', '')));
    const folders = wanted.filter((path) => path.endsWith('/')).map((folder) => `${escaped(folder)}%`);
    const removed = await this.#database
      .fork()
      .execute<unknown[]>(removeSql, [projectId, JSON.stringify(wanted), JSON.stringify(folders)]);
    return removed.length;
  }

  close(): Promise<void> {
    return this.#parser.close();
  }
}

const listed = 'select value from json_array_elements_text(?::json)';

const hashesSql = `select path, hash from code_files where project_id = ? and path in (${listed})`;

const removeSql = `
  delete from code_files where project_id = ? and (path in (${listed}) or path like any (array(${listed})))
  returning id`;

const textsSql = `
  select file_id, text from code_pieces where file_id in (select value::uuid from json_array_elements_text(?::json))
  order by file_id, line`;

const symbolsSql = `
  select file_id, name, kind, signature, container, line, end_line as "endLine"
  from code_symbols where file_id in (select value::uuid from json_array_elements_text(?::json))
  order by file_id, number`;

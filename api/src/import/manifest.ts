import type { Database } from '../store/database.ts';

export interface ImportedFile {
  readonly path: string;
  /** SHA-256 of the text as it was imported. */
  readonly hash: string;
}

/** What earlier imports brought into a project, and from which folder. */
export class Manifest {
  readonly #known = new Map<string, { readonly source: string; readonly hash: string }>();

  private readonly database: Database;
  private readonly key: readonly [projectId: string, kind: string];

  private constructor(database: Database, projectId: string, kind: string) {
    this.database = database;
    this.key = [projectId, kind];
  }

  static async load(database: Database, projectId: string | undefined, kind: string): Promise<Manifest> {
    const manifest = new Manifest(database, projectId ?? '', kind);
    if (projectId === undefined) return manifest;
    const rows = await database
      .fork()
      .execute<{ path: string; source: string; hash: string }[]>(
        'select path, source, hash from imported_files where project_id = ? and kind = ?',
        [...manifest.key],
      );
    for (const { path, source, hash } of rows) manifest.#known.set(path, { source, hash });
    return manifest;
  }

  hashOf(path: string): string | undefined {
    return this.#known.get(path)?.hash;
  }

  pathsFrom(source: string): readonly string[] {
    return [...this.#known].flatMap(([path, known]) => (known.source === source ? [path] : []));
  }

  /** Writes only what is not known yet. */
  async record(source: string, files: readonly ImportedFile[]): Promise<void> {
    const fresh = files.filter(({ path, hash }) => {
      const known = this.#known.get(path);
      return known?.hash !== hash || known.source !== source;
    });
    if (fresh.length === 0) return;
    await this.database.fork().execute(recordSql, [...this.key, source, JSON.stringify(fresh)]);
    for (const { path, hash } of fresh) this.#known.set(path, { source, hash });
  }

  async forget(paths: readonly string[]): Promise<void> {
    await this.database.fork().execute(forgetSql, [...this.key, JSON.stringify(paths)]);
    for (const path of paths) this.#known.delete(path);
  }
}

const recordSql = `
  insert into imported_files (project_id, kind, source, path, hash)
  select ?, ?, ?, path, hash from json_to_recordset(?::json) as file (path text, hash text)
  on conflict (project_id, kind, path) do update set source = excluded.source, hash = excluded.hash`;

const forgetSql = `
  delete from imported_files
  where project_id = ? and kind = ? and path in (select value from json_array_elements_text(?::json))`;

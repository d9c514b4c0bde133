import type { Database } from '../store/database.ts';
import { hashOf, largestBody, noteProblems } from '../vault/note-text.ts';
import type { VaultService } from '../vault/vault-service.ts';
import { importFolder, type TextFile } from './import-folder.ts';
import type { ImportJob } from './job.ts';
import { Manifest } from './manifest.ts';

/** Every Markdown file of a folder. Notes are also written here, so what was changed here is not overwritten blindly. */
export async function importVault(job: ImportJob, database: Database, vault: VaultService): Promise<void> {
  const { projectId, tally, dryRun } = job;
  const manifest = await Manifest.load(database, projectId, 'vault');
  await importFolder({
    ...job,
    what: 'Notes',
    rules: { gitignore: false, hidden: false, takes: (path) => /\.(md|markdown)$/i.test(path) },
    largest: largestBody,
    unfit: 'failed',
    manifest,
    async save(files) {
      const known = await noteHashes(files.map(({ path }) => path));
      const wanted = files.filter((file) => isWanted(file, known.get(file.path)));
      const written = dryRun || projectId === undefined ? rehearse(wanted, known) : await write(projectId, wanted);
      if (dryRun || projectId === undefined) return;
      const settled = files.filter(({ path, text }) => written.has(path) || known.get(path) === hashOf(text));
      await manifest.record(
        job.root,
        settled.map(({ path, text }) => ({ path, hash: hashOf(text) })),
      );
    },
    async forget(paths) {
      const known = await noteHashes(paths);
      const untouched = paths.filter((path) => known.get(path) === manifest.hashOf(path));
      const pruned = job.prune ? untouched : [];
      for (const path of paths) if (known.has(path) && !pruned.includes(path)) tally.gone(path);
      tally.add('removed', pruned.length);
      if (dryRun || projectId === undefined || pruned.length === 0) return;
      await database.fork().execute(removeSql, [projectId, JSON.stringify(pruned)]);
      await manifest.forget(pruned);
    },
  });

  /** Whether the file has news. What it does not bring is told or counted here. */
  function isWanted({ path, text }: TextFile, here: string | undefined): boolean {
    const [file, imported] = [hashOf(text), manifest.hashOf(path)];
    const changedHere = here !== undefined && imported !== undefined && here !== imported;
    if (here === file || (changedHere && file === imported)) {
      tally.add('unchanged');
      return false;
    }
    if (changedHere && !job.force) {
      tally.fail(path, 'it was changed both here and in its file since the last import; --force takes the file');
      return false;
    }
    return true;
  }

  function rehearse(files: readonly TextFile[], known: ReadonlyMap<string, string>): ReadonlySet<string> {
    for (const { path, text } of files) {
      const [problem] = noteProblems(path, text);
      if (problem) tally.fail(path, problem.message);
      else tally.add(known.has(path) ? 'changed' : 'created');
    }
    return new Set();
  }

  async function write(project: string, files: readonly TextFile[]): Promise<ReadonlySet<string>> {
    const saved = await vault.writeMany(
      project,
      files.map(({ path, text }) => ({ path, body: text })),
    );
    for (const outcome of ['created', 'changed', 'unchanged'] as const) tally.add(outcome, saved[outcome]);
    for (const { path, message } of saved.failures) tally.fail(path, message);
    const failed = new Set(saved.failures.map(({ path }) => path));
    return new Set(files.map(({ path }) => path).filter((path) => !failed.has(path)));
  }

  async function noteHashes(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (projectId === undefined) return new Map();
    const rows = await database
      .fork()
      .execute<{ path: string; hash: string }[]>(hashesSql, [projectId, JSON.stringify(paths)]);
    return new Map(rows.map(({ path, hash }) => [path, hash]));
  }
}

const listed = 'select value from json_array_elements_text(?::json)';
const hashesSql = `select path, hash from notes where project_id = ? and path in (${listed})`;
const removeSql = `delete from notes where project_id = ? and path in (${listed})`;

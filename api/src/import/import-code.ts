import { DriverException } from '@mikro-orm/core';
import type { CodeService } from '../code/code-service.ts';
import { complainAboutPath, hashOf, largestFile } from '../code/code-text.ts';
import type { Database } from '../store/database.ts';
import { importFolder, type TextFile } from './import-folder.ts';
import type { ImportJob } from './job.ts';
import { Manifest } from './manifest.ts';

const removedAtOnce = 500;

/** Every text of a folder that git would keep. What is gone from the folder goes from the index. */
export async function importCode(job: ImportJob, database: Database, code: CodeService): Promise<void> {
  const { projectId, tally, dryRun } = job;
  const manifest = await Manifest.load(database, projectId, 'code');
  await importFolder({
    ...job,
    what: 'Code',
    rules: { gitignore: true, hidden: true, takes: () => true },
    largest: largestFile,
    unfit: 'skipped',
    manifest,
    async save(files) {
      const good = files.filter(({ path }) => {
        const complaint = complainAboutPath(path);
        if (complaint !== undefined) tally.fail(path, complaint);
        return complaint === undefined;
      });
      if (dryRun || projectId === undefined) return compare(good);
      const saved = await indexApart(projectId, good);
      await manifest.record(
        job.root,
        saved.map(({ path, text }) => ({ path, hash: hashOf(text) })),
      );
    },
    async forget(paths) {
      tally.add('removed', paths.length);
      if (dryRun || projectId === undefined) return;
      for (let from = 0; from < paths.length; from += removedAtOnce) {
        const some = paths.slice(from, from + removedAtOnce);
        await code.remove(projectId, some);
        await manifest.forget(some);
      }
    },
  });

  async function compare(files: readonly TextFile[]): Promise<void> {
    const known =
      projectId === undefined
        ? new Map()
        : await code.hashes(
            projectId,
            files.map(({ path }) => path),
          );
    for (const { path, text } of files) {
      const hash = known.get(path);
      tally.add(hash === undefined ? 'created' : hash === hashOf(text) ? 'unchanged' : 'changed');
    }
  }

  /** Together; one by one when something among them cannot be stored, so that only that one is left out. */
  async function indexApart(project: string, files: readonly TextFile[]): Promise<readonly TextFile[]> {
    try {
      const saved = await code.index(project, files);
      for (const outcome of ['created', 'changed', 'unchanged'] as const) tally.add(outcome, saved[outcome]);
      return files;
    } catch (error) {
      if (!(error instanceof DriverException && /^(22|54)/.test(String(error.code)))) throw error;
      const [only, ...more] = files;
      if (only && more.length === 0) {
        tally.fail(only.path, 'the database cannot store this text');
        return [];
      }
    }
    const saved: TextFile[] = [];
    for (const file of files) saved.push(...(await indexApart(project, [file])));
    return saved;
  }
}

import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createLogger } from '../../src/logger.ts';
import { openDatabase } from '../../src/store/database.ts';
import { startEmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts';
import { createDatabase, migratedTemplate, queryOnce } from './databases.ts';
import { makeScratchFolder, removeAbandonedScratch } from './scratch-root.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server for the whole run; every kit makes a database of its own on it. */
    postgresUrl: string;
    /** Removed with all that is in it when the run ends. */
    scratchFolder: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  removeAbandonedScratch();
  const scratch = makeScratchFolder();
  await chmod(scratch, 0o755);
  const postgres = await startEmbeddedPostgres({
    dataDir: join(scratch, 'postgres'),
    stagingRoot: join(scratch, 'staging'),
    log: createLogger('error'),
  });
  await spareTheDisk(postgres.url);
  await prepareTemplate(postgres.url);
  project.provide('postgresUrl', postgres.url);
  project.provide('scratchFolder', scratch);
  return async () => {
    await postgres.stop();
    await rm(scratch, { recursive: true, force: true });
  };
}

/** What a crash of the machine would lose is thrown away with the run anyway; a killed process loses nothing by it. */
async function spareTheDisk(server: string): Promise<void> {
  for (const setting of ['fsync', 'full_page_writes']) await queryOnce(server, `alter system set ${setting} = off`);
  await queryOnce(server, 'select pg_reload_conf()');
}

async function prepareTemplate(server: string): Promise<void> {
  const template = await openDatabase(await createDatabase(server, { name: migratedTemplate }));
  await template.migrate(async () => undefined);
  await template.close();
}

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createLogger } from '../../src/logger.ts';
import { openDatabase } from '../../src/store/database.ts';
import { startEmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts';
import { createDatabase, migratedTemplate } from './databases.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server for the whole run; every kit makes a database of its own on it. */
    postgresUrl: string;
    /** Removed with all that is in it when the run ends. */
    scratchFolder: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scratch = await mkdtemp(join(tmpdir(), 'oracle-test-'));
  await chmod(scratch, 0o755);
  const postgres = await startEmbeddedPostgres({
    dataDir: join(scratch, 'postgres'),
    stagingRoot: join(scratch, 'staging'),
    log: createLogger('error'),
  });
  await prepareTemplate(postgres.url);
  project.provide('postgresUrl', postgres.url);
  project.provide('scratchFolder', scratch);
  return async () => {
    await postgres.stop();
    await rm(scratch, { recursive: true, force: true });
  };
}

async function prepareTemplate(server: string): Promise<void> {
  const template = await openDatabase(await createDatabase(server, { name: migratedTemplate }));
  await template.migrate(async () => undefined);
  await template.close();
}

import { ensureFirstAdministrator } from '../access/first-administrator.ts';
import type { Environment } from '../env.ts';
import { createLogger } from '../logger.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { DataDirInUseError } from '../store/embedded/data-dir-lock.ts';
import { startEmbeddedPostgres } from '../store/embedded/embedded-postgres.ts';
import { joinEmbeddedPostgres } from '../store/embedded/join-embedded.ts';

export interface OpenStore {
  readonly database: Database;
  /** Made up when this is the first that anybody ever started here; shown once. */
  readonly firstToken: string | undefined;
  close(): Promise<void>;
}

/** The database that the server uses or would use, brought up to date. */
export async function openStore(environment: Environment): Promise<OpenStore> {
  const { url, stop } = await findServer(environment);
  try {
    const database = await openDatabase(url);
    try {
      let firstToken: string | undefined;
      await database.migrate(async (em) => {
        firstToken = await ensureFirstAdministrator(em, environment.ORACLE_ADMIN_TOKEN);
      });
      return { database, firstToken, close: () => database.close().finally(stop) };
    } catch (error) {
      await database.close();
      throw error;
    }
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The embedded one is joined when a server of ours runs it already, and else started for the time of the import. */
async function findServer(environment: Environment): Promise<{ url: string; stop: () => Promise<void> }> {
  const { DATABASE_URL: url, ORACLE_DATA_DIR: dataDir, ORACLE_STAGING_DIR: stagingRoot } = environment;
  if (url !== undefined) return { url, stop: async () => undefined };
  try {
    const log = createLogger('warn');
    const started = await startEmbeddedPostgres({ dataDir, log, ...(stagingRoot ? { stagingRoot } : {}) });
    return { url: started.url, stop: () => started.stop() };
  } catch (error) {
    if (!(error instanceof DataDirInUseError)) throw error;
    return { url: await joinEmbeddedPostgres(dataDir), stop: async () => undefined };
  }
}

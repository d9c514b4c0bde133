import { createClient } from './client.ts';
import type { TestUser } from './kit.ts';
import { type ModelServer, startModelServer } from './model-server.ts';
import { buildServer, ServerFolder, type ServerProcess } from './server-process.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** A server process, and the administrator as its user. */
export interface RunningServer extends ServerProcess {
  readonly url: string;
  readonly user: TestUser;
}

/** Server processes on one database, with one scripted model behind them as `openai/scripted`. */
export interface ServerPair {
  readonly database: TestDatabase;
  readonly models: ModelServer;
  start(): Promise<RunningServer>;
  dispose(): Promise<void>;
}

const token = 'the-token-of-several-servers';

export async function createServerPair(): Promise<ServerPair> {
  await buildServer();
  const folder = new ServerFolder();
  const [database, models] = await Promise.all([createTestDatabase(), startModelServer()]);
  return {
    database,
    models,
    async start() {
      const server = folder.start({
        DATABASE_URL: database.url,
        ORACLE_ADMIN_TOKEN: token,
        ORACLE_LOG_LEVEL: 'error',
        ORACLE_MODEL: 'openai/scripted',
        ORACLE_OPENAI_BASE_URL: models.url,
      });
      const url = await server.ready;
      return { ...server, url, user: { ...createClient(url, token), id: '', email: '', token, tokenId: '' } };
    },
    async dispose() {
      await folder.dispose();
      await models.stop();
      await database.drop();
    },
  };
}

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureFirstAdministrator } from '../../src/access/first-administrator.ts';
import { builtInSubscribers } from '../../src/declared-folders.ts';
import { loadDecisionTrees } from '../../src/load-trees.ts';
import { createLogger } from '../../src/logger.ts';
import { createModels, type ModelEnvironment, type ModelsOptions } from '../../src/models/model-registry.ts';
import { SubscriberFiles } from '../../src/notifications/subscriber-files.ts';
import { createRuns } from '../../src/runs/runs.ts';
import { createServer, type ServerDependencies } from '../../src/server.ts';
import { type ChangeFeed, followChanges } from '../../src/store/changes.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { type Answer, type Client, createClient } from './client.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export interface TestUser extends Client {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  readonly tokenId: string;
}

/** A whole server on a port and a database of its own, with people to ask it. */
export interface Kit {
  readonly url: string;
  readonly admin: TestUser;
  readonly stranger: Client;
  readonly database: TestDatabase;
  /** Every line that the server logged. */
  readonly logs: readonly string[];
  /** How many parts of the server follow changes: one for itself and one for each live subscription. */
  listeners(): number;
  newUser(options?: { name?: string; email?: string; role?: 'USER' | 'ADMIN' }): Promise<TestUser>;
  as(token: string): Client;
  stop(): Promise<void>;
}

const adminToken = 'the-administrators-token-of-the-test-kit';
const consoleFolder = fileURLToPath(new URL('../../../console/dist', import.meta.url));

const noProviders: ModelEnvironment = {
  OPENROUTER_API_KEY: undefined,
  ANTHROPIC_API_KEY: undefined,
  ORACLE_OPENAI_BASE_URL: undefined,
  ORACLE_OPENAI_API_KEY: undefined,
};

export interface KitOptions {
  readonly database?: TestDatabase;
  readonly defaultModel?: string;
  readonly providers?: Partial<ModelEnvironment>;
  /** Milliseconds between the deltas of built-in models; 0, as fast as can be, unless given. */
  readonly pace?: number;
  /** Where the providers are, and how long their lists are believed. */
  readonly models?: ModelsOptions;
  /** The built-in ones unless given. */
  readonly tools?: ServerDependencies['tools'];
  readonly modelPatience?: ServerDependencies['modelPatience'];
  /** Where further declarations lie; nowhere unless given. */
  readonly dataDir?: string;
}

export async function startKit(options: KitOptions = {}): Promise<Kit> {
  const testDatabase = options.database ?? (await createTestDatabase());
  const database: Database = await openDatabase(testDatabase.url);
  await database.migrate(async (em) => void (await ensureFirstAdministrator(em, adminToken)));
  const logs: string[] = [];
  const log = createLogger('debug', { write: (line) => void logs.push(line) });
  const changes = countListeners(await followChanges(testDatabase.url, log));
  await loadDecisionTrees();
  const runs = await createRuns({ database, changes, log });
  const own = join(options.dataDir ?? '/nowhere', 'subscribers');
  const subscriberFiles = await SubscriberFiles.open({ builtIn: builtInSubscribers, own }, log);
  const server = createServer({
    database,
    changes,
    runs,
    models: createModels({ ...noProviders, ...options.providers }, { pace: options.pace ?? 0, ...options.models }),
    subscriberFiles,
    development: true,
    ...(options.tools ? { tools: options.tools } : {}),
    ...(options.modelPatience ? { modelPatience: options.modelPatience } : {}),
    ...(options.dataDir ? { rulesFolder: join(options.dataDir, 'rules') } : {}),
    log,
    defaultModel: options.defaultModel ?? 'offline',
    consoleFolder,
  });
  const url = await server.listen(0, '127.0.0.1');

  const as = (token: string) => createClient(url, token);
  const asAdmin = as(adminToken);
  const viewer = await asAdmin.ask<{ viewer: { id: string; email: string; tokens: { id: string }[] } }>(
    '{ viewer { id email tokens { id } } }',
  );
  const { id, email, tokens } = viewer.viewer;
  const admin: TestUser = { ...asAdmin, id, email, token: adminToken, tokenId: tokens[0]?.id ?? '' };
  let people = 0;

  return {
    url,
    admin,
    stranger: createClient(url, undefined),
    database: testDatabase,
    logs,
    listeners: changes.listeners,
    as,
    async newUser({ name = `Person ${++people}`, email = `person-${randomUUID()}@example.com`, role = 'USER' } = {}) {
      const { createUser } = await asAdmin.ask<{ createUser: { id: string } }>(
        'mutation ($input: CreateUserInput!) { createUser(input: $input) { ... on User { id } ... on InvalidInput { message } } }',
        { input: { name, email, role } },
      );
      const { issueToken } = await asAdmin.ask<{ issueToken: { id: string; token: string } }>(
        'mutation ($userId: ID!) { issueToken(input: { userId: $userId, name: "test" }) { ... on IssuedToken { id token } } }',
        { userId: createUser.id },
      );
      const { token, id: tokenId } = issueToken;
      return { ...as(token), id: createUser.id, email, token, tokenId };
    },
    async stop() {
      await server.close();
      await subscriberFiles.close();
      await runs.stop();
      await changes.close();
      await database.close();
      if (!options.database) await testDatabase.drop();
    },
  };
}

function countListeners(feed: ChangeFeed): ChangeFeed & { listeners(): number } {
  const handlers = new Set<object>();
  return {
    ...feed,
    listeners: () => handlers.size,
    listen(handler) {
      handlers.add(handler);
      const stop = feed.listen(handler);
      return () => {
        handlers.delete(handler);
        stop();
      };
    },
  };
}

export type { Answer, Client };

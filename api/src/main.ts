import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureFirstAdministrator } from './access/first-administrator.ts';
import { builtInSubscribers } from './declared-folders.ts';
import { type Environment, EnvironmentError, readEnvironment } from './env.ts';
import { loadDecisionTrees } from './load-trees.ts';
import { createLogger, type Logger } from './logger.ts';
import { createModels, type Models, UnknownModel } from './models/model-registry.ts';
import { SubscriberFiles } from './notifications/subscriber-files.ts';
import { createRuns } from './runs/runs.ts';
import { createServer } from './server.ts';
import { explain, ListenError } from './start-errors.ts';
import { StartedParts } from './started-parts.ts';
import { followChanges } from './store/changes.ts';
import { openDatabase } from './store/database.ts';
import { startEmbeddedPostgres } from './store/embedded/embedded-postgres.ts';

/** Whatever happens. The rest of what is being stored is given an end by another server, or at the next start. */
const longestStop = 9_000;

/** Gives up between two steps when it is interrupted: within one, there would be things that nobody knows to stop. */
async function start(
  environment: Environment,
  started: StartedParts,
  interrupted: AbortSignal,
  log: Logger,
): Promise<void> {
  const models = createUsableModels(environment);
  const url = environment.DATABASE_URL ?? (await startOwnDatabase(environment, started, log));
  interrupted.throwIfAborted();
  const database = await openDatabase(url);
  started.add('database', () => database.close());

  const newer = await database.migrate(async (em) => {
    const firstToken = await ensureFirstAdministrator(em, environment.ORACLE_ADMIN_TOKEN);
    // At once: it is shown to nobody again, whatever becomes of this start.
    if (firstToken) process.stdout.write(signInWith(firstToken));
  });
  if (newer.length > 0) log.warn({ migrations: newer }, 'the database was changed by a newer version of this server');
  interrupted.throwIfAborted();
  const changes = await followChanges(url, log);
  started.add('change feed', () => changes.close());

  await loadDecisionTrees();
  const own = join(environment.ORACLE_DATA_DIR, 'subscribers');
  const subscriberFiles = await SubscriberFiles.open({ builtIn: builtInSubscribers, own }, log);
  started.add('subscriber files', () => subscriberFiles.close());
  const runs = await createRuns({ database, changes, log });
  started.add('runs', () => runs.stop());
  interrupted.throwIfAborted();

  const consoleFolder = fileURLToPath(new URL('../../console/dist', import.meta.url));
  const server = createServer({
    database,
    changes,
    runs,
    models,
    subscriberFiles,
    log,
    defaultModel: environment.ORACLE_MODEL,
    consoleFolder,
    rulesFolder: join(environment.ORACLE_DATA_DIR, 'rules'),
    development: environment.NODE_ENV === 'development',
  });
  const { PORT, HOST } = environment;
  const address = await server.listen(PORT, HOST).catch((error: unknown) => {
    throw new ListenError(HOST, PORT, error);
  });
  started.add('server', () => server.close());

  process.stdout.write(`Oracle Agent ready at ${address}\n`);
}

function signInWith(token: string): string {
  return `Sign in as administrator with this token, shown only this once:\n\n  ${token}\n\n`;
}

/** Without the model for everyone who chose none, nobody's first question could be answered. */
function createUsableModels(environment: Environment): Models {
  const models = createModels(environment);
  const model = models.find(environment.ORACLE_MODEL);
  if (model instanceof UnknownModel) throw new EnvironmentError([`ORACLE_MODEL cannot be used. ${model.message}`]);
  return models;
}

async function startOwnDatabase(environment: Environment, started: StartedParts, log: Logger): Promise<string> {
  const { ORACLE_DATA_DIR: dataDir, ORACLE_STAGING_DIR: stagingRoot } = environment;
  const postgres = await startEmbeddedPostgres({ dataDir, log, ...(stagingRoot ? { stagingRoot } : {}) });
  started.add('embedded PostgreSQL', () => postgres.stop());
  return postgres.url;
}

async function main(): Promise<void> {
  const environment = readEnvironment(process.env);
  const log = createLogger(environment.ORACLE_LOG_LEVEL);
  const started = new StartedParts();
  const interruption = new AbortController();
  const starting = Promise.resolve().then(() => start(environment, started, interruption.signal, log));

  const stop = (signal: string) => {
    if (interruption.signal.aborted) return;
    interruption.abort();
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error({}, 'stopping took too long');
      process.exit(1);
    }, longestStop).unref();
    void starting
      .catch(() => undefined)
      .then(() => started.stop(log))
      .then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  try {
    await starting;
  } catch (error) {
    if (interruption.signal.aborted) return;
    await started.stop(log);
    throw error;
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});

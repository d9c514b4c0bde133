import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Binaries } from './binaries.ts';
import type { ClusterPlace } from './cluster-place.ts';
import { syncDirectory } from './private-file.ts';
import { endProcessesIn } from './process-table.ts';
import { runProgram } from './program.ts';

/** The name of the database and of its owner. */
export const databaseName = 'oracle';

export interface Cluster extends ClusterPlace {
  readonly binaries: Binaries;
}

/** Only by password and only over the loopback address; everything else finds no line and is refused. */
const accessRules = `host all ${databaseName} 127.0.0.1/32 scram-sha-256\n`;

/** True for a complete cluster of our version, false when there is none yet; anything else is left alone and reported. */
export function clusterExists({ directory, binaries }: Cluster): boolean {
  if (!existsSync(directory)) return false;
  const versionFile = join(directory, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    throw new Error(`${directory} exists but is not a PostgreSQL database. Move it away to begin with an empty one.`);
  }
  const found = readFileSync(versionFile, 'utf8').trim();
  const ours = binaries.version.split('.')[0];
  if (found !== ours) {
    throw new Error(
      `The database in ${directory} was made by PostgreSQL ${found}, this server brings PostgreSQL ${ours}. Nothing was changed. ` +
        'Use the server version it was made with, or move the data over with pg_dump and an empty data directory.',
    );
  }
  return true;
}

/** Builds the cluster beside its final name, so that whatever bears the name is complete. */
export async function createCluster(cluster: Cluster, password: string): Promise<void> {
  await removeDrafts(cluster);
  const draft: Cluster = { ...cluster, directory: `${draftPrefix(cluster)}${randomBytes(6).toString('hex')}` };
  mkdirSync(draft.directory, { mode: 0o700 });
  if (draft.user !== undefined) chownSync(draft.directory, draft.user.uid, draft.user.gid);
  await runProgram(draft.binaries.initdb, initialisation(draft.directory), inside(draft));
  writeFileSync(join(draft.directory, 'pg_hba.conf'), accessRules);
  await runSingleUser(draft, [setPasswordStatement(password), `CREATE DATABASE ${databaseName}`]);
  renameSync(draft.directory, cluster.directory);
  syncDirectory(dirname(cluster.directory));
}

export async function setPassword(cluster: Cluster, password: string): Promise<void> {
  await runSingleUser(cluster, [setPasswordStatement(password)]);
}

/** A locale that PostgreSQL itself brings: indexes sort the same on every machine. */
function initialisation(directory: string): string[] {
  return [
    `--pgdata=${directory}`,
    `--username=${databaseName}`,
    '--auth=reject', // replaced by our own rules right after
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
  ];
}

/** PostgreSQL without network or password, for what has to happen before anybody can connect. Keeps statements out of errors. */
async function runSingleUser(cluster: Cluster, statements: readonly string[]): Promise<void> {
  const args = [
    '--single',
    '-D',
    cluster.directory,
    '-c',
    'exit_on_error=on',
    '-c',
    'log_min_error_statement=panic',
    'postgres',
  ];
  await runProgram(cluster.binaries.postgres, args, inside(cluster), `${statements.join('\n')}\n`);
}

function setPasswordStatement(password: string): string {
  return `ALTER ROLE ${databaseName} PASSWORD '${password}'`;
}

/** A start that was killed leaves its draft behind, and perhaps an initdb still at work in it. */
async function removeDrafts(cluster: Cluster): Promise<void> {
  const home = dirname(cluster.directory);
  for (const name of await readdir(home)) {
    const path = join(home, name);
    if (!path.startsWith(draftPrefix(cluster))) continue;
    await endProcessesIn(path);
    await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

function draftPrefix({ directory }: Cluster): string {
  return join(dirname(directory), `${basename(directory)}.new-`);
}

function inside({ directory, user }: Cluster) {
  return { workingDirectory: directory, user };
}

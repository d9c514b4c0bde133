import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { prepareBinaries } from './binaries.ts';
import { type Cluster, clusterExists, createCluster, databaseName, setPassword } from './cluster.ts';
import { placeCluster } from './cluster-place.ts';
import { lockDataDir } from './data-dir-lock.ts';
import { runningAsRoot } from './database-user.ts';
import { clearLeftovers } from './leftovers.ts';
import type { EmbeddedLog } from './log.ts';
import { defaultStagingRoot } from './staging-root.ts';
import { makePassword, readPassword, savePassword } from './stored-password.ts';
import { superviseServer } from './supervisor.ts';

export interface EmbeddedPostgres {
  /** Database URL with password. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly log: EmbeddedLog;
  /** As root: where binaries and data go when the user PostgreSQL runs as cannot reach them where they are. */
  readonly stagingRoot?: string;
}

/** A PostgreSQL server of our own on the data directory, which stays locked until the server is stopped. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const locks = [lockDataDir(dataDir)];
  const release = () => {
    for (const lock of locks.splice(0).reverse()) lock.release();
  };
  try {
    const { log, stagingRoot = defaultStagingRoot } = options;
    const place = placeCluster(dataDir, stagingRoot, log);
    const home = dirname(place.directory);
    // A copied data directory links to the same staged cluster as the original: that has a lock of its own.
    if (home !== realpathSync(dataDir)) locks.push(lockDataDir(home));
    const binaries = await prepareBinaries({ user: place.user, stagingRoot: runningAsRoot() ? stagingRoot : dataDir });
    const cluster = { ...place, binaries };
    const password = await prepareCluster(cluster, dataDir);
    const server = await superviseServer(cluster, log);
    return {
      url: `postgresql://${databaseName}:${password}@127.0.0.1:${server.port}/${databaseName}`,
      stop: () => server.stop().finally(release),
    };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Makes sure of the cluster and of its password. A kill at any point leaves either a stored password that the cluster
 * knows, or none, and then the next start sets a new one.
 */
async function prepareCluster(cluster: Cluster, dataDir: string): Promise<string> {
  const stored = readPassword(dataDir);
  const password = stored ?? makePassword();
  if (!clusterExists(cluster)) {
    if (stored === undefined) savePassword(dataDir, password);
    await createCluster(cluster, password);
  } else if (stored === undefined) {
    await clearLeftovers(cluster);
    await setPassword(cluster, password);
    savePassword(dataDir, password);
  }
  return password;
}

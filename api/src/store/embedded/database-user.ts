import { readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The system user PostgreSQL runs as when we are root, whom it refuses. */
export interface DatabaseUser {
  readonly uid: number;
  readonly gid: number;
}

export function runningAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/** An owner other than root can run PostgreSQL on what is his; for anything else a system user has to step in. */
export function ownerUnlessRoot(path: string): DatabaseUser | undefined {
  const { uid, gid } = statSync(path);
  return uid === 0 ? undefined : { uid, gid };
}

export function findSystemUser(): DatabaseUser {
  const users = readFileSync('/etc/passwd', 'utf8');
  for (const name of ['postgres', 'nobody']) {
    const found = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(users);
    if (found !== null) return { uid: Number(found[1]), gid: Number(found[2]) };
  }
  throw new Error(
    'PostgreSQL does not run as root, and this system has neither a user "postgres" nor "nobody". ' +
      'Start the server as an ordinary user, or set DATABASE_URL to a PostgreSQL server of your own.',
  );
}

/** The outermost directory on the way to `directory`, itself included, that the user may not enter. */
export function findClosedDirectory(user: DatabaseUser, directory: string): string | undefined {
  const path = realpathSync(directory);
  const parent = dirname(path);
  const closedAbove = parent === path ? undefined : findClosedDirectory(user, parent);
  if (closedAbove !== undefined) return closedAbove;
  return may(user, statSync(path), 0o1) ? undefined : path;
}

export function mayRead(user: DatabaseUser, file: string): boolean {
  return findClosedDirectory(user, dirname(file)) === undefined && may(user, statSync(file), 0o4);
}

/** Supplementary groups do not count: a child started under another user id has none. */
function may(user: DatabaseUser, { uid, gid, mode }: Stats, permission: number): boolean {
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
  return (mode & (permission << shift)) !== 0;
}

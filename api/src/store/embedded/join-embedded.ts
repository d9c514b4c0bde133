import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseName } from './cluster.ts';
import { readPassword } from './stored-password.ts';

const patience = 15_000;
const pause = 100;

/**
 * The address of the PostgreSQL server that another process of ours runs on the data directory. It belongs to that
 * process: whoever joins neither stops it nor starts it again. Waits for one that is still starting.
 */
export async function joinEmbeddedPostgres(dataDir: string): Promise<string> {
  const directory = resolve(dataDir);
  const deadline = performance.now() + patience;
  while (true) {
    const port = readyPort(directory);
    const password = readPassword(directory);
    if (port !== undefined && password !== undefined)
      return `postgresql://${databaseName}:${password}@127.0.0.1:${port}/${databaseName}`;
    if (performance.now() > deadline)
      throw new Error(`The database in ${directory} is in use by another process, but cannot be reached.`);
    await sleep(pause);
  }
}

/** PostgreSQL's own note of where it listens: the port on the fourth line, how it is on the eighth. */
function readyPort(dataDir: string): number | undefined {
  try {
    const lines = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
    const port = Number(lines[3]);
    return lines[7]?.trim() === 'ready' && port > 0 ? port : undefined;
  } catch {
    return undefined; // not written yet, or not ours to read
  }
}

import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../src/store/embedded/process-table.ts';

const memory = '/dev/shm';
const enough = 4 * 1024 ** 3;

/** A folder of this process, for files that nobody needs after the tests. */
export function makeScratchFolder(): string {
  return mkdtempSync(join(scratchRoot(), `oracle-test-${process.pid}-`));
}

/** Tests that were killed could not clear up after themselves. */
export function removeAbandonedScratch(): void {
  const root = scratchRoot();
  for (const name of readdirSync(root)) {
    const processId = Number(/^oracle-test-(\d+)-/.exec(name)?.[1]);
    if (processId > 0 && !isAlive(processId)) rmSync(join(root, name), { recursive: true, force: true });
  }
}

/**
 * In memory, where there is plenty of it: a database there is made in a tenth of the time that a disk takes, and
 * whatever is killed leaves the same files behind.
 */
function scratchRoot(): string {
  return isUsable() ? memory : tmpdir();
}

/** Programs are run from there as well, which some machines do not allow. */
function isUsable(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const { bavail, bsize } = statfsSync(memory);
    const mounted = readFileSync('/proc/mounts', 'utf8')
      .match(/^\S+ \/dev\/shm tmpfs (\S+)/m)?.[1]
      ?.split(',');
    return mounted?.includes('noexec') === false && Math.min(bavail * bsize, freemem()) > enough;
  } catch {
    return false;
  }
}

import { readFileSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';

const memory = '/dev/shm';
const enough = 4 * 1024 ** 3;

/**
 * Where tests keep their files: in memory, where there is plenty of it. A database there is made in a tenth of the time
 * that a disk takes, and whatever is killed leaves the same files behind.
 */
export function scratchRoot(): string {
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

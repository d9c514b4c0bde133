import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;
const GRACE_MS = 5000;

/**
 * Whether the process is a PostgreSQL program at work in the directory. Process ids are reused, and a copied directory
 * names the server of the original: nothing is signalled unless this holds.
 */
export function worksIn(processId: number, directory: string): boolean {
  try {
    if (process.platform === 'linux') return linuxProcessWorksIn(processId, directory);
    if (process.platform === 'win32') return windowsImageName(processId) === 'postgres.exe';
    const command = execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(processId)], { encoding: 'utf8' });
    return isServerCommand(command.trim().split(' '), directory);
  } catch {
    return false; // gone, or not ours to look at
  }
}

export function isAlive(processId: number): boolean {
  if (processId <= 0) return false; // would mean a whole process group
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Ends what a killed server left at work in the directory. Only Linux tells; elsewhere such processes end by themselves. */
export async function endProcessesIn(directory: string): Promise<void> {
  if (process.platform !== 'linux') return;
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
    const found = processesIn(directory);
    if (found.length === 0) return;
    for (const processId of found) signalIfThere(processId, signal);
    await waitUntil(() => processesIn(directory).length === 0, GRACE_MS);
  }
}

export async function endProcess(processId: number, directory: string): Promise<void> {
  if (!worksIn(processId, directory)) return;
  signalIfThere(processId, 'SIGKILL');
  await waitUntil(() => !worksIn(processId, directory), GRACE_MS);
}

function processesIn(directory: string): number[] {
  const processIds = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processIds.map(Number).filter((processId) => worksIn(processId, directory));
}

/** Compared by inode: PostgreSQL works inside its data directory, also after somebody moved it. */
function linuxProcessWorksIn(processId: number, directory: string): boolean {
  try {
    const program = readlinkSync(`/proc/${processId}/exe`);
    const place = statSync(`/proc/${processId}/cwd`);
    const expected = statSync(directory);
    return (
      /\/(postgres|initdb)( \(deleted\))?$/.test(program) && place.dev === expected.dev && place.ino === expected.ino
    );
  } catch (error) {
    // Root in a container may lack the right to see these links of other users; the command line is open to all.
    if (!(error instanceof Error && 'code' in error && error.code === 'EACCES')) throw error;
    return isServerCommand(readFileSync(`/proc/${processId}/cmdline`, 'utf8').split('\0'), directory);
  }
}

function isServerCommand([program = '', ...args]: string[], directory: string): boolean {
  return /(^|\/)postgres$/.test(program) && args.join(' ').startsWith(`-D ${directory} `);
}

function windowsImageName(processId: number): string | undefined {
  const list = execFileSync('tasklist', ['/FI', `PID eq ${processId}`, '/FO', 'CSV', '/NH'], { encoding: 'utf8' });
  return /^"([^"]+)"/.exec(list.trim())?.[1]?.toLowerCase();
}

function signalIfThere(processId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(processId, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function waitUntil(holds: () => boolean, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!holds() && performance.now() < deadline) await sleep(POLL_MS);
}

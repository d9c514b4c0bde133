import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from './cluster.ts';
import { endProcess, endProcessesIn, isAlive, worksIn } from './process-table.ts';
import { runProgram } from './program.ts';

const STOP_SECONDS = 5;

/**
 * Clears the way for a new server on the cluster: stops one that outlived ours and, when a stranger now has the process
 * id in `postmaster.pid`, removes that file, since PostgreSQL would take the stranger for a running server.
 */
export async function clearLeftovers(cluster: Cluster): Promise<{ readonly stoppedProcess: number | undefined }> {
  const processId = readPostmasterId(cluster.directory);
  const isServer = processId !== undefined && worksIn(processId, cluster.directory);
  if (isServer) await stopServer(cluster, processId);
  else if (processId !== undefined && isAlive(processId)) rmSync(pidFile(cluster.directory), { force: true });
  // Backends whose server was killed notice within moments, but one in the middle of a long query holds the cluster.
  await endProcessesIn(cluster.directory);
  return { stoppedProcess: isServer ? processId : undefined };
}

async function stopServer({ binaries, directory, user }: Cluster, processId: number): Promise<void> {
  for (const mode of ['fast', 'immediate']) {
    const args = ['stop', '-D', directory, '-m', mode, '-w', '-t', String(STOP_SECONDS)];
    const stopped = await runProgram(binaries.pgCtl, args, { workingDirectory: directory, user }).catch(
      () => undefined,
    );
    if (stopped !== undefined || !worksIn(processId, directory)) return;
  }
  await endProcess(processId, directory);
}

function readPostmasterId(directory: string): number | undefined {
  try {
    const processId = Number.parseInt(readFileSync(pidFile(directory), 'utf8'), 10);
    return processId > 0 ? processId : undefined;
  } catch {
    return undefined; // stopped cleanly
  }
}

function pidFile(directory: string): string {
  return join(directory, 'postmaster.pid');
}

import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { clearLeftovers } from './leftovers.ts';
import type { EmbeddedLog } from './log.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

const FIRST_ATTEMPTS = 8;
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;
/** A server that lived this long was healthy: its end is a new accident, not the last one again. */
const HEALTHY_MS = 30_000;

/** Ends by themselves: somebody took the port, or processes of a killed server are still leaving. */
const passing = /could not bind|could not create any TCP\/IP sockets|lock file .* already exists|still in use/;

export interface SupervisedServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts the server and keeps it running on the same port until it is stopped. */
export async function superviseServer(cluster: Cluster, log: EmbeddedLog): Promise<SupervisedServer> {
  let { server, port } = await startFirst(cluster, log);
  const stopping = new AbortController();
  const supervision = supervise();
  const onExit = () => server.requestStop();
  process.once('exit', onExit);
  let stopped: Promise<void> | undefined;
  return { port, stop: () => (stopped ??= stop()) };

  async function supervise(): Promise<void> {
    let accidents = 0;
    while (true) {
      const since = performance.now();
      const reason = await server.ended;
      if (stopping.signal.aborted) return;
      accidents = performance.now() - since > HEALTHY_MS ? 0 : accidents + 1;
      const pauseMs = Math.min(SHORTEST_PAUSE_MS * 2 ** accidents, LONGEST_PAUSE_MS);
      log.error({ reason, port, pauseMs }, 'PostgreSQL ended unexpectedly; starting it again');
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      await clearLeftovers(cluster).catch((error: unknown) =>
        log.warn({ error }, 'Could not clear up after PostgreSQL'),
      );
      if (stopping.signal.aborted) return;
      server = startServerProcess(cluster, port, log);
      void server.ready.then((ready) => ready && log.info({ port }, 'PostgreSQL is running again'));
    }
  }

  async function stop(): Promise<void> {
    stopping.abort();
    process.off('exit', onExit);
    await server.stop();
    await supervision;
    await clearLeftovers(cluster);
  }
}

async function startFirst(cluster: Cluster, log: EmbeddedLog): Promise<{ server: ServerProcess; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const { stoppedProcess } = await clearLeftovers(cluster);
    if (stoppedProcess !== undefined) {
      log.warn({ stoppedProcess }, 'Stopped a PostgreSQL server that an earlier run had left behind');
    }
    const port = await findFreePort();
    const server = startServerProcess(cluster, port, log);
    if (await server.ready) return { server, port };
    const reason = await server.ended;
    if (attempt === FIRST_ATTEMPTS || !passing.test(reason)) {
      throw new Error(`PostgreSQL did not start on ${cluster.directory}: ${reason}`);
    }
    log.warn({ attempt, reason }, 'PostgreSQL did not start; trying again');
    await sleep(SHORTEST_PAUSE_MS * attempt);
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('The system gave no free port.'));
      });
    });
  });
}

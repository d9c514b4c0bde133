import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import type { EmbeddedLog } from './log.ts';
import { runProgram, startProgram } from './program.ts';

const READY = 'database system is ready to accept connections';
const KEPT_LINES = 20;
const LAST_WORDS_MS = 200;
const FAST_MS = 5000;
const IMMEDIATE_MS = 2000;

/** One run of the postgres program. */
export interface ServerProcess {
  /** True once it accepts connections, false when it ended before. */
  readonly ready: Promise<boolean>;
  /** Resolves with its last words and never rejects. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
  /** Asks for a fast shutdown without waiting: all that is possible while our own process exits. */
  requestStop(): void;
}

export function startServerProcess(cluster: Cluster, port: number, log: EmbeddedLog): ServerProcess {
  const { binaries, directory, user } = cluster;
  const child = startProgram(
    binaries.postgres,
    ['-D', directory, ...settings(port)],
    { workingDirectory: directory, user },
    ['ignore', 'ignore', 'pipe'],
  );
  const lines: string[] = [];
  const state = { ready: false, stopping: false };
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(String(error)));
    child.once('exit', async (code, signal) => {
      // Its last lines may still be on their way, but a backend that outlived it keeps the pipe open.
      await within(LAST_WORDS_MS, new Promise((closed) => child.once('close', closed)));
      resolve([signal ?? `code ${code}`, ...lines].join('\n'));
    });
  });
  const ready = new Promise<boolean>((resolve) => {
    void ended.then(() => resolve(false));
    if (child.stderr === null) return;
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line);
      if (lines.length > KEPT_LINES) lines.shift();
      if (state.ready && !state.stopping) report(line, log);
      if (!line.includes(READY)) return;
      state.ready = true;
      resolve(true);
    });
  });

  async function send(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    if (process.platform !== 'win32' || signal === 'SIGKILL') child.kill(signal);
    // Windows has no signals: pg_ctl knows how to tell a server there.
    else if (child.pid !== undefined) {
      const args = ['kill', signal.slice('SIG'.length), String(child.pid)];
      await runProgram(binaries.pgCtl, args, { workingDirectory: directory, user }).catch(() => undefined);
    }
  }

  return {
    ready,
    ended,
    requestStop: () => void child.kill('SIGINT'),
    async stop() {
      state.stopping = true;
      await send('SIGINT');
      if (await within(FAST_MS, ended)) return;
      log.warn({ port }, 'PostgreSQL is slow to stop: shutting it down at once');
      await send('SIGQUIT');
      if (await within(IMMEDIATE_MS, ended)) return;
      await send('SIGKILL');
      await ended;
    },
  };
}

/** Given at every start rather than stored, so that a cluster always runs with the settings of this version. */
function settings(port: number): string[] {
  const values = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '64MB',
    max_wal_size: '256MB',
    jit: 'off',
    password_encryption: 'scram-sha-256',
    lc_messages: 'C', // the ready line is recognised by its text
    logging_collector: 'off',
    log_destination: 'stderr',
    log_min_messages: 'log', // leaves out failed statements: their senders are told, and statements hold people's data
    log_checkpoints: 'off',
    log_line_prefix: '',
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function report(line: string, log: EmbeddedLog): void {
  const message = `PostgreSQL: ${line}`;
  if (line.startsWith('PANIC')) log.error({}, message);
  else if (line.startsWith('FATAL') || line.startsWith('WARNING')) log.warn({}, message);
  else log.info({}, message);
}

async function within(limitMs: number, event: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(limitMs, false, { signal: timer.signal }).catch(() => false);
  const inTime = await Promise.race([event.then(() => true), late]);
  timer.abort();
  return inTime;
}

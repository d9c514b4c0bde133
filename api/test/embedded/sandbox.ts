import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { test as base, expect } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts';
import { makeScratchFolder } from '../kit/scratch-root.ts';

const script = fileURLToPath(new URL('server-script.ts', import.meta.url));

/** A script running in another process, and the first line it printed. */
export interface ServerScript {
  readonly child: ChildProcess;
  readonly answer: Promise<string>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** One temporary directory, the servers started in it, and the lines they logged. */
export class Sandbox {
  readonly root = makeOpenDirectory();
  readonly dataDir = join(this.root, 'data');
  /** Shared by the tests of a file: where the binaries have to be staged, once is enough. */
  readonly stagingRoot: string;
  readonly logged: string[] = [];
  readonly #servers: EmbeddedPostgres[] = [];
  readonly #children: ChildProcess[] = [];

  constructor(stagingRoot: string) {
    this.stagingRoot = stagingRoot;
  }

  async start(dataDir = this.dataDir, stagingRoot = this.stagingRoot): Promise<EmbeddedPostgres> {
    const keep = (details: object, message: string) => void this.logged.push(`${message} ${JSON.stringify(details)}`);
    const log = { info: keep, warn: keep, error: keep };
    const server = await startEmbeddedPostgres({ dataDir, stagingRoot, log });
    this.#servers.push(server);
    return server;
  }

  startScript(dataDir = this.dataDir, ...userId: string[]): ServerScript {
    const args = [script, dataDir, this.stagingRoot, ...userId];
    const child = this.adopt(spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] }));
    const exited = once(child, 'exit');
    const answer = new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).once('line', resolve);
      void exited.then(() => reject(new Error('The script ended without an answer.')));
    });
    answer.catch(() => undefined);
    const kill = async (signal: NodeJS.Signals) => {
      child.kill(signal);
      await exited;
    };
    return { child, answer, kill };
  }

  /** Ends a process with the test. */
  adopt<Child extends ChildProcess>(child: Child): Child {
    this.#children.push(child);
    return child;
  }

  async dispose(): Promise<void> {
    for (const server of this.#servers) await server.stop();
    for (const child of this.#children) child.kill('SIGKILL');
    for (const processId of processesIn(this.root)) process.kill(processId, 'SIGKILL');
    await expect.poll(() => processesIn(this.root), { timeout: 10_000 }).toEqual([]);
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

export const test = base.extend<{ stagingRoot: string; sandbox: Sandbox }>({
  stagingRoot: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of needed fixtures from the pattern
    async ({}, use) => {
      const stagingRoot = makeOpenDirectory();
      await use(stagingRoot);
      rmSync(stagingRoot, { recursive: true });
    },
    { scope: 'file' },
  ],
  sandbox: async ({ stagingRoot }, use) => {
    const sandbox = new Sandbox(stagingRoot);
    await use(sandbox);
    await sandbox.dispose();
  },
});

/** Passable like the parent of most data directories; temporary directories are private by default. */
function makeOpenDirectory(): string {
  const directory = realpathSync(makeScratchFolder());
  chmodSync(directory, 0o755);
  return directory;
}

export async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined); // tests kill servers under open connections
  await client.connect();
  try {
    const { rows } = await client.query({ text, rowMode: 'array' });
    return rows.flat();
  } finally {
    await client.end();
  }
}

/** A query that would run for minutes without looking up, begun by the time this resolves. */
export async function startLongQuery(url: string): Promise<{ outcome: Promise<unknown> }> {
  const outcome = query(url, `SELECT count(*) FROM generate_series(1, 1e9::bigint) n WHERE n::text = 'no'`).catch(
    () => 'lost',
  );
  const running = `SELECT count(*)::int FROM pg_stat_activity WHERE query LIKE '%generate_series%' AND pid <> pg_backend_pid()`;
  await expect.poll(() => query(url, running), { timeout: 10_000 }).toEqual([1]);
  return { outcome };
}

export function urlOf(answer: string): string {
  expect(answer).toMatch(/^ready postgresql:/);
  return answer.slice('ready '.length);
}

export function postmasterId(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

/** Processes that were told of the directory or, where the system shows it, work in it or below. */
export function processesIn(root: string): number[] {
  const all = execFileSync('ps', ['-ww', '-A', '-o', 'pid=,command='], { encoding: 'utf8' }).trim().split('\n');
  return all.flatMap((line) => {
    const processId = Number.parseInt(line, 10);
    return processId !== process.pid && (line.includes(root) || workingDirectory(processId).startsWith(root))
      ? processId
      : [];
  });
}

function workingDirectory(processId: number): string {
  try {
    return readlinkSync(`/proc/${processId}/cwd`);
  } catch {
    return '';
  }
}

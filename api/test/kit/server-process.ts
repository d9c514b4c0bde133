import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject, vi } from 'vitest';
import { buildWhatIsStale } from '../../scripts/build.ts';
import { processesIn } from '../embedded/sandbox.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A copy of what was built: somebody may build again while servers of this run start. */
const copy = () => join(inject('scratchFolder'), 'built');

/** The built server, running as a process of its own. */
export interface ServerProcess {
  readonly child: ChildProcess;
  /** The address of the ready line; rejects when the process ends before it. */
  readonly ready: Promise<string>;
  readonly exited: Promise<number | NodeJS.Signals>;
  /** All that was printed so far. */
  readonly printed: { stdout: string; stderr: string };
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

/** A folder for the data of servers, and the servers started in it. All are gone when it is disposed of. */
export class ServerFolder {
  readonly path = mkdtempSync(join(inject('scratchFolder'), 'server-'));
  readonly dataDir = join(this.path, 'data');
  readonly #children: ChildProcess[] = [];

  constructor() {
    chmodSync(this.path, 0o755); // root's PostgreSQL runs as somebody else
  }

  start(environment: Readonly<Record<string, string>> = {}): ServerProcess {
    const child = spawn(process.execPath, [join(copy(), 'api/dist/main.js')], {
      cwd: this.path,
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        ORACLE_DATA_DIR: this.dataDir,
        ORACLE_STAGING_DIR: join(inject('scratchFolder'), 'staging'),
        NODE_COMPILE_CACHE: join(inject('scratchFolder'), 'compiled'),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#children.push(child);
    const printed = { stdout: '', stderr: '' };
    const exited = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
    const ready = new Promise<string>((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        printed.stdout += text;
        const address = /^Oracle Agent ready at (\S+)$/m.exec(printed.stdout)?.[1];
        if (address) resolve(address);
      });
      void exited.then((how) => reject(new Error(`The server ended with ${how}:\n${printed.stderr}`)));
    });
    ready.catch(() => undefined); // not every test waits for it
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      printed.stderr += text;
    });
    const end = (signal: NodeJS.Signals) => {
      child.kill(signal);
      return exited;
    };
    return { child, ready, exited, printed, end };
  }

  /** Everything that runs on this folder, PostgreSQL included. */
  processes(): readonly number[] {
    return processesIn(this.path);
  }

  async dispose(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    for (const id of this.processes()) killIfThere(id);
    await vi.waitUntil(() => this.processes().length === 0, { timeout: 10_000 });
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Test files run side by side, so only the first to come builds. */
export async function buildServer(): Promise<void> {
  const done = join(copy(), 'done');
  if (claim(copy())) {
    buildWhatIsStale({ only: ['api'] });
    cpSync(join(root, 'api/dist'), join(copy(), 'api/dist'), { recursive: true });
    for (const folder of ['node_modules', 'console']) symlinkSync(join(root, folder), join(copy(), folder));
    writeFileSync(done, '');
  }
  await vi.waitUntil(() => existsSync(done), { timeout: 60_000 });
}

function claim(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false; // somebody else's
  }
}

function killIfThere(processId: number): void {
  try {
    process.kill(processId, 'SIGKILL');
  } catch {
    // gone by itself
  }
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { runImport as runCommand } from '../../src/import/command.ts';
import { type Kit, startKit } from '../kit/kit.ts';

/** A folder of files that a test makes up, gone when it is disposed of. */
export class SampleFolder {
  readonly path = mkdtempSync(join(inject('scratchFolder'), 'import-'));

  constructor() {
    chmodSync(this.path, 0o755);
  }

  write(files: Readonly<Record<string, string | Buffer>>): this {
    for (const [name, content] of Object.entries(files)) {
      const file = join(this.path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    return this;
  }

  remove(...names: readonly string[]): void {
    for (const name of names) rmSync(join(this.path, name), { recursive: true });
  }

  dispose(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export interface ImportResult {
  readonly code: number | NodeJS.Signals;
  readonly stdout: string;
  readonly stderr: string;
  /** The numbers of the summary, by name. */
  readonly counts: Readonly<Record<string, number>>;
}

type Environment = Readonly<Record<string, string>>;

/** The whole command, arguments and environment in and exit code out, in this process. */
export async function runImport(args: readonly string[], environment: Environment): Promise<ImportResult> {
  const printed = { stdout: '', stderr: '' };
  const into = (name: keyof typeof printed) => ({ write: (text: string) => (printed[name] += text) });
  const code = await runCommand(args, environment, {
    out: into('stdout'),
    err: into('stderr'),
    signal: new AbortController().signal,
  });
  return { code, ...printed, counts: countsOf(printed.stdout) };
}

/** The built command as people run it, in a process of its own; `buildServer` comes first. */
export async function runImportProcess(
  args: readonly string[],
  environment: Environment,
  onProgress: (text: string, interrupt: () => void) => void = () => undefined,
): Promise<ImportResult> {
  const scratch = inject('scratchFolder');
  const child = spawn(process.execPath, [join(scratch, 'built/api/dist/import/main.js'), ...args], {
    cwd: scratch,
    env: {
      PATH: process.env.PATH,
      ORACLE_STAGING_DIR: join(scratch, 'staging'),
      NODE_COMPILE_CACHE: join(scratch, 'compiled'),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
      if (name === 'stderr') onProgress(printed.stderr, () => child.kill('SIGINT'));
    });
  const [code, signal] = await once(child, 'close');
  return { code: code ?? signal, ...printed, counts: countsOf(printed.stdout) };
}

function countsOf(summary: string): ImportResult['counts'] {
  const rows = summary.matchAll(/^ {2}([a-z]+) +([\d,]+)(?: |$)/gm);
  return Object.fromEntries([...rows].map(([, name = '', count = '']) => [name, Number(count.replaceAll(',', ''))]));
}

/** What the tests of imports do besides importing, on a server of their own. */
export interface ImportKit extends Kit {
  /** Gone when the test is over; see `clear`. */
  folderOf(files: Readonly<Record<string, string | Buffer>>): SampleFolder;
  /** A name that no other test has, so that they do not see each other's. */
  newProject(): string;
  run(...args: readonly string[]): Promise<ImportResult>;
  bring(args: readonly string[], project: string): Promise<ImportResult>;
  projectId(name: string): Promise<string | undefined>;
  paths(field: 'notes' | 'codeFiles', project: string): Promise<readonly string[]>;
  clear(): void;
}

export async function startImportKit(): Promise<ImportKit> {
  const kit = await startKit();
  const folders: SampleFolder[] = [];
  let projects = 0;
  const run = (...args: readonly string[]) => runImport(args, { DATABASE_URL: kit.database.url });

  async function projectId(name: string): Promise<string | undefined> {
    const answer = await kit.admin.ask<{ projects: { id: string; name: string }[] }>('{ projects { id name } }');
    return answer.projects.find((project) => project.name === name)?.id;
  }

  return {
    ...kit,
    folderOf(files) {
      const folder = new SampleFolder();
      folders.push(folder);
      return folder.write(files);
    },
    newProject: () => `Project ${++projects}`,
    run,
    bring: (args, project) => run(...args, '--project', project),
    projectId,
    async paths(field, project) {
      const answer = await kit.admin.ask<Record<string, { edges: { node: { path: string } }[] }>>(
        `query ($id: ID) { ${field}(projectId: $id, first: 100) { edges { node { path } } } }`,
        { id: await projectId(project) },
      );
      return answer[field]?.edges.map(({ node }) => node.path) ?? [];
    },
    clear() {
      for (const folder of folders.splice(0)) folder.dispose();
    },
  };
}

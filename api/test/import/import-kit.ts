import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';

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

/** The built command in a process of its own; `buildServer` comes first. */
export async function runImport(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  onProgress: (text: string, interrupt: () => void) => void = () => undefined,
): Promise<ImportResult> {
  const program = join(inject('scratchFolder'), 'built/api/dist/import/main.js');
  const child = spawn(process.execPath, [program, ...args], {
    cwd: inject('scratchFolder'),
    env: { PATH: process.env.PATH, ORACLE_STAGING_DIR: join(inject('scratchFolder'), 'staging'), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
      if (name === 'stderr') onProgress(printed.stderr, () => child.kill('SIGINT'));
    });
  const [code, signal] = await once(child, 'close');
  const rows = printed.stdout.matchAll(/^ {2}([a-z]+) +([\d,]+)(?: |$)/gm);
  const counts = Object.fromEntries(
    [...rows].map(([, name = '', count = '']) => [name, Number(count.replaceAll(',', ''))]),
  );
  return { code: code ?? signal, ...printed, counts };
}

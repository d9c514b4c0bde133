import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import type { DatabaseUser } from './database-user.ts';

/** Nothing of our own environment reaches PostgreSQL: no secret, no locale, no PG* variable. */
const environment =
  process.platform === 'win32'
    ? { SystemRoot: 'C:\\Windows', TZ: 'UTC' }
    : { PATH: '/usr/bin:/bin', LANG: 'C', LC_ALL: 'C', TZ: 'UTC' };

export interface ProgramOptions {
  /** One the user may enter: our own working directory often is not. */
  readonly workingDirectory: string;
  readonly user: DatabaseUser | undefined;
}

/** In a session of its own: Ctrl-C in the terminal is for our server, which stops PostgreSQL when it is done with it. */
export function startProgram(
  file: string,
  args: readonly string[],
  options: ProgramOptions,
  stdio: StdioOptions,
): ChildProcess {
  const { workingDirectory: cwd, user } = options;
  return spawn(file, args, { cwd, env: environment, stdio, detached: true, windowsHide: true, ...user });
}

/** Runs a program to its end and answers what it printed; throws when it failed. */
export function runProgram(
  file: string,
  args: readonly string[],
  options: ProgramOptions,
  input = '',
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = startProgram(file, args, options, 'pipe');
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.stdin?.on('error', () => undefined); // it ended without reading: its exit code says why
    child.stdin?.end(input);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${file} ended with ${signal ?? `code ${code}`}:\n${output.trim()}`));
    });
  });
}

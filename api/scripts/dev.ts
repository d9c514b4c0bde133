/** `npm run dev`: the API, rebuilt and restarted on every change, and the console with hot reload beside it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

const commands: readonly (readonly [string, ...string[]])[] = [
  ['tsx', 'watch', '--clear-screen=false', 'api/src/main.ts'],
  ['vite', 'console', '--clearScreen', 'false'],
];

const children: ChildProcess[] = commands.map(([program, ...args]) =>
  spawn(program, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' }),
);

let stopping = false;
function stop(code: number): void {
  if (stopping) return;
  stopping = true;
  process.exitCode = code;
  for (const child of children) child.kill('SIGTERM');
}

// One without the other is of no use.
for (const child of children) child.on('exit', (code) => stop(code ?? 1));
process.on('SIGINT', () => stop(0));
process.on('SIGTERM', () => stop(0));

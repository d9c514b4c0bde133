import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { DataDirInUseError, lockDataDir } from '../../src/store/embedded/data-dir-lock.ts';
import { test } from './sandbox.ts';

describe('lockDataDir', () => {
  test('creates a private directory and says who holds it', ({ sandbox }) => {
    const lock = lockDataDir(sandbox.dataDir);

    expect(statSync(sandbox.dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(sandbox.dataDir, 'server.lock')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(sandbox.dataDir, 'server.pid'), 'utf8')).toBe(`${process.pid}\n`);
    lock.release();
    expect(existsSync(join(sandbox.dataDir, 'server.pid'))).toBe(false);
  });

  test('refuses a second holder, names the first, and lets the next one in after release', ({ sandbox }) => {
    const first = lockDataDir(sandbox.dataDir);

    expect(() => lockDataDir(sandbox.dataDir)).toThrow(DataDirInUseError);
    expect(() => lockDataDir(sandbox.dataDir)).toThrow(`${sandbox.dataDir} is in use by process ${process.pid}`);
    first.release();
    first.release();
    lockDataDir(sandbox.dataDir).release();
  });

  test('takes no notice of a process id left by a killed server, even when somebody else has it now', ({ sandbox }) => {
    lockDataDir(sandbox.dataDir).release();
    writeFileSync(join(sandbox.dataDir, 'server.pid'), `${process.ppid}\n`);

    const lock = lockDataDir(sandbox.dataDir);

    expect(readFileSync(join(sandbox.dataDir, 'server.pid'), 'utf8')).toBe(`${process.pid}\n`);
    lock.release();
  });

  test('is held against other processes', ({ sandbox }) => {
    const lock = lockDataDir(sandbox.dataDir);
    const module = new URL('../../src/store/embedded/data-dir-lock.ts', import.meta.url).href;
    const attempt = `import { lockDataDir } from '${module}';
      try { lockDataDir(process.argv[1]); console.log('taken'); } catch (error) { console.log(error.processId); }`;

    const tryElsewhere = () =>
      spawnSync(process.execPath, ['--input-type=module', '--eval', attempt, sandbox.dataDir], { encoding: 'utf8' })
        .stdout;

    expect(tryElsewhere()).toBe(`${process.pid}\n`);
    lock.release();
    expect(tryElsewhere()).toBe('taken\n');
  });
});

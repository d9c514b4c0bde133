import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { DataDirInUseError } from '../../src/store/embedded/data-dir-lock.ts';
import { postmasterId, processesIn, query, test, urlOf } from './sandbox.ts';

describe('startEmbeddedPostgres', { timeout: 60_000 }, () => {
  test('finds the data of the last run, and leaves no process behind', async ({ sandbox }) => {
    const first = await sandbox.start();
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    expect(processesIn(sandbox.root)).toEqual([]);

    const second = await sandbox.start();

    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([42]);
    await Promise.all([second.stop(), second.stop()]);
    expect(processesIn(sandbox.root)).toEqual([]);
    expect(readdirSync(sandbox.dataDir).sort()).toEqual(['postgres', 'secrets.json', 'server.lock']);
  });

  test('is durable, reached by password over loopback only, and independent of the locale of the machine', async ({
    sandbox,
  }) => {
    const { url } = await sandbox.start();
    const wrong = new URL(url);
    wrong.password = 'guessed';

    await expect(query(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    const expected = {
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      data_checksums: 'on',
      server_encoding: 'UTF8',
      timezone: 'UTC',
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
    };
    for (const [name, value] of Object.entries(expected)) {
      expect(await query(url, `SELECT '${name}', current_setting('${name}')`)).toEqual([name, value]);
    }
    expect(await query(url, 'SELECT datlocale FROM pg_database WHERE datname = current_database()')).toEqual([
      'C.UTF-8',
    ]);
  });

  test('keeps its password beside the secrets of others, and makes a new one when it was lost', async ({ sandbox }) => {
    mkdirSync(sandbox.dataDir);
    const file = join(sandbox.dataDir, 'secrets.json');
    writeFileSync(file, '{"signingKey":"theirs"}');
    const first = await sandbox.start();
    const { password } = new URL(first.url);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ signingKey: 'theirs', postgresPassword: password });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await first.stop();
    writeFileSync(file, '{"signingKey":"theirs"}');

    const second = await sandbox.start();

    expect(new URL(second.url).password).not.toBe(password);
    expect(await query(second.url, 'SELECT 1')).toEqual([1]);
  });

  test('refuses a directory that another process serves, and disturbs nothing', async ({ sandbox }) => {
    const script = sandbox.startScript();
    const url = urlOf(await script.answer);

    const refusal = await sandbox.start().catch((error: unknown) => error);

    expect(refusal).toBeInstanceOf(DataDirInUseError);
    expect(refusal).toMatchObject({ processId: script.child.pid });
    expect(await query(url, 'SELECT 1')).toEqual([1]);
    await script.kill('SIGTERM');
    expect(processesIn(sandbox.root)).toEqual([]);
  });

  test('lets exactly one of several simultaneous starts on a fresh directory win', async ({ sandbox }) => {
    const scripts = Array.from({ length: 4 }, () => sandbox.startScript());

    const answers = await Promise.all(scripts.map((script) => script.answer));

    const winner = scripts[answers.findIndex((answer) => answer.startsWith('ready'))];
    expect(answers.filter((answer) => answer === `refused ${winner?.child.pid}`)).toHaveLength(3);
    await winner?.kill('SIGTERM');
  });

  test('stops a server that no longer reacts', async ({ sandbox }) => {
    const server = await sandbox.start();
    process.kill(postmasterId(sandbox.dataDir), 'SIGSTOP');

    await server.stop();

    expect(processesIn(sandbox.root)).toEqual([]);
  });
});

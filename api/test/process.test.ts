import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { codesOf, createClient } from './kit/client.ts';
import { overSse } from './kit/live.ts';
import { openRawSocket } from './kit/raw-socket.ts';
import { buildServer, ServerFolder } from './kit/server-process.ts';
import { createTestDatabase } from './kit/test-database.ts';

const whoAmI = '{ viewer { name role } }';
const administrator = { viewer: { name: 'Administrator', role: 'ADMIN' } };
const signIn = /^Sign in as administrator with this token, shown only this once:\n\n {2}(\S+)\n\n/;

let folder: ServerFolder;
beforeAll(buildServer);
beforeEach(() => {
  folder = new ServerFolder();
});
afterEach(() => folder.dispose());

describe('starting', () => {
  it('prints the administrator’s sign-in at the first start only, and the ready line', async () => {
    const first = folder.start();
    const url = await first.ready;
    const token = signIn.exec(first.printed.stdout)?.[1] ?? '';
    expect(first.printed.stdout.replace(signIn, '')).toBe(`Oracle Agent ready at ${url}\n`);
    expect(await createClient(url, token).ask(whoAmI)).toEqual(administrator);
    expect(first.printed.stderr).not.toContain(token);
    await first.end('SIGTERM');

    const second = folder.start();
    const again = await second.ready;
    expect(second.printed.stdout).toBe(`Oracle Agent ready at ${again}\n`);
    expect(await createClient(again, token).ask(whoAmI)).toEqual(administrator);
  });

  it('takes the token of the environment, prints none, and rotates with it, forth and back', async () => {
    const tokens = ['first-token', 'second-token'] as const;
    for (const current of [tokens[0], tokens[1], tokens[0]]) {
      const server = folder.start({ ORACLE_ADMIN_TOKEN: current });
      const url = await server.ready;
      expect(server.printed.stdout).toBe(`Oracle Agent ready at ${url}\n`);
      for (const token of tokens) {
        const answer = await createClient(url, token).query(whoAmI);
        if (token === current) expect(answer.data).toEqual(administrator);
        else expect(codesOf(answer)).toEqual(['UNAUTHENTICATED']);
      }
      await server.end('SIGTERM');
      expect(server.printed.stderr).not.toContain(current);
    }
  });

  it('refuses a data directory in use, naming the process, and leaves that one alone', async () => {
    const first = folder.start();
    const url = await first.ready;
    const second = folder.start();

    expect(await second.exited).toBe(1);
    expect(second.printed.stdout).toBe('');
    expect(second.printed.stderr).toMatch(new RegExp(`in use by process ${first.child.pid}\\b.*ORACLE_DATA_DIR`));
    expect(second.printed.stderr.trim().split('\n')).toHaveLength(1);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  });

  it('refuses a bad environment with all problems and nothing else', async () => {
    const server = folder.start({ PORT: 'x', DATABASE_URL: 'secret://s', ORACLE_LOG_LEVEL: 'loud' });

    expect(await server.exited).toBe(1);
    expect(server.printed.stdout).toBe('');
    expect(server.printed.stderr).toMatch(/^The settings in the environment are not usable:\n/);
    for (const name of ['PORT', 'DATABASE_URL', 'ORACLE_LOG_LEVEL']) expect(server.printed.stderr).toContain(name);
    expect(server.printed.stderr).not.toMatch(/secret|\bat .*\.js/);
    expect(existsSync(folder.dataDir)).toBe(false);
  });

  it('refuses a default model that it cannot use, naming what is missing, before it makes a database', async () => {
    const server = folder.start({ ORACLE_MODEL: 'openrouter/vendor/name' });

    expect(await server.exited).toBe(1);
    expect(server.printed.stderr).toMatch(/ORACLE_MODEL cannot be used\. .* needs OPENROUTER_API_KEY\./);
    expect(existsSync(folder.dataDir)).toBe(false);
  });

  it('says in a sentence that the port is taken, and leaves nothing running', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const server = folder.start({ PORT: String(port), ORACLE_ADMIN_TOKEN: 'token', ORACLE_LOG_LEVEL: 'silent' });

    expect(await server.exited).toBe(1);
    expect(server.printed).toEqual({
      stdout: '',
      stderr: `Port ${port} on 127.0.0.1 is taken. Set PORT to another, or to 0 for any free one.\n`,
    });
    expect(folder.processes()).toEqual([]);
    other.close();
  });

  it('shows the administrator’s sign-in although the first start then fails', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const first = folder.start({ PORT: String(port) });
    expect(await first.exited).toBe(1);
    other.close();

    const token = signIn.exec(first.printed.stdout)?.[1];
    const url = await folder.start().ready;
    expect(await createClient(url, token).ask(whoAmI)).toEqual(administrator);
  });

  it('makes the first administrator and the token at once, or neither', async () => {
    const database = await createTestDatabase();
    await database.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'no tokens'; end $$;
      create trigger refuse before insert on tokens for each row execute function refuse()`);
    expect(await folder.start({ DATABASE_URL: database.url }).exited).toBe(1);
    await database.query('drop function refuse cascade');

    const again = folder.start({ DATABASE_URL: database.url });
    await again.ready;
    expect(again.printed.stdout).toMatch(signIn);
    await again.end('SIGTERM');
    await database.drop();
  });

  it('says in a sentence that the database of DATABASE_URL cannot be reached, without its password', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    const DATABASE_URL = `postgres://me:hunter2@127.0.0.1:${port}/oracle`;
    const server = folder.start({ DATABASE_URL, ORACLE_LOG_LEVEL: 'silent' });

    expect(await server.exited).toBe(1);
    expect(server.printed.stderr).toMatch(/DATABASE_URL/);
    expect(server.printed.stderr.trim().split('\n')).toHaveLength(1);
    expect(server.printed.stderr).not.toContain('hunter2');
  });

  it('says in a sentence that the database of DATABASE_URL wants a password, or is not ours to change', async () => {
    const database = await createTestDatabase({ empty: true });
    const withoutPassword = new URL(database.url);
    withoutPassword.password = '';
    await database.query('create role visitor');
    const asVisitor = new URL(database.url);
    asVisitor.searchParams.set('options', '-c role=visitor');

    for (const { href } of [withoutPassword, asVisitor]) {
      const server = folder.start({ DATABASE_URL: href });
      expect(await server.exited).toBe(1);
      expect(server.printed.stderr).toMatch(
        /^The database of DATABASE_URL cannot be used: .*(password|permission).*\n$/,
      );
    }
    await database.query('drop role visitor');
    await database.drop();
  });

  it('says in a sentence that the database of DATABASE_URL does not answer', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const server = folder.start({ DATABASE_URL: `postgres://me:secret@127.0.0.1:${port}/oracle` });

    expect(await server.exited).toBe(1);
    expect(server.printed.stderr).toMatch(/^The database of DATABASE_URL cannot be used: .*\n$/);
    silent.close();
  });

  it.each([
    ['is a file', 'taken', 'there is a file of that name'],
    ['lies below a file', 'taken/below', 'a part of its path is a file'],
  ])('says in a sentence that the data directory cannot be used when it %s', async (_case, name, reason) => {
    writeFileSync(join(folder.path, 'taken'), '');
    const dataDir = join(folder.path, name);
    const server = folder.start({ ORACLE_DATA_DIR: dataDir });

    expect(await server.exited).toBe(1);
    expect(server.printed).toEqual({
      stdout: '',
      stderr: `The data directory ${dataDir} cannot be used: ${reason}. Set ORACLE_DATA_DIR to a directory that this user may write to.\n`,
    });
  });

  it('says in a sentence that HOST is nowhere here, and does not blame the database', async () => {
    const database = await createTestDatabase();
    const server = folder.start({ DATABASE_URL: database.url, HOST: 'host.invalid', ORACLE_LOG_LEVEL: 'silent' });

    expect(await server.exited).toBe(1);
    expect(server.printed.stderr).toMatch(/^HOST host\.invalid is no address of this machine\..*\n$/);
    await database.drop();
  });

  it('says that a newer version has changed the database, and works on', async () => {
    const database = await createTestDatabase();
    await database.query("insert into mikro_orm_migrations (name) values ('9999-from-the-future')");
    const server = folder.start({ DATABASE_URL: database.url });
    await server.ready;
    await server.end('SIGTERM');

    expect(server.printed.stderr).toContain('"migrations":["9999-from-the-future"]');
    await database.drop();
  });

  it('lets two servers begin together on an empty database, with one administrator', async () => {
    const database = await createTestDatabase({ empty: true });
    const servers = [1, 2].map(() => folder.start({ DATABASE_URL: database.url }));
    const urls = await Promise.all(servers.map((server) => server.ready));

    const tokens = servers.flatMap((server) => signIn.exec(server.printed.stdout)?.[1] ?? []);
    expect(tokens).toHaveLength(1);
    for (const url of urls) expect(await createClient(url, tokens[0]).ask(whoAmI)).toEqual(administrator);
    expect(await database.query('select 1 from users')).toHaveLength(1);
    expect(existsSync(folder.dataDir)).toBe(false);
    expect(await Promise.all(servers.map((server) => server.end('SIGTERM')))).toEqual([0, 0]);
    await database.drop();
  });
});

describe('stopping', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('ends cleanly on %s and leaves no process', async (signal) => {
    const server = folder.start();
    await server.ready;

    expect(await server.end(signal)).toBe(0);
    expect(folder.processes()).toEqual([]);
  });

  it('ends cleanly although clients neither read nor answer', async () => {
    const server = folder.start({ ORACLE_ADMIN_TOKEN: 'token' });
    const url = await server.ready;
    const subscription = 'subscription { settingsChanged { id } }';
    const socket = await openRawSocket(url, { params: { authorization: 'Bearer token' } });
    await socket.answer(subscription);
    socket.socket.pause();
    const live = overSse({ url, token: 'token' }, subscription);
    await live.next();

    expect(await server.end('SIGTERM')).toBe(0);
    expect(folder.processes()).toEqual([]);
    await socket.close();
    await live.stop();
  });

  const moments = [
    ['while the database is being made', () => readdirSync(folder.dataDir).some((name) => name.includes('.new-'))],
    ['while the database starts', () => existsSync(join(folder.dataDir, 'postgres', 'postmaster.pid'))],
  ] as const;
  it.each(moments)('in the middle of a start, %s, leaves no process and a folder to start on', async (_case, come) => {
    const server = folder.start();
    await vi.waitUntil(() => existsSync(folder.dataDir) && come(), { timeout: 30_000, interval: 2 });

    expect(await server.end('SIGTERM')).toBe(0);
    expect(folder.processes()).toEqual([]);
    const next = folder.start();
    await next.ready;
  });
});

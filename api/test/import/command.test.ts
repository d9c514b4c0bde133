import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildServer } from '../kit/server-process.ts';
import { type ImportKit, runImport, runImportProcess, startImportKit } from './import-kit.ts';

let kit: ImportKit;
beforeAll(async () => {
  [kit] = await Promise.all([startImportKit(), buildServer()]);
});
afterEach(() => kit.clear());
afterAll(() => kit.stop());

describe('the command', () => {
  it('tells how it is used', async () => {
    const { code, stdout } = await runImportProcess(['--help'], {});

    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage: npm run import -- /);
  });

  it('refuses wrong usage with 2 and a sentence', async () => {
    const folder = kit.folderOf({ 'a.md': '1' });
    const cases: readonly (readonly [readonly string[], string])[] = [
      [[], 'Say what to import'],
      [['--notes', '.'], "Unknown option '--notes'"],
      [['--vault', join(folder.path, 'nowhere')], 'nowhere cannot be imported: it does not exist.'],
      [['--vault', join(folder.path, 'a.md')], 'a.md is a file; --vault takes a folder.'],
      [['--threads', folder.path], 'is a folder; --threads takes a file.'],
      [['--vault', folder.path, '--user', 'nobody@example.com'], 'Nobody has the address nobody@example.com.'],
    ];

    for (const [args, message] of cases) {
      const { code, stderr } = await kit.run(...args);
      expect({ code, stderr }, args.join(' ')).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    }
    expect(await runImportProcess(['--vault', folder.path], { DATABASE_URL: 'mysql://x' })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('DATABASE_URL must be a PostgreSQL address'),
    });
  });

  it('tells when the database is not there', async () => {
    const folder = kit.folderOf({ 'a.md': '1' });

    const { code, stderr } = await runImport(['--vault', folder.path], { DATABASE_URL: 'postgres://127.0.0.1:9/none' });

    expect(code).toBe(1);
    expect(stderr).toContain('ECONNREFUSED');
  });

  it('brings things to the person named, into their default project', async () => {
    const user = await kit.newUser();
    const folder = kit.folderOf({ 'for/them.md': '# Theirs' });

    expect((await kit.run('--vault', folder.path, '--user', user.email.toUpperCase())).code).toBe(0);

    expect(await user.ask('{ note(path: "for/them.md") { title } }')).toEqual({ note: { title: 'Theirs' } });
    expect(await kit.admin.ask('{ note(path: "for/them.md") { title } }')).toEqual({ note: null });
  });

  it('in a dry run changes nothing and makes no project', async () => {
    const folder = kit.folderOf({ 'a.md': '1', 'b.md': 'a\0' });

    const result = await kit.run('--vault', folder.path, '--project', 'Only imagined', '--dry-run');

    expect(result).toMatchObject({ code: 1, counts: { created: 1, failed: 1 } });
    expect(await kit.projectId('Only imagined')).toBeUndefined();
  });

  it('interrupted among 5 000 files keeps what went in, says so, and goes on the next time', {
    timeout: 300_000,
  }, async () => {
    const project = kit.newProject();
    const files = Array.from(
      { length: 5_000 },
      (_, n) => [`f${Math.floor(n / 100)}/note ${n}.md`, `# Note ${n}`] as const,
    );
    const folder = kit.folderOf(Object.fromEntries(files));
    const args = ['--vault', folder.path, '--project', project];
    const count = async () =>
      Number(
        (
          await kit.database.query('select count(*) from notes where project_id = $1', [await kit.projectId(project)])
        )[0]?.count,
      );

    const stopped = await runImportProcess(args, { DATABASE_URL: kit.database.url }, (text, interrupt) => {
      if (text.includes('1,000 of 5,000')) interrupt();
    });

    expect(stopped.code).toBe(130);
    expect(stopped.stdout).toContain('What went in stays');
    expect(stopped.counts.created).toBeGreaterThanOrEqual(1_000);
    expect(stopped.counts.created).toBeLessThan(5_000);
    expect(await count()).toBe(stopped.counts.created);

    const rest = await kit.run(...args);
    expect(rest.code).toBe(0);
    expect((rest.counts.created ?? 0) + (rest.counts.unchanged ?? 0)).toBe(5_000);
    expect(await count()).toBe(5_000);
  });
});

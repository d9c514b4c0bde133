import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit/kit.ts';
import { buildServer } from '../kit/server-process.ts';
import { type ImportResult, runImport, SampleFolder } from './import-kit.ts';

let kit: Kit;
beforeAll(async () => {
  [kit] = await Promise.all([startKit(), buildServer()]);
}, 120_000);
afterAll(() => kit.stop());

const folders: SampleFolder[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.dispose();
});

function folderOf(files: Readonly<Record<string, string | Buffer>>): SampleFolder {
  const folder = new SampleFolder();
  folders.push(folder);
  return folder.write(files);
}

let projects = 0;
/** A project of its own for every test, so that they do not see each other's. */
const newProject = () => `Project ${++projects}`;

const bring = (args: readonly string[], project: string): Promise<ImportResult> =>
  runImport([...args, '--project', project], { DATABASE_URL: kit.database.url });

async function projectId(name: string): Promise<string | undefined> {
  const answer = await kit.admin.ask<{ projects: { id: string; name: string }[] }>('{ projects { id name } }');
  return answer.projects.find((project) => project.name === name)?.id;
}

async function paths(field: 'notes' | 'codeFiles', project: string): Promise<readonly string[]> {
  const answer = await kit.admin.ask<Record<string, { edges: { node: { path: string } }[] }>>(
    `query ($id: ID) { ${field}(projectId: $id, first: 100) { edges { node { path } } } }`,
    { id: await projectId(project) },
  );
  return answer[field]?.edges.map(({ node }) => node.path) ?? [];
}

async function body(path: string, project: string): Promise<string | undefined> {
  const answer = await kit.admin.ask<{ note: { body: string } | null }>(
    'query ($id: ID, $path: String!) { note(projectId: $id, path: $path) { body } }',
    { id: await projectId(project), path },
  );
  return answer.note?.body;
}

async function edit(path: string, text: string, project: string): Promise<void> {
  await kit.admin.ask(
    'mutation ($id: ID, $path: String!, $body: String!) { saveNote(input: { projectId: $id, path: $path, body: $body }) { __typename } }',
    { id: await projectId(project), path, body: text },
  );
}

describe('importing code', () => {
  it('leaves out what git ignores, at every depth, and what is no text', async () => {
    const project = newProject();
    const folder = folderOf({
      '.gitignore': 'dist/\n*.log\n!keep.log\n/only-at-the-top.ts\n',
      'src/main.ts': 'export const mainPoint = 1;\n',
      'src/.gitignore': 'secret.ts\n!important.log\n',
      'src/secret.ts': 'const password = 1;\n',
      'src/deep/secret.ts': 'const password = 2;\n',
      'src/only-at-the-top.ts': 'const here = 1;\n',
      'src/important.log': 'kept by the nearer rule\n',
      'src/trace.log': 'dropped\n',
      'keep.log': 'kept by the later rule\n',
      'only-at-the-top.ts': 'dropped\n',
      'dist/bundle.js': 'dropped\n',
      'src/dist/bundle.js': 'dropped\n',
      'node_modules/package/index.js': 'dropped\n',
      '.git/config': 'dropped\n',
      'logo.png': Buffer.from([0x89, 0x50, 0, 0, 1]),
      'large.json': 'x'.repeat(1_000_001),
    });
    symlinkSync('/etc', join(folder.path, 'outside'));
    symlinkSync('/etc/hostname', join(folder.path, 'outside.txt'));
    symlinkSync(join(folder.path, 'src/main.ts'), join(folder.path, 'inside.ts'));

    const result = await bring(['--code', folder.path], project);

    expect(result.stdout).toContain('large.json: longer than 1,000,000 bytes');
    expect(result.stdout).toContain('outside.txt: links out of the folder');
    expect(result).toMatchObject({ code: 0, counts: { created: 7, skipped: 4, failed: 0 } });
    expect(await paths('codeFiles', project)).toEqual([
      '.gitignore',
      'inside.ts',
      'keep.log',
      'src/.gitignore',
      'src/important.log',
      'src/main.ts',
      'src/only-at-the-top.ts',
    ]);
  });

  it('a second time brings only what changed, and removes what is gone', async () => {
    const project = newProject();
    const folder = folderOf({ 'a.ts': 'export const a = 1;', 'b.py': 'def before(): pass', 'c.md': '# C' });
    const other = folderOf({ 'elsewhere.go': 'package elsewhere' });
    await bring(['--code', folder.path, '--code', other.path], project);

    const again = await bring(['--code', folder.path], project);
    expect(again).toMatchObject({ code: 0, counts: { created: 0, changed: 0, unchanged: 3, removed: 0, failed: 0 } });

    folder.write({ 'b.py': 'def after(): pass', 'd.rs': 'fn fresh() {}' }).remove('c.md');
    expect((await bring(['--code', folder.path, '--dry-run'], project)).counts).toMatchObject({
      created: 1,
      changed: 1,
      unchanged: 1,
      removed: 1,
    });
    expect(await paths('codeFiles', project)).toContain('c.md');

    const third = await bring(['--code', folder.path], project);
    expect(third).toMatchObject({ code: 0, counts: { created: 1, changed: 1, unchanged: 1, removed: 1 } });
    expect(await paths('codeFiles', project)).toEqual(['a.ts', 'b.py', 'd.rs', 'elsewhere.go']);
    const { codeDefinitions } = await kit.admin.ask<{ codeDefinitions: { totalCount: number } }>(
      'query ($id: ID) { codeDefinitions(projectId: $id, name: "after") { totalCount } }',
      { id: await projectId(project) },
    );
    expect(codeDefinitions.totalCount).toBe(1);
  });

  it('of a folder that is empty all of a sudden removes nothing', async () => {
    const project = newProject();
    const folder = folderOf({ 'a.ts': 'export const a = 1;' });
    await bring(['--code', folder.path], project);
    folder.remove('a.ts');

    const result = await bring(['--code', folder.path], project);

    expect(result.code).toBe(1);
    expect(result.stdout).toContain('the folder is empty now; what came from it (1) was kept');
    expect(await paths('codeFiles', project)).toEqual(['a.ts']);
  });
});

describe('importing notes', () => {
  it('takes Markdown files with their paths, and nothing else', async () => {
    const project = newProject();
    const folder = folderOf({
      'index.md': '# Start\n\nSee [[deep/note]].',
      'deep/note.markdown': 'Ünïcode 🚀\n',
      'bom.md': '\uFEFF# With a mark\n',
      'image.png': 'x',
      '.obsidian/workspace.md': 'hidden',
    });

    const result = await bring(['--vault', folder.path], project);

    expect(result).toMatchObject({ code: 0, counts: { created: 3, failed: 0 } });
    expect(await paths('notes', project)).toEqual(['bom.md', 'deep/note.markdown', 'index.md']);
    expect(await body('deep/note.markdown', project)).toBe('Ünïcode 🚀\n');
    expect(await body('bom.md', project)).toBe('# With a mark\n');
  });

  it('reports every file that cannot go in, and brings in the rest', async () => {
    const project = newProject();
    const deep = `${'a'.repeat(200)}/${'b'.repeat(200)}/${'c'.repeat(100)}.md`;
    const folder = folderOf({
      'good.md': '# Good',
      'latin.md': Buffer.from([0x63, 0x61, 0x66, 0xe9]),
      'nul.md': 'a\0b',
      'huge.md': 'x'.repeat(1_000_001),
      [deep]: '# Deep',
      'zz.md': '# Also good',
    });
    symlinkSync(join(folder.path, 'nowhere.md'), join(folder.path, 'broken.md'));

    const result = await bring(['--vault', folder.path], project);

    expect(result).toMatchObject({ code: 1, counts: { created: 2, failed: 5 } });
    for (const line of [
      'latin.md: it is not valid UTF-8',
      'nul.md: not a text',
      'huge.md: longer than 1,000,000 bytes',
      `${deep}: Path must be at most 500 characters long.`,
      'broken.md: it does not exist',
    ])
      expect(result.stdout).toContain(`    ${line}\n`);
    expect(await paths('notes', project)).toEqual(['good.md', 'zz.md']);
  });

  it('a second time changes what changed and keeps what was changed here', async () => {
    const project = newProject();
    const folder = folderOf({ 'a.md': 'one', 'b.md': 'one', 'c.md': 'one', 'd.md': 'one' });
    await bring(['--vault', folder.path], project);
    await edit('b.md', 'edited here', project);
    await edit('c.md', 'edited here', project);
    folder.write({ 'a.md': 'two', 'c.md': 'two' });

    const result = await bring(['--vault', folder.path], project);

    expect(result).toMatchObject({ code: 1, counts: { created: 0, changed: 1, unchanged: 2, failed: 1 } });
    expect(result.stdout).toContain('c.md: it was changed both here and in its file since the last import');
    expect([await body('a.md', project), await body('b.md', project), await body('c.md', project)]).toEqual([
      'two',
      'edited here',
      'edited here',
    ]);
    expect((await bring(['--vault', folder.path, '--force'], project)).code).toBe(0);
    expect([await body('b.md', project), await body('c.md', project)]).toEqual(['edited here', 'two']);
  });

  it('reports notes whose file is gone, and deletes them with --prune unless they were changed here', async () => {
    const project = newProject();
    const folder = folderOf({ 'stays.md': '1', 'goes.md': '2', 'edited.md': '3' });
    await bring(['--vault', folder.path], project);
    await edit('of-mine.md', 'never imported', project);
    await edit('edited.md', 'changed here', project);
    folder.remove('goes.md', 'edited.md');

    const first = await bring(['--vault', folder.path], project);
    expect(first).toMatchObject({ code: 0, counts: { gone: 2, removed: 0 } });
    expect(first.stdout).toMatch(/gone +2 {2}kept; --prune deletes them\n {4}edited\.md\n {4}goes\.md\n/);

    const pruned = await bring(['--vault', folder.path, '--prune'], project);
    expect(pruned.counts).toMatchObject({ removed: 1, gone: 1 });
    expect(await paths('notes', project)).toEqual(['edited.md', 'of-mine.md', 'stays.md']);
  });
});

describe('importing threads', () => {
  const entries = async (project: string) =>
    kit.database.query<{ title: string; kind: string; text: string }>(
      `select thread.title, kind, text from thread_entries as entry join threads as thread on thread.id = entry.thread_id
       where thread.project_id = $1 order by thread.title, number`,
      [await projectId(project)],
    );

  it('reads JSON Lines, reports bad ones, and adds nothing twice', async () => {
    const project = newProject();
    const folder = folderOf({
      'threads.jsonl': [
        '{"thread":"Caching","kind":"decision","text":"Fifteen minutes.","at":"2026-11-16T09:30:00Z","author":"Ada"}',
        'not json',
        '',
        '{"thread":"Caching","kind":"guess","text":"x"}',
        '{"thread":"Caching","kind":"THOUGHT","text":"Or ten?"}',
        '{"thread":"Trains","kind":"insight","text":"They are late.","at":"yesterday"}',
        '{"thread":"Trains","kind":"insight","text":""}',
        '{"thread":"Trains","kind":"insight","text":"They are late."}',
      ].join('\n'),
    });
    const file = join(folder.path, 'threads.jsonl');

    const result = await bring(['--threads', file], project);

    expect(result).toMatchObject({ code: 1, counts: { created: 3, unchanged: 0, failed: 4 } });
    expect(result.stdout).toContain('threads.jsonl:2: it is not JSON');
    expect(result.stdout).toContain('threads.jsonl:4: kind must be one of thought, decision, research, insight');
    expect(result.stdout).toContain('threads.jsonl:6: at must be a time such as 2026-11-16T09:30:00Z');
    expect(result.stdout).toContain('threads.jsonl:7: Text must not be empty.');
    expect((await bring(['--threads', file], project)).counts).toMatchObject({ created: 0, unchanged: 3, failed: 4 });
    expect(await entries(project)).toEqual([
      { title: 'Caching', kind: 'DECISION', text: 'Fifteen minutes.' },
      { title: 'Caching', kind: 'THOUGHT', text: 'Or ten?' },
      { title: 'Trains', kind: 'INSIGHT', text: 'They are late.' },
    ]);
  });

  it('reads Markdown', async () => {
    const project = newProject();
    const folder = folderOf({
      'threads.md':
        '# Caching\n\n## decision 2026-11-16T09:30:00Z\n\nFifteen minutes.\n\n```sh\n# no heading\n```\n\n## thought\nOr ten?\n\n# Trains\n## rumour\nLate.\n',
    });

    const result = await bring(['--threads', join(folder.path, 'threads.md')], project);

    expect(result).toMatchObject({ code: 1, counts: { created: 2, failed: 1 } });
    expect(result.stdout).toContain('threads.md:15: kind must be one of');
    expect(await entries(project)).toMatchObject([
      { title: 'Caching', kind: 'DECISION', text: 'Fifteen minutes.\n\n```sh\n# no heading\n```' },
      { title: 'Caching', kind: 'THOUGHT', text: 'Or ten?' },
    ]);
  });
});

describe('the command', () => {
  const run = (...args: readonly string[]) => runImport(args, { DATABASE_URL: kit.database.url });

  it('tells how it is used', async () => {
    const { code, stdout } = await run('--help');

    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage: npm run import -- /);
  });

  it('refuses wrong usage with 2 and a sentence', async () => {
    const folder = folderOf({ 'a.md': '1' });
    const cases: readonly (readonly [readonly string[], string])[] = [
      [[], 'Say what to import'],
      [['--notes', '.'], "Unknown option '--notes'"],
      [['--vault', join(folder.path, 'nowhere')], 'nowhere cannot be imported: it does not exist.'],
      [['--vault', join(folder.path, 'a.md')], 'a.md is a file; --vault takes a folder.'],
      [['--threads', folder.path], 'is a folder; --threads takes a file.'],
      [['--vault', folder.path, '--user', 'nobody@example.com'], 'Nobody has the address nobody@example.com.'],
    ];

    for (const [args, message] of cases) {
      const { code, stderr } = await run(...args);
      expect({ code, stderr }, args.join(' ')).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    }
    expect((await runImport(['--vault', folder.path], { DATABASE_URL: 'mysql://x' })).code).toBe(2);
  });

  it('tells when the database is not there', async () => {
    const folder = folderOf({ 'a.md': '1' });

    const { code, stderr } = await runImport(['--vault', folder.path], { DATABASE_URL: 'postgres://127.0.0.1:9/none' });

    expect(code).toBe(1);
    expect(stderr).toContain('ECONNREFUSED');
  });

  it('brings things to the person named, into their default project', async () => {
    const user = await kit.newUser();
    const folder = folderOf({ 'for/them.md': '# Theirs' });

    expect((await run('--vault', folder.path, '--user', user.email.toUpperCase())).code).toBe(0);

    expect(await user.ask('{ note(path: "for/them.md") { title } }')).toEqual({ note: { title: 'Theirs' } });
    expect(await kit.admin.ask('{ note(path: "for/them.md") { title } }')).toEqual({ note: null });
  });

  it('in a dry run changes nothing and makes no project', async () => {
    const folder = folderOf({ 'a.md': '1', 'b.md': 'a\0' });

    const result = await run('--vault', folder.path, '--project', 'Only imagined', '--dry-run');

    expect(result).toMatchObject({ code: 1, counts: { created: 1, failed: 1 } });
    expect(await projectId('Only imagined')).toBeUndefined();
  });

  it('interrupted among 5 000 files keeps what went in, says so, and goes on the next time', {
    timeout: 300_000,
  }, async () => {
    const project = newProject();
    const files = Array.from(
      { length: 5_000 },
      (_, n) => [`f${Math.floor(n / 100)}/note ${n}.md`, `# Note ${n}`] as const,
    );
    const folder = folderOf(Object.fromEntries(files));
    const args = ['--vault', folder.path, '--project', project];
    const count = async () =>
      Number(
        (await kit.database.query('select count(*) from notes where project_id = $1', [await projectId(project)]))[0]
          ?.count,
      );

    const stopped = await runImport(args, { DATABASE_URL: kit.database.url }, (text, interrupt) => {
      if (text.includes('1,000 of 5,000')) interrupt();
    });

    expect(stopped.code).toBe(130);
    expect(stopped.stdout).toContain('What went in stays');
    expect(stopped.counts.created).toBeGreaterThanOrEqual(1_000);
    expect(stopped.counts.created).toBeLessThan(5_000);
    expect(await count()).toBe(stopped.counts.created);

    const rest = await runImport(args, { DATABASE_URL: kit.database.url });
    expect(rest.code).toBe(0);
    expect((rest.counts.created ?? 0) + (rest.counts.unchanged ?? 0)).toBe(5_000);
    expect(await count()).toBe(5_000);
  });
});

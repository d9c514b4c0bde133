import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ImportKit, startImportKit } from './import-kit.ts';

let kit: ImportKit;
beforeAll(async () => {
  kit = await startImportKit();
});
afterEach(() => kit.clear());
afterAll(() => kit.stop());

async function body(path: string, project: string): Promise<string | undefined> {
  const answer = await kit.admin.ask<{ note: { body: string } | null }>(
    'query ($id: ID, $path: String!) { note(projectId: $id, path: $path) { body } }',
    { id: await kit.projectId(project), path },
  );
  return answer.note?.body;
}

async function edit(path: string, text: string, project: string): Promise<void> {
  await kit.admin.ask(
    'mutation ($id: ID, $path: String!, $body: String!) { saveNote(input: { projectId: $id, path: $path, body: $body }) { __typename } }',
    { id: await kit.projectId(project), path, body: text },
  );
}

describe('importing notes', () => {
  it('takes Markdown files with their paths, and nothing else', async () => {
    const project = kit.newProject();
    const folder = kit.folderOf({
      'index.md': '# Start\n\nSee [[deep/note]].',
      'deep/note.markdown': 'Ünïcode 🚀\n',
      'bom.md': '\uFEFF# With a mark\n',
      'image.png': 'x',
      '.obsidian/workspace.md': 'hidden',
    });

    const result = await kit.bring(['--vault', folder.path], project);

    expect(result).toMatchObject({ code: 0, counts: { created: 3, failed: 0 } });
    expect(await kit.paths('notes', project)).toEqual(['bom.md', 'deep/note.markdown', 'index.md']);
    expect(await body('deep/note.markdown', project)).toBe('Ünïcode 🚀\n');
    expect(await body('bom.md', project)).toBe('# With a mark\n');
  });

  it('reports every file that cannot go in, and brings in the rest', async () => {
    const project = kit.newProject();
    const deep = `${'a'.repeat(200)}/${'b'.repeat(200)}/${'c'.repeat(100)}.md`;
    const folder = kit.folderOf({
      'good.md': '# Good',
      'latin.md': Buffer.from([0x63, 0x61, 0x66, 0xe9]),
      'nul.md': 'a\0b',
      'huge.md': 'x'.repeat(1_000_001),
      [deep]: '# Deep',
      'zz.md': '# Also good',
    });
    symlinkSync(join(folder.path, 'nowhere.md'), join(folder.path, 'broken.md'));

    const result = await kit.bring(['--vault', folder.path], project);

    expect(result).toMatchObject({ code: 1, counts: { created: 2, failed: 5 } });
    for (const line of [
      'latin.md: it is not valid UTF-8',
      'nul.md: not a text',
      'huge.md: longer than 1,000,000 bytes',
      `${deep}: Path must be at most 500 characters long.`,
      'broken.md: it does not exist',
    ])
      expect(result.stdout).toContain(`    ${line}\n`);
    expect(await kit.paths('notes', project)).toEqual(['good.md', 'zz.md']);
  });

  it('a second time changes what changed and keeps what was changed here', async () => {
    const project = kit.newProject();
    const folder = kit.folderOf({ 'a.md': 'one', 'b.md': 'one', 'c.md': 'one', 'd.md': 'one' });
    await kit.bring(['--vault', folder.path], project);
    await edit('b.md', 'edited here', project);
    await edit('c.md', 'edited here', project);
    folder.write({ 'a.md': 'two', 'c.md': 'two' });

    const result = await kit.bring(['--vault', folder.path], project);

    expect(result).toMatchObject({ code: 1, counts: { created: 0, changed: 1, unchanged: 2, failed: 1 } });
    expect(result.stdout).toContain('c.md: it was changed both here and in its file since the last import');
    expect([await body('a.md', project), await body('b.md', project), await body('c.md', project)]).toEqual([
      'two',
      'edited here',
      'edited here',
    ]);
    expect((await kit.bring(['--vault', folder.path, '--force'], project)).code).toBe(0);
    expect([await body('b.md', project), await body('c.md', project)]).toEqual(['edited here', 'two']);
  });

  it('reports notes whose file is gone, and deletes them with --prune unless they were changed here', async () => {
    const project = kit.newProject();
    const folder = kit.folderOf({ 'stays.md': '1', 'goes.md': '2', 'edited.md': '3' });
    await kit.bring(['--vault', folder.path], project);
    await edit('of-mine.md', 'never imported', project);
    await edit('edited.md', 'changed here', project);
    folder.remove('goes.md', 'edited.md');

    const first = await kit.bring(['--vault', folder.path], project);
    expect(first).toMatchObject({ code: 0, counts: { gone: 2, removed: 0 } });
    expect(first.stdout).toMatch(/gone +2 {2}kept; --prune deletes them\n {4}edited\.md\n {4}goes\.md\n/);

    const pruned = await kit.bring(['--vault', folder.path, '--prune'], project);
    expect(pruned.counts).toMatchObject({ removed: 1, gone: 1 });
    expect(await kit.paths('notes', project)).toEqual(['edited.md', 'of-mine.md', 'stays.md']);
  });
});

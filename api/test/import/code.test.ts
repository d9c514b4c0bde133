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

describe('importing code', () => {
  it('leaves out what git ignores, at every depth, and what is no text', async () => {
    const project = kit.newProject();
    const folder = kit.folderOf({
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

    const result = await kit.bring(['--code', folder.path], project);

    expect(result.stdout).toContain('large.json: longer than 1,000,000 bytes');
    expect(result.stdout).toContain('outside.txt: links out of the folder');
    expect(result).toMatchObject({ code: 0, counts: { created: 7, skipped: 4, failed: 0 } });
    expect(await kit.paths('codeFiles', project)).toEqual([
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
    const project = kit.newProject();
    const folder = kit.folderOf({ 'a.ts': 'export const a = 1;', 'b.py': 'def before(): pass', 'c.md': '# C' });
    const other = kit.folderOf({ 'elsewhere.go': 'package elsewhere' });
    await kit.bring(['--code', folder.path, '--code', other.path], project);

    const again = await kit.bring(['--code', folder.path], project);
    expect(again).toMatchObject({ code: 0, counts: { created: 0, changed: 0, unchanged: 3, removed: 0, failed: 0 } });

    folder.write({ 'b.py': 'def after(): pass', 'd.rs': 'fn fresh() {}' }).remove('c.md');
    expect((await kit.bring(['--code', folder.path, '--dry-run'], project)).counts).toMatchObject({
      created: 1,
      changed: 1,
      unchanged: 1,
      removed: 1,
    });
    expect(await kit.paths('codeFiles', project)).toContain('c.md');

    const third = await kit.bring(['--code', folder.path], project);
    expect(third).toMatchObject({ code: 0, counts: { created: 1, changed: 1, unchanged: 1, removed: 1 } });
    expect(await kit.paths('codeFiles', project)).toEqual(['a.ts', 'b.py', 'd.rs', 'elsewhere.go']);
    const { codeDefinitions } = await kit.admin.ask<{ codeDefinitions: { totalCount: number } }>(
      'query ($id: ID) { codeDefinitions(projectId: $id, name: "after") { totalCount } }',
      { id: await kit.projectId(project) },
    );
    expect(codeDefinitions.totalCount).toBe(1);
  });

  it('of a folder that is empty all of a sudden removes nothing', async () => {
    const project = kit.newProject();
    const folder = kit.folderOf({ 'a.ts': 'export const a = 1;' });
    await kit.bring(['--code', folder.path], project);
    folder.remove('a.ts');

    const result = await kit.bring(['--code', folder.path], project);

    expect(result.code).toBe(1);
    expect(result.stdout).toContain('the folder is empty now; what came from it (1) was kept');
    expect(await kit.paths('codeFiles', project)).toEqual(['a.ts']);
  });
});

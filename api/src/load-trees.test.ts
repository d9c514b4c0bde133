import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listDecisionTrees } from './agent/decision-tree.ts';
import { loadDecisionTrees } from './load-trees.ts';

const here = import.meta.dirname;
const treeFiles = (await readdir(join(here, 'agent/trees'))).filter((name) => !name.endsWith('.test.ts'));

describe('loadDecisionTrees', () => {
  it('registers the default and one tree for every file of the folder, however often it is asked', async () => {
    await loadDecisionTrees();
    await loadDecisionTrees();

    const trees = listDecisionTrees();
    expect(trees).toHaveLength(treeFiles.length + 1);
    expect(trees.map(({ name }) => name)).toContain('default');
    expect(trees.every(({ description }) => description.length > 0)).toBe(true);
  });
});

describe('loadDecisionTrees in a build', () => {
  let output = '';

  beforeAll(async () => {
    output = await mkdtemp(join(tmpdir(), 'trees-'));
    await build({
      stdin: { contents: printTrees, resolveDir: here, loader: 'ts' },
      entryPoints: treeFiles.map((name) => join(here, 'agent/trees', name)),
      outdir: output,
      outbase: here,
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      target: 'node24',
      packages: 'external',
    });
    await writeFile(join(output, 'package.json'), '{ "type": "module" }');
  });

  afterAll(() => rm(output, { recursive: true, force: true }));

  it('finds the same trees', async () => {
    const printed = execFileSync(process.execPath, [join(output, 'stdin.js')], { encoding: 'utf8' });

    await loadDecisionTrees();
    expect(JSON.parse(printed)).toEqual(listDecisionTrees());
  });
});

const printTrees = `
import { listDecisionTrees } from './agent/decision-tree.ts';
import { loadDecisionTrees } from './load-trees.ts';
await loadDecisionTrees();
console.log(JSON.stringify(listDecisionTrees()));
`;

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importFolder } from './import-folder.ts';
import { Tally } from './tally.ts';

it('never holds more than one batch while it saves another, however many files there are', async () => {
  const root = mkdtempSync(join(tmpdir(), 'oracle-batches-'));
  const sizes = [...Array.from({ length: 230 }, () => 10), ...Array.from({ length: 7 }, () => 900_000)];
  for (const [index, size] of sizes.entries())
    writeFileSync(join(root, `${String(index).padStart(3, '0')}.txt`), 'x'.repeat(size));
  const batches: { readonly files: number; readonly characters: number }[] = [];
  let saving = 0;
  let mostAtOnce = 0;

  await importFolder({
    root,
    what: 'Files',
    rules: { gitignore: false, hidden: true, takes: () => true },
    largest: 1_000_000,
    unfit: 'failed',
    manifest: { pathsFrom: () => [] },
    tally: new Tally(),
    output: { write: () => undefined },
    signal: new AbortController().signal,
    async save(files) {
      mostAtOnce = Math.max(mostAtOnce, ++saving);
      batches.push({ files: files.length, characters: files.reduce((sum, { text }) => sum + text.length, 0) });
      await new Promise((resolve) => setImmediate(resolve));
      saving -= 1;
    },
    forget: async () => undefined,
  });
  rmSync(root, { recursive: true });

  expect(batches.reduce((sum, { files }) => sum + files, 0)).toBe(237);
  expect(Math.max(...batches.map(({ files }) => files))).toBe(50);
  expect(Math.max(...batches.map(({ characters }) => characters))).toBeLessThan(3_000_000);
  expect(mostAtOnce).toBe(1);
});

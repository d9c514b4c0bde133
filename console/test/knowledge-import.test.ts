import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../api/test/kit/kit.ts';
import { expectAccessible } from './accessible.ts';
import { type ConsoleKit, startConsoleKit } from './console-kit.ts';

let kit: ConsoleKit;
let person: TestUser;
let page: Page;
beforeAll(async () => {
  kit = await startConsoleKit();
});
beforeEach(async () => {
  await page?.context().close();
  person = await kit.newUser();
  page = await kit.openAs(person, '/knowledge');
});
afterAll(() => kit.stop());

const toast = (text: string) => page.locator('[data-toast]', { hasText: text });

async function noteOf(path: string): Promise<string | undefined> {
  const { note } = await person.ask<{ note: { body: string } | null }>(
    'query ($path: String!) { note(path: $path) { body } }',
    { path },
  );
  return note?.body;
}

describe('code and import', () => {
  const files = [
    {
      name: 'reader.ts',
      mimeType: 'text/plain',
      buffer: Buffer.from('export function readNote() {}\n\nreadNote();\n'),
    },
    { name: 'plan.md', mimeType: 'text/markdown', buffer: Buffer.from('# The plan') },
    { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from([1, 2, 3]) },
    { name: 'binary.txt', mimeType: 'text/plain', buffer: Buffer.from([0xff, 0xfe, 0x00, 0x41]) },
    { name: 'large.md', mimeType: 'text/markdown', buffer: Buffer.from(`# Large\n\n${'word '.repeat(30_000)}`) },
  ];

  it('brings in files with a result for each, then finds names in them', async () => {
    await page.goto('/knowledge/code');
    await page.getByRole('link', { name: 'Import code' }).click();
    await page.getByLabel('Choose files').setInputFiles(files);
    await page.getByText('2 notes, 2 files of code, 1 left out into “').waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('3 files imported, 1 failed.').waitFor();
    const results = page.getByRole('region', { name: 'What became of each file' });
    await results.getByText('It is not text in UTF-8.').waitFor();
    await results.getByText('It is not text.').waitFor();
    await expectAccessible(page);
    expect((await noteOf('large.md'))?.length).toBeGreaterThan(100_000);

    await results.getByRole('link', { name: 'reader.ts' }).click();
    await page.getByRole('heading', { level: 2, name: 'reader.ts' }).waitFor();
    await page.getByText('Defined here').click();
    await page.getByRole('button', { name: 'readNote' }).click();
    await page.getByText('1 definition', { exact: true }).waitFor();
    await page.getByRole('link', { name: /line 3/ }).click();
    await page.waitForURL(/line=3/);
    await page.locator('[data-marked-line="3"]').waitFor();
    await expectAccessible(page);
    await page.reload();
    await page.locator('[data-marked-line="3"]').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await toast('reader.ts deleted.').getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { level: 2, name: 'reader.ts' }).waitFor();
    await page.getByLabel('Search code').fill('readNote');
    await page.getByRole('link', { name: /reader\.ts line 1/ }).waitFor();
  });

  it('can be stopped, and keeps what is there', async () => {
    await page.goto('/knowledge/import');
    const many = Array.from({ length: 300 }, (_, index) => ({
      name: `n${index}.md`,
      mimeType: 'text/markdown',
      buffer: Buffer.from(`# Note ${index}`),
    }));
    await page.getByLabel('Choose files').setInputFiles(many);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('progressbar', { name: 'Progress of the import' }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/^Stopped\. \d+ files? (are|is) there already\./).waitFor();
    await page.getByRole('button', { name: 'Import more' }).click();
    await page.getByText('Stopped.').waitFor({ state: 'detached' });
  });

  it('takes files and whole folders that are dragged in', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dragged-'));
    await mkdir(join(folder, 'logs/deep'), { recursive: true });
    await writeFile(join(folder, 'loose.md'), '# Loose');
    await writeFile(join(folder, 'logs/first.md'), '# First');
    await writeFile(join(folder, 'logs/deep/second.md'), '# Second');
    await page.goto('/knowledge/import');
    const target = page.getByRole('region', { name: 'Bring in files' });
    const { x, y } = (await target.boundingBox()) ?? { x: 0, y: 0 };
    const devtools = await page.context().newCDPSession(page);
    const drag = (type: 'dragEnter' | 'dragOver' | 'drop') =>
      devtools.send('Input.dispatchDragEvent', {
        type,
        x: x + 20,
        y: y + 20,
        data: { items: [], files: [join(folder, 'loose.md'), join(folder, 'logs')], dragOperationsMask: 1 },
      });
    await drag('dragEnter');
    await drag('dragOver');
    await page.locator('section.border-accent\\!').waitFor();
    await drag('drop');
    await page.getByText('3 notes').waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('3 files imported').waitFor();

    expect(await Promise.all(['loose.md', 'logs/first.md', 'logs/deep/second.md'].map(noteOf))).toEqual([
      '# Loose',
      '# First',
      '# Second',
    ]);
  });
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../api/test/kit/kit.ts';
import { expectAccessible } from './accessible.ts';
import { type ConsoleKit, eventually, startConsoleKit } from './console-kit.ts';

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
const body = () => page.getByLabel('Text of the note, in Markdown');

function saveNote(path: string, text: string): Promise<unknown> {
  const mutation = 'mutation ($input: SaveNoteInput!) { saveNote(input: $input) { __typename } }';
  return person.ask(mutation, { input: { path, body: text } });
}

async function noteOf(path: string): Promise<string | undefined> {
  const { note } = await person.ask<{ note: { body: string } | null }>(
    'query ($path: String!) { note(path: $path) { body } }',
    {
      path,
    },
  );
  return note?.body;
}

describe('notes', () => {
  it('are written with the keyboard alone, read, and found by folder', async () => {
    await page.getByRole('button', { name: 'New note' }).press('Enter');
    await page.getByRole('dialog').getByLabel('Path').fill('harbours/a ü %20#1');
    await page.keyboard.press('Enter');
    await body().waitFor();
    await page.keyboard.type('# Night\n\nSee [[harbours/day]].');
    await page.keyboard.press('Control+s');
    await page.getByRole('status').getByText('Saved').waitFor();
    await page.getByRole('button', { name: 'Done' }).press('Enter');

    await page.getByRole('heading', { level: 2, name: 'Night' }).waitFor();
    expect(await noteOf('harbours/a ü %20#1.md')).toBe('# Night\n\nSee [[harbours/day]].');
    await page.reload();
    await page.getByRole('heading', { level: 2, name: 'Night' }).waitFor();
    // A link to what is not there yet leads to writing it; then it is linked back.
    await page.locator('.md').getByRole('button', { name: 'harbours/day' }).click();
    await page.getByText('There is no note here yet').waitFor();
    await page.getByRole('button', { name: 'Write it' }).click();
    await body().fill('# Day');
    await page.keyboard.press('Control+s');
    await page.getByRole('status').getByText('Saved').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Night' }).first().waitFor();
    await page.goto('/knowledge/notes');
    await page.getByRole('link', { name: /^harbours/ }).click();
    await page.getByRole('link', { name: 'Day' }).waitFor();
  });

  it('move and go with a way back', async () => {
    await saveNote('a.md', '# Apple');
    await saveNote('b.md', 'Like [[a]].');
    await page.goto('/knowledge/notes/a.md');
    await page.getByRole('button', { name: 'Note actions' }).click();
    await page.getByRole('menuitem', { name: 'Move or rename' }).click();
    await page.getByRole('dialog').getByLabel('Path').fill('fruit/apple.md');
    await page.keyboard.press('Enter');

    await toast('Moved to fruit/apple.md; 1 link rewritten.').getByRole('button', { name: 'Undo' }).click();
    await page.waitForURL('**/knowledge/notes/a.md');
    await eventually(() => noteOf('b.md')).toBe('Like [[a]].');
    await page.getByRole('button', { name: 'Note actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await toast('“Apple” deleted.').waitFor();
    await eventually(() => noteOf('a.md')).toBeUndefined();
    await page.keyboard.press('Control+z');
    await page.getByRole('heading', { level: 2, name: 'Apple' }).waitFor();
    expect(await noteOf('a.md')).toBe('# Apple');
  });

  it('that two people change are nobody’s loss, and what is not saved is kept', async () => {
    await saveNote('shared.md', 'first');
    await page.goto('/knowledge/notes/shared.md?edit=1');
    await body().fill('mine');
    await saveNote('shared.md', 'theirs');
    await page.reload();
    await page.getByText('You wrote this earlier and did not save it.').waitFor();
    expect(await body().inputValue()).toBe('mine');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Somebody else changed this note meanwhile.').waitFor();
    await expectAccessible(page);
    expect(await noteOf('shared.md')).toBe('theirs');

    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await page.getByRole('status').getByText('Saved').waitFor();
    expect(await noteOf('shared.md')).toBe('mine');
  });

  it('are searched, with the words marked', async () => {
    await page.getByLabel('Search notes').fill('cached');
    await page.locator('mark').first().waitFor();
    await page.waitForURL(/q=cached/);
    expect((await page.locator('mark').first().textContent())?.toLowerCase()).toMatch(/^cach/);
    await page.getByLabel('Search notes').fill('zzzzqqqq');
    await page.getByText('Nothing here mentions “zzzzqqqq”.').waitFor();
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await page.getByRole('link', { name: /^decisions/ }).waitFor();
  });

  it('that mean harm cannot run, load or leave', async () => {
    const hostile = [
      '<script>window.harmed = 1</script><img src=x onerror="window.harmed = 1"><svg onload="window.harmed = 1">',
      '![tracker](https://evil.example/pixel.png) [click](javascript:window.harmed=1) [out](https://evil.example/)',
      '[[<img src=x onerror=window.harmed=1>]] [[a|<b onclick=window.harmed=1>x</b>]] <iframe src="//evil.example"></iframe>',
      '\u202Eright to left\u202C z\u200Be\u200Br\u200Bo <a href="//evil.example" ping="//evil.example">a</a>',
      'x'.repeat(900_000),
    ].join('\n\n');
    await saveNote('hostile.md', hostile);
    await saveNote('front.md', `---\n<script>window.harmed = 1</script>\n---\n<style>body{display:none}</style>fine`);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).host));
    for (const path of ['hostile.md', 'front.md']) {
      await page.goto(`/knowledge/notes/${path}`);
      await page.locator('.md').waitFor();
      expect(
        await page.locator('.md :is(script, img, svg, iframe, style, a, [onclick], [onerror], [onload])').count(),
      ).toBe(0);
    }
    await page.goto('/knowledge/notes/hostile.md');
    await page.getByText('characters in one line').first().waitFor();
    await page.locator('.md').getByRole('button', { name: 'out' }).click();
    await page.getByRole('dialog').getByText('https://evil.example/').waitFor();
    await page.keyboard.press('Escape');

    expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
    expect([...new Set(asked)]).toEqual([new URL(kit.url).host]);
    expect(new URL(page.url()).pathname).toBe('/knowledge/notes/hostile.md');
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  });
});

describe('threads', () => {
  it('are begun, added to, renamed, archived with a way back, sought and deleted', async () => {
    await page.goto('/knowledge/threads');
    await page.getByRole('button', { name: 'New thread' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Ferry names');
    await dialog.getByLabel('Text').fill('Name them after rivers.');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 2, name: 'Ferry names' }).waitFor();
    const form = page.getByRole('form', { name: 'Add an entry' });
    await form.getByLabel('Kind').selectOption('Decision');
    await form.getByLabel('Text').fill('The first is called Elbe.');
    await form.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('listitem').getByText('The first is called Elbe.').waitFor();
    await expect.poll(() => form.getByLabel('Text').inputValue()).toBe('');

    await page.getByRole('button', { name: 'Thread actions' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await toast('“Ferry names” archived.').getByRole('button', { name: 'Undo' }).click();
    await toast('Undone.').waitFor();
    await page.getByLabel('Search threads').fill('elbe');
    await page
      .getByRole('link', { name: /Ferry names/ })
      .filter({ has: page.locator('mark') })
      .click();
    await page.waitForURL(/entry=2/);
    await page.locator('li[aria-current=true]', { hasText: 'Elbe' }).waitFor();
    await page.getByRole('button', { name: 'Thread actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByText('its 2 entries').waitFor();
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await toast('“Ferry names” deleted.').waitFor();
  });

  it('run nothing, load nothing and lead nowhere, whatever their title, author and entries say', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).host));
    const title = '<img src=x onerror="window.harmed=1"> \u202Eeltit';
    const text = [
      '<script>window.harmed = 1</script><img src="https://evil.example/a.png" onerror="window.harmed = 1">',
      '![p](https://evil.example/b.png) [run](javascript:window.harmed=1) [out](https://evil.example/)',
      `<style>body{display:none}</style> \u200Bzero\u200Dwidth مرحبا ${'x'.repeat(20_000)}`,
    ].join('\n\n');
    const { appendToThread } = await person.ask<{ appendToThread: { threadId: string } }>(
      'mutation ($input: AppendToThreadInput!) { appendToThread(input: $input) { ... on ThreadEntry { threadId } } }',
      { input: { title, author: '<b onclick="window.harmed=1">Eve</b>', kind: 'DECISION', text } },
    );
    await page.goto(`/knowledge/threads/${appendToThread.threadId}`);
    await page.locator('.md').getByRole('button', { name: 'out' }).click();
    await page.getByRole('dialog').getByText('https://evil.example/').waitFor();
    await page.keyboard.press('Escape');

    expect(await page.getByRole('heading', { level: 2 }).first().textContent()).toContain(title);
    expect(
      await page.locator('.md :is(script, img, svg, iframe, style, a, [onclick], [onerror], [onload])').count(),
    ).toBe(0);
    expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
    expect([...new Set(asked)]).toEqual([new URL(kit.url).host]);
    await expectAccessible(page);
  });
});

describe('projects', () => {
  it('are made, chosen, renamed with a way back, and deleted after saying what goes', async () => {
    const menu = async (item: string) => {
      await page.getByRole('button', { name: 'Project actions' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await menu('New project');
    await page.getByRole('dialog').getByLabel('Name').fill('Harbour');
    await page.keyboard.press('Enter');
    await page.waitForURL(/project=/);
    await page.getByText('No notes yet').waitFor();
    const projectId = new URL(page.url()).searchParams.get('project');
    await person.ask('mutation ($input: SaveNoteInput!) { saveNote(input: $input) { __typename } }', {
      input: { projectId, path: 'only.md', body: '# Only' },
    });
    await menu('Rename the project');
    await page.getByRole('dialog').getByLabel('Name').fill('Port');
    await page.keyboard.press('Enter');
    await toast('Project renamed to “Port”.').getByRole('button', { name: 'Undo' }).click();
    await eventually(() => page.getByLabel('Project', { exact: true }).locator('option:checked').textContent()).toBe(
      'Harbour',
    );
    await menu('Delete the project');
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('1 note', { exact: true }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
    await toast('Project “Harbour” deleted.').waitFor();
    await page.getByRole('link', { name: /^decisions/ }).waitFor();
  });
});

describe.each([{ width: 360 }, { width: 2560 }])('at $width px', ({ width }) => {
  it('every section is accessible, and no wider than the screen', async () => {
    await page.setViewportSize({ width, height: 900 });
    for (const [path, text] of [
      ['/knowledge', 'decisions'],
      ['/knowledge/notes/decisions/caching.md', 'Linked from'],
      ['/knowledge/notes/decisions/caching.md?edit=1', 'Save'],
      ['/knowledge/notes/nothing.md', 'There is no note here yet'],
      ['/knowledge/threads', 'Fewer messages'],
      ['/knowledge/code', 'No code yet'],
      ['/knowledge/import', 'Bring in files'],
      ['/knowledge/notes?project=00000000-0000-4000-8000-000000000000', 'There is no such project.'],
    ] as const) {
      await page.goto(path);
      await page.getByText(text).first().waitFor();
      await expectAccessible(page);
    }
  });
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../api/test/kit/kit.ts';
import { expectAccessible } from './accessible.ts';
import { openChat, useModel } from './chat-kit.ts';
import { type ConsoleKit, eventually, startConsoleKit } from './console-kit.ts';
import { plantRuns } from './runs-kit.ts';

let kit: ConsoleKit;
let person: TestUser;
let page: Page;
beforeAll(async () => {
  kit = await startConsoleKit();
  person = await kit.newUser();
  const chat = await openChat(kit, person);
  page = chat.page;
  await useModel(chat, 'simulated/answer');
  await chat.ask('Where do ferries sleep?');
  await chat.ended('COMPLETED');
  await plantRuns(kit, person, 40);
});
afterAll(() => kit.stop());

const palette = () => page.getByRole('dialog', { name: 'Search and commands' });
const field = () => palette().getByRole('combobox');
const marked = () => palette().getByRole('option', { selected: true });

async function open(): Promise<void> {
  await palette().waitFor({ state: 'hidden' }); // the same keys would close one that is still there
  await page.keyboard.press('Control+k');
  await field().waitFor();
}

async function leaveField(): Promise<void> {
  await page.locator('main').evaluate((main) => main.focus());
}

describe('the palette', () => {
  it('opens by Ctrl-K even while writing, is a combobox, and gives the focus back', async () => {
    await page.getByLabel('Your question').fill('half a ques');
    await open();

    expect(await field().evaluate((element) => element === document.activeElement)).toBe(true);
    const active = await field().getAttribute('aria-activedescendant');
    expect(await marked().getAttribute('id')).toBe(active);
    await page.keyboard.press('ArrowDown');
    expect(await marked().getAttribute('id')).not.toBe(active);
    expect(await field().getAttribute('aria-activedescendant')).toBe(await marked().getAttribute('id'));
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await palette().waitFor({ state: 'detached' });
    await page.keyboard.type('tion');
    expect(await page.getByLabel('Your question').inputValue()).toBe('half a question');
    await page.getByLabel('Your question').fill('');
  });

  it('finds a conversation by its title, and shows it first the next time', async () => {
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Search and commands' }).click();
    await field().fill('ferries');
    const conversation = palette().getByRole('group', { name: 'Conversations' }).getByRole('option');
    await conversation.getByText('Where do ferries sleep?').waitFor();
    await palette().getByRole('group', { name: 'Runs' }).getByText('Where do ferries sleep?').waitFor();
    await conversation.click();
    await page.waitForURL(/\/c\//);

    await open();
    await palette().getByRole('group', { name: 'Recent' }).getByText('Where do ferries sleep?').waitFor();
    expect(await marked().textContent()).toContain('Where do ferries sleep?');
    await page.keyboard.press('Escape');
  });

  it('finds a note, by keyboard alone', async () => {
    await open();
    await page.keyboard.type('caching');
    const note = palette().getByRole('group', { name: 'Notes' }).getByRole('option').first();
    await note.waitFor();
    for (let presses = 0; presses < 30; presses++) {
      if ((await note.getAttribute('aria-selected')) === 'true') break;
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/knowledge\/notes\//);
  });

  it('finds a note of any project, and an old run among many', async () => {
    const { createProject } = await person.ask<{ createProject: { id: string } }>(
      'mutation { createProject(name: "Harbour works") { ... on Project { id } } }',
    );
    await person.ask(
      'mutation ($id: ID) { saveNote(input: { projectId: $id, path: "quay/bollards.md", body: "# Bollards of the quay" }) { __typename } }',
      { id: createProject.id },
    );
    await open();
    await page.keyboard.type('bollards');
    await palette().getByText('quay/bollards.md · Harbour works').click();

    await page.getByRole('heading', { name: 'Bollards of the quay' }).first().waitFor();
    await open();
    await page.keyboard.type('ferries');
    await palette().getByRole('group', { name: 'Runs' }).getByText('Where do ferries sleep?').waitFor();
    await page.keyboard.press('Escape');
  });

  it('does things: theme, and stopping what runs', async () => {
    await open();
    await page.keyboard.type('dark');
    await eventually(() => marked().textContent()).toContain('Theme: dark');
    await page.keyboard.press('Enter');
    await page.locator('html[data-theme=dark]').waitFor();
    await open();
    await page.keyboard.type('stop every');
    await eventually(() => marked().textContent()).toContain('Stop every');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing is running.').waitFor();
  });

  it('keeps its mark when the list changes under a pointer at rest, and follows one that moves', async () => {
    await open();
    const second = palette().getByRole('option').nth(1);
    await second.hover();
    await eventually(() => second.getAttribute('aria-selected')).toBe('true');
    const { x, y, width, height } = (await second.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const [left, top] = [Math.round(x + width / 2), Math.round(y + height / 2)];
    await page.mouse.move(left, top);
    await page.keyboard.type('theme');
    await eventually(() => marked().textContent()).toContain('Theme');
    const told = page.evaluate(
      () =>
        new Promise<string>((resolve) =>
          addEventListener(
            'pointermove',
            ({ target }) => resolve((target as Element).closest('[role=option]')?.id ?? 'none'),
            { once: true },
          ),
        ),
    );
    await page.mouse.move(left, top); // as a browser tells it of its own accord, a moment after the list has changed

    expect(await told).toBe('palette-option-1');
    expect(await marked().getAttribute('id')).toBe('palette-option-0');
    await page.mouse.move(left + 2, top);
    await eventually(() => marked().getAttribute('id')).toBe('palette-option-1');
    await page.keyboard.press('Escape');
  });

  it('says so when nothing fits', async () => {
    await open();
    await page.keyboard.type('qqqqxxxx');
    await palette().getByText('Nothing fits “qqqqxxxx”.').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
  });

  it('finds people for administrators only', async () => {
    const admin = await kit.openAs(kit.admin, '/settings');
    await admin.keyboard.press('Control+k');
    await admin.getByRole('combobox').fill(person.email);
    await admin.getByRole('group', { name: 'People' }).getByText(person.email).waitFor();

    await open();
    const answered = page.waitForResponse((response) => response.request().postData()?.includes(person.email) === true);
    await field().fill(person.email);
    await answered;
    await eventually(() => palette().locator('.animate-spin').count()).toBe(0);
    expect(await palette().getByText('People').count()).toBe(0);
    await page.keyboard.press('Escape');
  });
});

describe('shortcuts', () => {
  it('go to pages, but never while somebody writes', async () => {
    await page.goto('/');
    await page.getByLabel('Your question').fill('');
    await page.getByLabel('Your question').pressSequentially('gs n ?');
    expect(new URL(page.url()).pathname).toBe('/');
    await leaveField();
    await page.keyboard.press('g');
    await page.keyboard.press('s');

    await page.waitForURL('**/settings');
    await leaveField();
    await page.keyboard.press('n');
    await page.waitForURL(`${kit.url}/`);
    await page.getByLabel('Your question').fill('');
  });

  it('are listed on a sheet, from which they can be switched off', async () => {
    await page.goto('/settings');
    await page.locator('[data-connection=connected]').waitFor();
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByText('New conversation').waitFor();
    await expectAccessible(page);
    await sheet.getByRole('switch', { name: 'Single-key shortcuts' }).press('Space');
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('[data-connection=connected]').waitFor();
    await page.keyboard.press('n');
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await field().waitFor();
    expect(await sheet.count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe('/settings');
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
    await sheet.getByRole('switch', { name: 'Single-key shortcuts' }).press('Space');
    await page.keyboard.press('Escape');
  });
});

describe('the bar of a small screen', () => {
  it('has room for everything, in a menu where it is much', async () => {
    const small = await kit.openAs(kit.admin, '/settings', { viewport: { width: 360, height: 700 } });
    const places = small.getByRole('navigation', { name: 'Main' }).locator('li:visible');
    const boxes = await Promise.all((await places.all()).map((place) => place.boundingBox()));

    expect(boxes.length).toBeLessThanOrEqual(5);
    for (const box of boxes) expect(box?.width).toBeGreaterThanOrEqual(44);
    const more = small.getByRole('button', { name: 'More' });
    if ((await more.count()) > 0) {
      await more.click();
      await expectAccessible(small);
      await small.getByRole('menuitem', { name: 'Organisation' }).click();
      await small.waitForURL('**/admin/organisation');
    }
  });
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../api/test/kit/kit.ts';
import { expectAccessible } from './accessible.ts';
import { type ConsoleKit, eventually, startConsoleKit, tabTo } from './console-kit.ts';
import { ask, begin, cancel, plantRuns } from './runs-kit.ts';

const long = `Why ${'is it so very long and '.repeat(30)}without end?`;

let kit: ConsoleKit;
let ada: TestUser;
let looped: string;
beforeAll(async () => {
  kit = await startConsoleKit({ pace: 20 });
  ada = await kit.newUser({ name: 'Ada' });
  await ask(kit, ada, { model: 'simulated/answer', question: 'What is known?' });
  looped = await ask(kit, ada, { model: 'simulated/loop', question: 'In circles?' });
  await ask(kit, kit.admin, { model: 'simulated/errors', question: long });
});
afterAll(() => kit.stop());

const rows = (page: Page) => page.locator('[data-run]');
const questions = (page: Page) => rows(page).getByRole('link').allTextContents();

describe('the list of runs', () => {
  it('shows a person their own, newest first, with why each ended', async () => {
    const page = await kit.openAs(ada, '/runs');
    await rows(page).first().waitFor();

    expect(await questions(page)).toEqual(['In circles?', 'What is known?']);
    const first = rows(page).first();
    expect(await first.locator('td').first().textContent()).toBe('No progress');
    expect(await first.textContent()).toContain('simulated/loop');
    expect(await first.locator('.sr-only').allTextContents()).toEqual([
      '3 of 15',
      expect.stringMatching(/ of 50,000$/),
    ]);
    expect(await page.getByRole('columnheader', { name: 'Who' }).count()).toBe(0);
  });

  it('shows an administrator everybody’s, and one person’s', async () => {
    const page = await kit.openAs(kit.admin, '/runs');
    await rows(page).first().waitFor();

    expect(await questions(page)).toEqual([long, 'In circles?', 'What is known?']);
    expect(await rows(page).nth(1).textContent()).toContain('Ada');
    await page.getByLabel('Who', { exact: true }).selectOption({ label: 'Ada' });
    await eventually(() => questions(page)).toEqual(['In circles?', 'What is known?']);
    await page.getByRole('button', { name: 'Remove the filter Who: Ada' }).waitFor();
    expect(new URL(page.url()).searchParams.get('user')).toBe(ada.id);
    await page.getByLabel('Who', { exact: true }).selectOption('me');
    await eventually(() => questions(page)).toEqual([long]);
  });

  it('keeps its filters in the address: a reload shows the same', async () => {
    const page = await kit.openAs(ada, '/runs');
    await page.getByLabel('State', { exact: true }).selectOption({ label: 'No progress' });
    await page.getByLabel('When', { exact: true }).selectOption({ label: 'Last hour' });
    await page.getByLabel('Search in questions').fill('circ');
    await eventually(() => questions(page)).toEqual(['In circles?']);
    await eventually(() => new URL(page.url()).search).toBe('?state=NO_PROGRESS&period=hour&search=circ');
    await page.reload();

    await eventually(() => questions(page)).toEqual(['In circles?']);
    const chips = page.getByRole('button', { name: /^Remove the filter/ });
    expect(await chips.allTextContents()).toEqual(['No progress', 'Last hour', '“circ”']);
    await chips.first().click();
    await eventually(() => chips.count()).toBe(2);
    await page.getByLabel('Search in questions').fill('nothing like it');
    await page.getByText('No run matches').waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await eventually(() => questions(page)).toEqual(['In circles?', 'What is known?']);
    await page.goBack();
    await page.getByText('No run matches').waitFor();
  });

  it('offers to ask where there is nothing yet', async () => {
    const nobody = await kit.newUser();
    const page = await kit.openAs(nobody, '/runs');
    await page.getByText('No runs yet').waitFor();

    await expectAccessible(page);
    await page.getByRole('link', { name: 'Ask something' }).click();
    await page.getByLabel('Your question').waitFor();
  });

  it('shows skeletons while it loads, and says when it cannot', async () => {
    const page = await kit.openAs(ada, '/settings');
    const held = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('RunList')) return route.continue();
      await held.promise;
      return route.abort();
    });
    await page.getByRole('link', { name: 'Runs', exact: true }).click();

    await page.locator('table[aria-busy=true] .animate-pulse').first().waitFor();
    held.resolve();
    await page.getByRole('alert').getByText('could not be reached').waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Retry' }).click();
    await rows(page).first().waitFor();
  });

  it('is live: runs begin, go on and end without a reload', async () => {
    const bob = await kit.newUser({ name: 'Bob' });
    const page = await kit.openAs(kit.admin, `/runs?user=${bob.id}`);
    await page.getByText('No run matches').waitFor();
    const runId = await begin(kit, bob, { model: 'simulated/slow', question: 'Slowly?' });

    const row = page.locator(`[data-run="${runId}"]`);
    await row.locator('[data-state=RUNNING]').first().waitFor();
    const time = () => row.locator('td').nth(-2).textContent();
    const before = await time();
    await eventually(time).not.toBe(before);
    await cancel(bob, runId);
    await row.locator('[data-state=CANCELLED]').first().waitFor();
  });

  it('goes page by page, and back', async () => {
    const many = await kit.newUser();
    await plantRuns(kit, many, 120);
    const page = await kit.openAs(many, '/runs');
    await page.getByText('1–50 of 120').waitFor();

    expect((await questions(page))[0]).toBe('Question 120');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51–100 of 120').waitFor();
    await page.reload();
    await page.getByText('51–100 of 120').waitFor();
    expect((await questions(page))[0]).toBe('Question 70');
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.getByText('1–50 of 120').waitFor();
  });

  it('is used without a mouse', async () => {
    const page = await kit.openAs(ada, '/runs');
    await rows(page).first().waitFor();
    await tabTo(page, page.getByRole('link', { name: 'In circles?' }));
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { level: 1, name: 'In circles?' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/runs/${looped}`);
  });

  it.each([360, 1600, 2560])('is accessible and no wider than the screen at %i px', async (width) => {
    const page = await kit.openAs(kit.admin, '/runs?state=NO_PROGRESS,COMPLETED,ERROR_LIMIT&period=day', {
      viewport: { width, height: 900 },
    });
    await rows(page).first().waitFor();

    await expectAccessible(page);
  });
});

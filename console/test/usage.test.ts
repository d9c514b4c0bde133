import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../api/test/kit/kit.ts';
import { plantRun } from '../../api/test/usage/plant.ts';
import { expectAccessible } from './accessible.ts';
import { type ConsoleKit, startConsoleKit } from './console-kit.ts';

let kit: ConsoleKit;
let ada: TestUser;
beforeAll(async () => {
  kit = await startConsoleKit();
  ada = await kit.newUser({ name: 'Ada' });
  const at = new Date().toISOString();
  const plant = (more: object) => plantRun(kit.database, { userId: ada.id, at, ...more });
  await plant({ tokens: 1_000, turns: 2, durationMs: 3_000 });
  await plant({ tokens: 3_000, turns: 4, durationMs: 5_000, warned: 1 });
  await plant({ tokens: 8_000, turns: 15, durationMs: 90_000, warned: 1, reason: 'MAX_ITERATIONS' });
});
afterAll(() => kit.stop());

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).first();

describe('usage', () => {
  it('is told to a person about their own runs, as charts and as tables of the same numbers', async () => {
    const page = await kit.openAs(ada, '/usage');
    const chart = card(page, 'Endings by reason').getByRole('group', { name: 'Endings by reason' });

    await chart.focus();
    await page.keyboard.press('End');
    await card(page, 'Endings by reason')
      .getByText(/Completed 2, All turns used 1$/)
      .waitFor();
    await card(page, 'From warning to ending')
      .getByText('Warned 2 · Reached it 1 (50 %) · Completed 1 (50 %)')
      .waitFor();
    await page.getByLabel('Shown as').selectOption('Tables');
    const lastRow = card(page, 'Endings by reason').getByRole('row').last();
    await lastRow.waitFor();

    expect(await lastRow.getByRole('cell').allTextContents()).toEqual(['2', '1']);
    expect(new URL(page.url()).searchParams.get('view')).toBe('tables');
    await page.reload();
    await card(page, 'Turns per run').getByRole('row').last().getByText('13.9').waitFor();
  });

  it('keeps its filters in the address, and says when there is nothing', async () => {
    const page = await kit.openAs(ada, '/usage?range=30d');
    await card(page, 'Tokens in all').waitFor();

    await page.getByLabel('Range').selectOption('Custom');
    await page.getByLabel('First day').fill('2020-01-01');
    await page.getByLabel('Last day').fill('2020-01-05');
    await page.getByText('No runs ended in this range').waitFor();
    await page.reload();
    await page.getByText('No runs ended in this range').waitFor();

    const search = new URL(page.url()).searchParams;
    expect([search.get('range'), search.get('from'), search.get('to')]).toEqual(['custom', '2020-01-01', '2020-01-05']);
  });

  it('goes to a file as it is shown', async () => {
    const page = await kit.openAs(ada, '/usage');
    const downloading = page.waitForEvent('download');

    await page.getByRole('button', { name: 'Export Tokens in all as CSV' }).click();
    const file = await downloading;

    expect(file.suggestedFilename()).toBe('usage-tokens.csv');
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines[0]).toBe('start,tokens');
    expect(lines.at(-1)).toMatch(/Z,12000$/);
  });

  it('is everyone’s for an administrator, and leads to one person’s', async () => {
    const page = await kit.openAs(kit.admin, '/admin/usage');

    await card(page, 'Who used most').getByRole('link', { name: 'Ada' }).click();
    await page.getByRole('link', { name: 'Only Ada' }).waitFor();
    expect(new URL(page.url()).searchParams.get('user')).toBe(ada.id);
    await page.getByRole('button', { name: 'Show everyone' }).click();

    await card(page, 'Who used most').waitFor();
  });

  it.each([360, 1_600])('is accessible at %i px, and no wider than the screen', async (width) => {
    const page = await kit.openAs(kit.admin, '/admin/usage', { viewport: { width, height: 900 } });
    await card(page, 'Endings by reason').waitFor();
    await expectAccessible(page);
    await page.goto('/admin/usage?view=tables');
    await card(page, 'Endings by reason').getByRole('table').waitFor();
    await expectAccessible(page);
    await page.goto('/admin/usage?range=custom&from=2020-01-01&to=2020-01-02');
    await page.getByText('No runs ended in this range').waitFor();
    await expectAccessible(page);
  });
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { type ConsoleKit, eventually, startConsoleKit } from './console-kit.ts';
import { startGate } from './gate.ts';

let kit: ConsoleKit;
beforeAll(async () => {
  kit = await startConsoleKit();
});
afterAll(() => kit.stop());

const retry = (page: Page) => page.getByRole('button', { name: 'Retry' });
const usersPage = '**/assets/users-page-*.js';

/** As after an upgrade: what the page asks for is no longer there. */
async function remove(page: Page, address: string): Promise<void> {
  await page.route(address, (route) => route.fulfill({ status: 404, json: { message: 'There is no such page.' } }));
}

/** How often the page is loaded from now on. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('load', () => loads++);
  return () => loads;
}

describe('a part of the console that does not come', () => {
  it('is there after Retry, and so is what was being typed', async () => {
    const page = await kit.openAs(kit.admin, '/');
    await page.getByLabel('Your question').fill('Half a thought');
    await remove(page, usersPage);
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByText('The server was out of reach, or has a newer console by now.').waitFor();
    await expectAccessible(page);
    await page.unroute(usersPage);
    await retry(page).click();

    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    await page.getByRole('link', { name: 'Ask', exact: true }).click();
    await eventually(() => page.getByLabel('Your question').inputValue()).toBe('Half a thought');
  });

  it('is asked for once by each Retry, and leaves the other pages as they are', async () => {
    const page = await kit.openAs(kit.admin, '/settings');
    await remove(page, usersPage);
    await page.getByRole('link', { name: 'Users' }).click();
    await retry(page).waitFor();
    const loads = countLoads(page);
    await retry(page).click();
    await eventually(loads).toBe(1);

    await retry(page).waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect(loads()).toBe(1);
  });

  it('does not cost the page while the server is out of reach', async () => {
    const gate = await startGate(kit.url);
    const page = await kit.openAs(kit.admin, '/settings', { url: gate.url });
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    gate.cut();
    await page.getByRole('link', { name: 'Users' }).click();
    await retry(page).click();
    await page.getByText('The server could not be reached.').waitFor();
    expect(await retry(page).count()).toBe(1);
    gate.mend();
    await retry(page).click();

    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    await gate.close();
  });

  it('is told of when it is the palette, each time it is asked for', async () => {
    const page = await kit.openAs(await kit.newUser(), '/settings');
    await remove(page, '**/assets/palette-dialog-*.js');
    const told = page.getByText('This could not be loaded. Reload the page to have it.');
    await page.keyboard.press('Control+k');
    await told.waitFor();
    await page.keyboard.press('Control+k');

    await eventually(() => told.count()).toBe(2);
  });
});

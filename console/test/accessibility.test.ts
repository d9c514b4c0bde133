import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { TestUser } from '../../api/test/kit/kit.ts';
import { expectAccessible } from './accessible.ts';
import { type ConsoleKit, numberInput, row, setLimits, startConsoleKit } from './console-kit.ts';

const longName = 'Maximiliana-Alexandrovna von und zu Hohenstaufen-Wittelsbach de la Fuente y Villanueva';
const longEmail = `${'very-long-local-part-'.repeat(2)}x@${'subdomain.'.repeat(12)}example.com`;

let kit: ConsoleKit;
let person: TestUser;
beforeAll(async () => {
  kit = await startConsoleKit();
  person = await kit.newUser({ name: longName, email: longEmail });
  await setLimits(person, { maxIterations: 20, timeoutSeconds: 60 });
});
afterAll(() => kit.stop());

/** Every page and every state worth a look of its own. */
const places: Record<string, (page: Page) => Promise<void>> = {
  settings: (page) => go(page, '/settings', 'Max iterations'),
  'a setting with a reason and one in conflict': async (page) => {
    await go(page, `/admin/users/${person.id}`, 'Max iterations');
    await numberInput(page, 'Token budget').fill('0');
    await numberInput(page, 'Timeout').fill('5');
    await setLimits(person, { timeoutSeconds: 100 + Math.floor(Math.random() * 400) });
    await row(page, 'Timeout').getByText('Changed elsewhere').waitFor();
  },
  layers: (page) => go(page, `/admin/users/${person.id}?view=layers`, 'In force'),
  tokens: (page) => go(page, '/settings?view=tokens', 'Active, this session'),
  'the dialog for a token': async (page) => {
    await go(page, '/settings?view=tokens', 'Active, this session');
    await page.getByRole('button', { name: 'Issue a token' }).click();
    await page.getByRole('dialog').getByLabel('Name').waitFor();
  },
  history: (page) => go(page, `/admin/users/${person.id}?view=history`, 'Max iterations'),
  users: (page) => go(page, '/admin/users', longName),
  'users, none found': (page) => go(page, '/admin/users?search=nobody-is-called-so', 'Nobody matches'),
  organisation: (page) => go(page, '/admin/organisation', 'Max iterations'),
  'the account menu': async (page) => {
    await go(page, '/settings', 'Max iterations');
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  },
  'a page that is not there': (page) => go(page, '/nowhere', 'There is no such page'),
};

describe.each([{ width: 360 }, { width: 1600 }])('at $width px', ({ width }) => {
  const options = { viewport: { width, height: 900 } };
  let page: Page;
  beforeAll(async () => {
    page = await kit.openAs(kit.admin, '/settings', options);
  });

  it.each(Object.keys(places))('%s: accessible, and no wider than the screen', async (name) => {
    await places[name]?.(page);

    await expectAccessible(page);
  });

  it('sign-in: accessible, and no wider than the screen', async () => {
    const outside = await kit.open('/sign-in', options);
    await outside.getByLabel('Token').waitFor();

    await expectAccessible(outside);
  });

  it('a page that is not for this person: accessible, and no wider than the screen', async () => {
    const forbidden = await kit.openAs(person, '/admin/organisation', options);
    await forbidden.getByText('This is for administrators').waitFor();

    await expectAccessible(forbidden);
  });
});

async function go(page: Page, path: string, text: string): Promise<void> {
  await page.goto(path);
  await page.locator('[data-connection=connected]').waitFor();
  await page.getByText(text).first().waitFor();
}

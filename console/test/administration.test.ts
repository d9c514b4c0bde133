import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ConsoleKit,
  limitOf,
  numberInput,
  row,
  saved,
  setOrganisation,
  slider,
  startConsoleKit,
} from './console-kit.ts';

let kit: ConsoleKit;
beforeAll(async () => {
  kit = await startConsoleKit();
});
afterAll(() => kit.stop());

describe('users', () => {
  it('are found, opened and edited by an administrator', async () => {
    const person = await kit.newUser({ name: 'Grace Hopper', email: 'grace@example.com' });
    const page = await kit.openAs(kit.admin, '/admin/users');

    await page.getByRole('searchbox').fill('grace');
    await page.waitForURL(/search=grace/);
    await page.getByRole('link', { name: 'Grace Hopper' }).click();
    await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor();
    await slider(page, 'Max iterations').press('End');
    await saved(page, 'Max iterations');
    await row(page, 'Max iterations').getByText('set for this person').waitFor();

    expect(await limitOf(person, 'maxIterations')).toBe(50);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('listitem').filter({ hasText: 'You changed Max iterations' }).getByText('50').waitFor();
    await page.getByRole('link', { name: 'Layers' }).click();
    await page
      .getByRole('row', { name: /^Max iterations/ })
      .getByRole('cell', { name: '50' })
      .first()
      .waitFor();
  });

  it('keep search, order and page in the address', async () => {
    for (let number = 0; number < 55; number++) {
      await kit.newUser({ name: `Paged ${String(number).padStart(2, '0')}`, email: `paged-${number}@example.com` });
    }
    const page = await kit.openAs(kit.admin, '/admin/users?search=paged');
    await page.getByText('1–50 of 55').waitFor();

    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51–55 of 55').waitFor();
    await page.reload();
    await page.getByText('51–55 of 55').waitFor();
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.getByText('1–50 of 55').waitFor();
    await page.getByRole('button', { name: 'Name' }).click();
    await page.getByRole('link', { name: 'Paged 54' }).waitFor();
    await page.reload();

    await page.getByRole('link', { name: 'Paged 54' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('descending');
    expect(new URL(page.url()).searchParams.get('direction')).toBe('DESC');
  });

  it('are added with the reasons at the fields, then given a token that is shown once', async () => {
    const page = await kit.openAs(kit.admin, '/admin/users?search=nobody-has-this-name');
    await page.getByText('Nobody matches').waitFor();

    await page.getByRole('button', { name: 'Add a person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('not an address');
    await dialog.getByRole('button', { name: 'Add person' }).click();
    await dialog.getByText('Name must not be empty.').waitFor();
    await dialog.getByText('Email must be an address').waitFor();
    await dialog.getByLabel('Name').fill('New Person');
    await dialog.getByLabel('Email').fill('new.person@example.com');
    await dialog.getByRole('button', { name: 'Add person' }).click();
    await page.getByRole('heading', { level: 1, name: 'New Person' }).waitFor();
    await page.getByRole('button', { name: 'Issue a token' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Issue token' }).click();
    const token = await page.getByLabel('New token').inputValue();
    await page.getByRole('button', { name: 'Done' }).click();

    await page.getByText('laptop').waitFor();
    expect(await page.content()).not.toContain(token);
    const newcomer = await kit.as(token).ask<{ viewer: { name: string } }>('{ viewer { name } }');
    expect(newcomer.viewer.name).toBe('New Person');
  });

  it('lose a token, and with it their session, when it is revoked', async () => {
    const person = await kit.newUser({ name: 'Short Stay' });
    const theirs = await kit.openAs(person, '/settings?view=tokens');
    const page = await kit.openAs(kit.admin, `/admin/users/${person.id}?view=tokens`);

    await page.getByRole('button', { name: 'Revoke test' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke token' }).click();
    await page.getByText('Revoked').waitFor();
    await theirs.waitForURL(/\/sign-in\?from=/);

    await theirs.getByText('Your session has ended.').waitFor();
    expect(new URL(theirs.url()).searchParams.get('from')).toBe('/settings?view=tokens');
  });

  it('who are not administrators see neither the entries nor the pages', async () => {
    const page = await kit.openAs(await kit.newUser(), '/admin/users');

    await page.getByText('This is for administrators').waitFor();

    expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()).toEqual([
      'Ask',
      'Runs',
      'Knowledge',
      'Settings',
      'Rules',
      'Usage',
    ]);
  });
});

describe('the organisation', () => {
  it('sets a default and a ceiling that hold for everyone at once', async () => {
    const person = await kit.newUser();
    const [page, theirs] = await Promise.all([
      kit.openAs(kit.admin, '/admin/organisation'),
      kit.openAs(person, '/settings'),
    ]);

    await numberInput(page, 'Timeout: default').fill('240');
    await saved(page, 'Timeout: default');
    await numberInput(page, 'Timeout: ceiling').fill('200');
    await saved(page, 'Timeout: ceiling');
    await row(theirs, 'Timeout').getByText('capped at 200 by your organisation').waitFor();
    await numberInput(page, 'Timeout: ceiling').fill('');
    await row(page, 'Timeout: ceiling').getByText('no ceiling').waitFor();
    await row(theirs, 'Timeout').getByText('organisation default').waitFor();

    expect(await limitOf(person, 'timeoutSeconds')).toBe(240);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('listitem').filter({ hasText: 'organisation ceiling' }).first().waitFor();
  });

  it('shows both values when two administrators change the same field', async () => {
    const page = await kit.openAs(kit.admin, '/admin/organisation');

    await numberInput(page, 'Token budget: ceiling').fill('1');
    await setOrganisation(kit.admin, { ceilings: { tokenBudget: 90_000 } });
    await row(page, 'Token budget: ceiling')
      .getByRole('button', { name: /^Take theirs/ })
      .click();

    expect(await numberInput(page, 'Token budget: ceiling').inputValue()).toBe('90000');
    await setOrganisation(kit.admin, { ceilings: { tokenBudget: null } });
  });
});

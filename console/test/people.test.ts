import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../api/test/kit/kit.ts';
import { overSse } from '../../api/test/kit/live.ts';
import { expectAccessible } from './accessible.ts';
import { type ConsoleKit, limitOf, setLimits, setOrganisation, startConsoleKit, tabTo } from './console-kit.ts';

let kit: ConsoleKit;
beforeAll(async () => {
  kit = await startConsoleKit();
});
afterAll(() => kit.stop());

const ask =
  'subscription { oracleQuery(input: { question: "What is in the vault?", model: "offline" }) { __typename } }';
const longName = 'Maximiliana-Alexandrovna von und zu Hohenstaufen-Wittelsbach de la Fuente y Villanueva';

async function team(name: string, count: number): Promise<readonly TestUser[]> {
  const people: TestUser[] = [];
  for (let number = 1; number <= count; number++) people.push(await kit.newUser({ name: `${name} ${number}` }));
  return people;
}

const select = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
const bar = (page: Page) => page.getByRole('region', { name: 'Selected people' });
const dialog = (page: Page) => page.getByRole('dialog');

/** Opens the dialog for everybody whom the search finds, and fills one limit in. */
async function previewTurns(page: Page, turns: string): Promise<void> {
  await bar(page).getByRole('button', { name: 'Set limits…' }).click();
  await dialog(page).getByLabel('Max iterations: what to do').selectOption('Set to');
  await dialog(page).getByLabel('Max iterations: new value').fill(turns);
  await dialog(page).getByRole('button', { name: 'Preview' }).click();
}

describe('people at a glance', () => {
  it('show what runs, the last days, and limits of their own', async () => {
    const [busy] = await team('Busy Bee', 1);
    if (!busy) throw new Error('nobody');
    await setLimits(busy, { maxIterations: 42 });
    const answer = overSse<{ oracleQuery: { __typename: string } }>({ url: kit.url, token: busy.token }, ask);
    await answer.until(({ oracleQuery }) => oracleQuery.__typename === 'DoneChunk');
    await answer.stop();
    const page = await kit.openAs(kit.admin, '/admin/users?search=Busy', { viewport: { width: 1600, height: 900 } });

    const row = page.getByRole('row', { name: /Busy Bee 1/ });
    await row.getByText('1 limit').waitFor();
    await row.getByText('Max iterations: 42 (default 15)').waitFor();
    await row.getByText('1 run').first().waitFor();
  });

  it('are paged forward and back, also after a reload in the middle', async () => {
    await kit.database.query(
      `insert into users (id, email, name) select gen_random_uuid(), 'many-' || n || '@example.com', 'Many ' || lpad(n::text, 3, '0') from generate_series(1, 160) n`,
    );
    const page = await kit.openAs(kit.admin, '/admin/users?search=Many');
    await page.getByText('1–50 of 160').waitFor();
    for (const range of ['51–100', '101–150', '151–160']) {
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText(`${range} of 160`).waitFor();
    }
    await page.reload();
    for (const range of ['101–150', '51–100', '1–50']) {
      await page.getByRole('button', { name: 'Previous' }).click();
      await page.getByText(`${range} of 160`).waitFor();
    }
    await page.getByRole('link', { name: 'Many 001' }).waitFor();
    expect(await page.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true);
  });
});

describe('limits of many', () => {
  it('are previewed for each person, changed, and changed back with Undo', async () => {
    const [one, two] = await team('Analyst', 2);
    if (!one || !two) throw new Error('nobody');
    await setLimits(two, { maxIterations: 20 });
    const page = await kit.openAs(kit.admin, '/admin/users?search=Analyst');

    await select(page, 'Analyst 1').check();
    await select(page, 'Analyst 2').check();
    await bar(page).getByText('2 people selected').waitFor();
    await previewTurns(page, '30');
    await dialog(page).getByText('2 would change · 0 unchanged').waitFor();
    const rows = dialog(page).getByRole('listitem');
    await rows.filter({ hasText: 'Analyst 1' }).getByText('15 (default)').waitFor();
    await rows.filter({ hasText: 'Analyst 2' }).getByText('20', { exact: true }).waitFor();
    expect(await limitOf(one, 'maxIterations')).toBe(15);
    await dialog(page).getByRole('button', { name: 'Change 2 people' }).click();
    await page.getByText('Limits of 2 people changed.').waitFor();

    expect(await limitOf(one, 'maxIterations')).toBe(30);
    expect(await limitOf(two, 'maxIterations')).toBe(30);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await limitOf(one, 'maxIterations')).toBe(15);
    expect(await limitOf(two, 'maxIterations')).toBe(20);
  });

  it('change nobody when somebody’s changed meanwhile; the answer says whose, and a new look helps', async () => {
    const [one, two] = await team('Racer', 2);
    if (!one || !two) throw new Error('nobody');
    const page = await kit.openAs(kit.admin, '/admin/users?search=Racer');

    await page.getByRole('checkbox', { name: 'Select everybody on this page' }).check();
    await previewTurns(page, '9');
    await dialog(page).getByText('2 would change').waitFor();
    await setLimits(two, { timeoutSeconds: 60 });
    await dialog(page).getByRole('button', { name: 'Change 2 people' }).click();
    await dialog(page).getByText('Nothing was changed.').waitFor();
    await dialog(page).getByRole('listitem').filter({ hasText: 'Racer 2' }).getByText('changed meanwhile').waitFor();
    expect(await limitOf(one, 'maxIterations')).toBe(15);
    await dialog(page).getByRole('button', { name: 'Preview again' }).click();
    await dialog(page).getByRole('button', { name: 'Change 2 people' }).click();
    await page.getByText('Limits of 2 people changed.').waitFor();
    await setLimits(two, { maxIterations: 11 });
    await page.getByRole('button', { name: 'Undo' }).click();

    await page.getByText('Not undone: changed by somebody since: Racer 2.').waitFor();
    expect(await limitOf(one, 'maxIterations')).toBe(9);
  });

  it('reach everybody who matches, seen or not', async () => {
    await kit.database.query(
      `insert into users (id, email, name) select gen_random_uuid(), 'crowd-' || n || '@example.com', 'Crowd ' || n from generate_series(1, 70) n`,
    );
    const page = await kit.openAs(kit.admin, '/admin/users?search=Crowd');

    await page.getByRole('checkbox', { name: 'Select everybody on this page' }).check();
    await bar(page).getByText('50 people selected').waitFor();
    await bar(page).getByRole('button', { name: 'Select all 70 who match' }).click();
    await previewTurns(page, '7');
    await dialog(page).getByRole('button', { name: 'Change 70 people' }).click();
    await page.getByText('Limits of 70 people changed.').waitFor();

    const [row] = await kit.database.query<{ count: number }>(
      `select count(*)::int as count from user_settings s join users u on u.id = s.user_id where u.name like 'Crowd%' and s.agent_config->>'maxIterations' = '7'`,
    );
    expect(row?.count).toBe(70);
  });

  it('say what is wrong at the field, keep what was typed, and honour ceilings', async () => {
    await team('Capped', 1);
    await setOrganisation(kit.admin, { ceilings: { maxIterations: 25 } });
    const page = await kit.openAs(kit.admin, '/admin/users?search=Capped');
    await select(page, 'Capped 1').check();

    await bar(page).getByRole('button', { name: 'Set limits…' }).click();
    await dialog(page).getByRole('button', { name: 'Preview' }).click();
    await dialog(page).getByText('Choose at least one limit to change.').waitFor();
    await dialog(page).getByLabel('Max iterations: what to do').selectOption('Set to');
    await dialog(page).getByLabel('Max iterations: new value').fill('40');
    await dialog(page).getByRole('button', { name: 'Preview' }).click();
    await dialog(page).getByText('Max iterations must be between 1 and 25, your organisation').waitFor();
    expect(await dialog(page).getByLabel('Max iterations: new value').inputValue()).toBe('40');
    await setOrganisation(kit.admin, { ceilings: { maxIterations: null } });
  });

  it('are set with the keyboard alone', async () => {
    const [one] = await team('Keyboarder', 1);
    if (!one) throw new Error('nobody');
    const page = await kit.openAs(kit.admin, '/admin/users?search=Keyboarder');

    await tabTo(page, select(page, 'Keyboarder 1'));
    await page.keyboard.press('Space');
    await tabTo(page, bar(page).getByRole('button', { name: 'Set limits…' }));
    await page.keyboard.press('Enter');
    await tabTo(page, dialog(page).getByLabel('Timeout: what to do'));
    await page.keyboard.press('ArrowDown');
    await dialog(page).getByLabel('Timeout: new value').waitFor();
    await tabTo(page, dialog(page).getByLabel('Timeout: new value'));
    await page.keyboard.type('33');
    await page.keyboard.press('Enter');
    await dialog(page).getByText('1 would change').waitFor();
    await tabTo(page, dialog(page).getByRole('button', { name: 'Change 1 person' }));
    await page.keyboard.press('Enter');
    await page.getByText('Limits of 1 person changed.').waitFor();

    expect(await limitOf(one, 'timeoutSeconds')).toBe(33);
    await page.keyboard.press('Control+z');
    await page.getByText('Undone.').waitFor();
    expect(await limitOf(one, 'timeoutSeconds')).toBe(120);
  });
});

describe('settings through time', () => {
  it('are compared between any two points, which the address keeps', async () => {
    const [person] = await team('Historian', 1);
    if (!person) throw new Error('nobody');
    await setLimits(person, { maxIterations: 10 });
    await setLimits(person, { maxIterations: 20 });
    await setLimits(person, { tokenBudget: 9_000 });
    const page = await kit.openAs(kit.admin, `/admin/users/${person.id}?view=history`);

    await page.getByRole('button', { name: 'Compare' }).click();
    const panel = page.getByRole('region', { name: 'Compare' });
    await panel.getByLabel('From').selectOption({ label: 'The beginning' });
    await panel.getByRole('row', { name: /Max iterations.*not set.*20/ }).waitFor();
    await panel.getByRole('row', { name: /Token budget.*not set.*9,000/ }).waitFor();
    await page.reload();
    await panel.getByRole('row', { name: /Max iterations.*not set.*20/ }).waitFor();
    await panel.getByRole('button', { name: 'Close the comparison' }).click();
    expect(new URL(page.url()).search).toBe('?view=history');
  });

  it('are put back after a preview, by the person too, and back again with Undo', async () => {
    const [person] = await team('Returner', 1);
    if (!person) throw new Error('nobody');
    await setLimits(person, { maxIterations: 10 });
    await setLimits(person, { maxIterations: 20, tokenBudget: 9_000 });
    const page = await kit.openAs(person, '/settings?view=history');

    await page.getByRole('button', { name: 'Put back Token budget, version 3' }).click();
    await dialog(page).getByText('As they were before version 3:').waitFor();
    await dialog(page)
      .getByRole('row', { name: /Max iterations.*20.*10/ })
      .waitFor();
    await dialog(page).getByLabel('To after this change').check();
    await dialog(page).getByText('Nothing would change').waitFor();
    await dialog(page).getByLabel('To before this change').check();
    await dialog(page).getByRole('button', { name: 'Put back' }).click();
    await page.getByText('Settings put back.').waitFor();

    expect(await limitOf(person, 'maxIterations')).toBe(10);
    expect(await limitOf(person, 'tokenBudget')).toBe(50_000);
    await page.getByRole('button', { name: 'Put back Max iterations, version 4' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await limitOf(person, 'maxIterations')).toBe(20);
    expect(await limitOf(person, 'tokenBudget')).toBe(9_000);
  });

  it('of the organisation are put back with defaults and ceilings', async () => {
    await setOrganisation(kit.admin, { defaults: { maxParallelTools: 4 }, ceilings: { maxParallelTools: 6 } });
    const page = await kit.openAs(kit.admin, '/admin/organisation?view=history');

    await page
      .getByRole('button', { name: /^Put back Parallel tools/ })
      .first()
      .click();
    await dialog(page)
      .getByRole('row', { name: /Parallel tools.*organisation ceiling.*6.*not set/ })
      .waitFor();
    await dialog(page).getByRole('button', { name: 'Put back' }).click();
    await page.getByText('Settings put back.').waitFor();

    const person = await kit.newUser();
    expect(await limitOf(person, 'maxParallelTools')).toBe(3);
  });
});

describe.each([{ width: 360 }, { width: 1600 }])('at $width px', ({ width }) => {
  it('everything about many people is accessible, and no wider than the screen', async () => {
    const person = await kit.newUser({ name: longName, email: `long-${width}@example.com` });
    await setLimits(person, { maxIterations: 10 });
    await setLimits(person, { maxIterations: 20 });
    const page = await kit.openAs(kit.admin, `/admin/users?search=long-${width}`, { viewport: { width, height: 900 } });

    await select(page, longName).check();
    await bar(page).waitFor();
    await expectAccessible(page);
    await previewTurns(page, '60');
    await dialog(page).getByText('must be between').waitFor();
    await expectAccessible(page);
    await dialog(page).getByLabel('Max iterations: new value').fill('12');
    await dialog(page).getByRole('button', { name: 'Preview' }).click();
    await dialog(page).getByText('1 would change').waitFor();
    await expectAccessible(page);
    await page.goto(`/admin/users/${person.id}?view=history&compare=yes`);
    await page.getByRole('region', { name: 'Compare' }).getByRole('row').nth(1).waitFor();
    await expectAccessible(page);
    await page
      .getByRole('button', { name: /^Put back Max iterations/ })
      .first()
      .click();
    await dialog(page).getByRole('row').nth(1).waitFor();
    await expectAccessible(page);
  });
});

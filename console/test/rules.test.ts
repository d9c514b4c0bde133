import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../api/test/kit/kit.ts';
import { expectAccessible } from './accessible.ts';
import { type ConsoleKit, eventually, startConsoleKit } from './console-kit.ts';

let kit: ConsoleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startConsoleKit({ defaultModel: 'simulated/answer' });
  user = await kit.newUser({ name: 'Ada' });
});
afterAll(() => kit.stop());

const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'All rules' }).getByRole('listitem').filter({ hasText: name });
const editor = (page: Page) => page.getByRole('textbox', { name: 'Text of the rule, in TOML' });
const enabled = async (id: string) =>
  (
    await kit.admin.ask<{ rule: { enabledForEverybody: boolean | null } }>(
      'query ($id: String!) { rule(id: $id) { enabledForEverybody } }',
      { id },
    )
  ).rule.enabledForEverybody;

/** Types a whole new text, as a person who pastes it. */
async function write(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

const mine = (condition: string) =>
  `id = "mine"\nname = "My rule"\ntrigger = "SESSION_END"\ncondition = "${condition}"\n[action.notify]\nmessage = "It took {{ ending.turns }} turns."\n`;

async function ask(person: TestUser, question: string): Promise<void> {
  const before = await runsOf(person);
  const response = await fetch(`${kit.url}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${person.token}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({
      query: 'subscription ($q: String!) { oracleQuery(input: { question: $q }) { __typename } }',
      variables: { q: question },
    }),
  });
  await response.text();
  expect(await runsOf(person)).toBe(before + 1);
}

const runsOf = async (person: TestUser) =>
  (await person.ask<{ runs: { totalCount: number } }>('{ runs { totalCount } }')).runs.totalCount;

describe('the rules page', () => {
  it('switches rules for everybody, and takes that back', async () => {
    const page = await kit.openAs(kit.admin, '/admin/rules');
    await row(page, 'Long result').getByRole('switch').click({ force: true });
    await page.getByText('“Long result” is switched off.').waitFor();
    expect(await enabled('long-result')).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(() => enabled('long-result')).toBe(true);
  });

  it('writes a rule with its mistakes shown where they are, keeps its history and tries it', async () => {
    const page = await kit.openAs(kit.admin, '/admin/rules');
    await page.getByRole('button', { name: 'New rule' }).click();
    await editor(page).getByText('slow-search').waitFor();
    await page.getByText('Nothing wrong with it.').waitFor();

    await write(page, mine('ending.trns > 0'));
    await page.getByText('"ending" has no "trns". Did you mean turns?').waitFor();
    await page.getByText('Line 4, column 21').waitFor();
    await page.locator('.cm-lintRange-error').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('One problem').waitFor();

    await write(page, mine('ending.turns > 0'));
    await page.getByText('Nothing wrong with it.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('“mine” is saved').waitFor();
    await row(page, 'My rule').waitFor();
    expect(new URL(page.url()).searchParams.get('rule')).toBe('mine');

    await ask(kit.admin, 'What is in the vault?');
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByText('Told: It took 1 turns.').waitFor();
    await page.getByRole('link', { name: 'What is in the vault?' }).waitFor();

    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('It would have fired at turn 1.').waitFor();
    await page.getByLabel('Try it on').selectOption('A sample');
    await page.getByLabel('Sample, in JSON').fill('{ "ending": { "turns": 0 } }');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('It would not have fired.').waitFor();
    await page.getByLabel('Sample, in JSON').fill('{ nonsense');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('This is no JSON.').waitFor();

    await page.reload();
    await page.getByLabel('Try it on').waitFor();
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('“mine” is deleted.').waitFor();
    await eventually(() => row(page, 'My rule').count()).toBe(0);
  });

  it('shows built-in rules as they are, to be copied', async () => {
    const page = await kit.openAs(kit.admin, '/admin/rules?rule=query-log');
    await editor(page).getByText('query-log').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Copy into a new rule' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The id "query-log" is taken by a built-in rule.').waitFor();
  });

  it('lets a person switch what is not core, for themselves', async () => {
    const page = await kit.openAs(user, '/rules');
    expect(await row(page, 'Query log').getByRole('switch').isDisabled()).toBe(true);
    await row(page, 'Long result').getByRole('switch').click({ force: true });
    await page.getByText('“Long result” is switched off.').waitFor();
    await page.reload();
    await row(page, 'Long result').waitFor();
    expect(await row(page, 'Long result').getByRole('switch').isChecked()).toBe(false);
    expect(await page.getByRole('button', { name: 'New rule' }).count()).toBe(0);

    await page.goto('/admin/rules');
    await page.getByText('administrators').first().waitFor();
  });

  it('is accessible in light and dark, wide and narrow', async () => {
    for (const width of [360, 1280]) {
      const page = await kit.openAs(kit.admin, '/admin/rules?rule=long-result', { viewport: { width, height: 800 } });
      await editor(page).waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Test' }).click();
      await page.getByLabel('Try it on').waitFor();
      await expectAccessible(page);
    }
    const page = await kit.openAs(user, '/rules?rule=long-result');
    await page.getByText('It has not fired').waitFor();
    await expectAccessible(page);
  });
});

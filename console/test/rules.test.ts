import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../api/test/kit/kit.ts';
import { expectAccessible } from './accessible.ts';
import { type ConsoleKit, eventually, startConsoleKit } from './console-kit.ts';
import { editor, ruleText, saveRule, textOf, write } from './rules-kit.ts';

let kit: ConsoleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startConsoleKit({ defaultModel: 'simulated/answer' });
  user = await kit.newUser({ name: 'Ada' });
});
afterAll(() => kit.stop());

const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'All rules' }).getByRole('listitem').filter({ hasText: name });
const enabled = async (id: string) =>
  (
    await kit.admin.ask<{ rule: { enabledForEverybody: boolean | null } }>(
      'query ($id: String!) { rule(id: $id) { enabledForEverybody } }',
      { id },
    )
  ).rule.enabledForEverybody;

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
    const refused: string[] = [];
    page.on('console', (message) => message.text().includes('Content Security Policy') && refused.push(message.text()));
    await page.getByRole('button', { name: 'New rule' }).click();
    await editor(page).getByText('slow-search').waitFor();
    await page.getByText('Nothing wrong with it.').waitFor();

    await write(page, mine('ending.trns > 0'));
    await page.getByText('"ending" has no "trns". Did you mean turns?').waitFor();
    await page.getByText('Line 4, column 21').waitFor();
    const mark = page.locator('.cm-lintRange-error');
    expect(await mark.evaluate((element) => getComputedStyle(element).textDecorationStyle)).toBe('wavy');
    await page.locator('.cm-lint-marker-error').waitFor();
    expect(refused).toEqual([]);
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
    await ask(kit.admin, 'And what else?');
    await page.getByRole('link', { name: 'And what else?' }).waitFor();

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

  it('shows all that a rule did, page by page', async () => {
    await saveRule(kit, 'busy');
    await ask(kit.admin, 'How often?');
    await kit.database.query(
      `insert into rule_firings (run_id, number, rule_id, user_id, turn, at, trigger, effect)
       select run_id, 1000 + n, rule_id, user_id, turn, at - n * interval '1 second', trigger, effect
       from rule_firings, generate_series(1, 44) n where rule_id = 'busy'`,
    );
    const page = await kit.openAs(kit.admin, '/admin/rules?rule=busy&view=history');
    const firings = page.getByRole('list', { name: 'What the rule did' }).getByRole('listitem');
    const more = page.getByRole('button', { name: 'Show more' });
    await eventually(() => firings.count()).toBe(20);
    await more.dblclick();
    await eventually(() => firings.count()).toBe(40);
    await more.click();
    await eventually(() => firings.count()).toBe(45);
    expect(await more.count()).toBe(0);
  });

  it('opens a rule in sight and in reach of the keyboard, and leads back to the list', async () => {
    const page = await kit.openAs(kit.admin, '/admin/rules', { viewport: { width: 1280, height: 300 } });
    const link = page.getByRole('link', { name: 'A tool keeps failing' });
    await link.focus();
    await page.keyboard.press('Enter');
    const heading = page.getByRole('heading', { name: 'A tool keeps failing' });
    await eventually(() => heading.evaluate((element) => element === document.activeElement)).toBe(true);
    expect((await heading.boundingBox())?.y).toBeGreaterThan(0);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');

    await eventually(() => link.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(new URL(page.url()).search).toBe('');
  });

  it('shows built-in rules as they are, to be copied', async () => {
    const page = await kit.openAs(kit.admin, '/admin/rules?rule=query-log');
    await editor(page).getByText('query-log').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Copy into a new rule' }).click();
    await page.getByRole('heading', { name: 'New rule' }).waitFor();
    await page.reload();
    await editor(page).getByText('query-log').waitFor();
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

  it('leaves a switch where it is when the server cannot be reached, and the keyboard at it', async () => {
    const page = await kit.openAs(await kit.newUser(), '/rules');
    const toggle = row(page, 'A tool keeps failing').getByRole('switch');
    const press = async () => {
      await page.keyboard.press('Space');
      expect(await toggle.evaluate((element) => element === document.activeElement)).toBe(true);
    };
    await toggle.focus();
    await page.route('**/graphql', (route) => route.abort());
    await press();
    await page.getByText('could not be reached').waitFor();
    expect(await toggle.isChecked()).toBe(true);
    await page.unroute('**/graphql');

    await press();
    await page.getByText('“A tool keeps failing” is switched off.').waitFor();
    expect(await toggle.isChecked()).toBe(false);
    await press();
    await page.getByText('“A tool keeps failing” is switched on.').waitFor();
    expect(await toggle.isChecked()).toBe(true);
  });

  it('can be read and written when the editor cannot be had', async () => {
    await saveRule(kit, 'plain');
    const page = await kit.openAs(kit.admin, '/admin/rules');
    await page.route('**/code-editor*', (route) => route.abort());
    await page.getByRole('link', { name: 'A rule: plain' }).click();
    await editor(page).fill(`${ruleText('plain')}# by hand`);
    await page.getByText('Nothing wrong with it.').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();

    await eventually(() => textOf(kit, 'plain')).toContain('# by hand');
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

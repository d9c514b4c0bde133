import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleKit, eventually, startConsoleKit } from './console-kit.ts';
import { editor, ruleText, saveRule, textOf, write } from './rules-kit.ts';

let kit: ConsoleKit;
beforeAll(async () => {
  kit = await startConsoleKit({ defaultModel: 'simulated/answer' });
});
afterAll(() => kit.stop());

describe('the text of a rule', () => {
  it('keeps what is typed and not saved, tries it, and lets go of it', async () => {
    await saveRule(kit, 'kept');
    const page = await kit.openAs(kit.admin, '/admin/rules?rule=kept');
    await write(page, `${ruleText('kept')}# unfinished`);
    await page.getByText('Not saved yet; kept in this browser.').waitFor();
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('What you have written is tried').waitFor();
    await page.getByLabel('Try it on').selectOption('A sample');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('It would have fired at turn 9.').waitFor();
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('link', { name: 'Long result' }).click();
    await editor(page).getByText('long-result').waitFor();
    await page.goto('/admin/rules?rule=kept');
    await editor(page).getByText('# unfinished').waitFor();

    await page.getByRole('button', { name: 'Discard changes' }).click();
    await eventually(() => editor(page).innerText()).not.toContain('unfinished');
    await page.reload();
    await editor(page).getByText('kept').first().waitFor();
    expect(await editor(page).innerText()).not.toContain('unfinished');
  });

  it('saves by keyboard and goes on writing where one was', async () => {
    await saveRule(kit, 'typed');
    const page = await kit.openAs(kit.admin, '/admin/rules?rule=typed');
    await editor(page).click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.insertText('# first');
    await page.keyboard.press('ControlOrMeta+s');
    await page.keyboard.insertText(' and second');
    await page.getByText('“typed” is saved').waitFor();
    await page.getByText('Version 2').waitFor();
    await page.keyboard.insertText(' and third');

    expect(await editor(page).innerText()).toContain('# first and second and third');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Version 3').waitFor();
    expect(await textOf(kit, 'typed')).toContain('# first and second and third');
  });

  it('shows what somebody else wrote meanwhile, and lets the person decide', async () => {
    await saveRule(kit, 'shared');
    const page = await kit.openAs(kit.admin, '/admin/rules?rule=shared');
    const mine = async (comment: string) => {
      await write(page, `${ruleText('shared')}# ${comment}`);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Somebody else').waitFor();
    };
    await editor(page).waitFor();
    await saveRule(kit, 'shared', '# theirs');
    await mine('mine');
    await page.getByText('What stands there now').click();
    await page.getByRole('alert').getByText('# theirs').waitFor();
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await page.getByText('“shared” is saved').waitFor();
    expect(await textOf(kit, 'shared')).toContain('# mine');

    await saveRule(kit, 'shared', '# theirs again');
    await mine('mine again');
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await editor(page).getByText('# theirs again').waitFor();
    expect(await page.getByText('Not saved yet').count()).toBe(0);

    await kit.admin.ask('mutation { deleteRule(id: "shared") }');
    await mine('mine after all');
    await page.getByText('Somebody else deleted this rule meanwhile.').waitFor();
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await eventually(() => textOf(kit, 'shared')).toContain('# mine after all');
  });
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ConsoleKit,
  eventually,
  limitOf,
  numberInput,
  row,
  saved,
  setLimits,
  setOrganisation,
  slider,
  startConsoleKit,
  tabTo,
} from './console-kit.ts';

let kit: ConsoleKit;
beforeAll(async () => {
  kit = await startConsoleKit();
});
afterAll(() => kit.stop());

describe('settings', () => {
  it('keep what a slider was set to with the keyboard', async () => {
    const person = await kit.newUser();
    const page = await kit.openAs(person, '/settings');

    await slider(page, 'Max iterations').press('ArrowRight');
    await slider(page, 'Max iterations').press('ArrowRight');
    await saved(page, 'Max iterations');
    await page.reload();

    await page.getByText('Warns after turn 11 of 17.').waitFor();
    expect(await slider(page, 'Max iterations').getAttribute('aria-valuenow')).toBe('17');
    expect(await numberInput(page, 'Max iterations').inputValue()).toBe('17');
    await row(page, 'Max iterations').getByText('set by you').waitFor();
    expect(await limitOf(person, 'maxIterations')).toBe(17);
  });

  it('are saved once when a dragged slider is let go, and taken back with Ctrl-Z', async () => {
    const person = await kit.newUser();
    const page = await kit.openAs(person, '/settings');
    const mutations = watchMutations(page);
    await slider(page, 'Token budget').scrollIntoViewIfNeeded();
    const thumb = await slider(page, 'Token budget').boundingBox();
    if (!thumb) throw new Error('The slider is not on the screen.');
    const [x, y] = [thumb.x + thumb.width / 2, thumb.y + thumb.height / 2];

    await page.mouse.move(x, y);
    await page.mouse.down();
    for (const distance of [10, 20, 30, 40]) await page.mouse.move(x + distance, y);
    await eventually(() => numberInput(page, 'Token budget').inputValue()).not.toBe('50000');
    await page.mouse.up();
    await saved(page, 'Token budget');
    const chosen = await numberInput(page, 'Token budget').inputValue();
    expect(await limitOf(person, 'tokenBudget')).toBe(Number(chosen));
    expect(Number(chosen) % 1_000).toBe(0);
    expect(mutations).toHaveLength(1);
    await page.keyboard.press('Control+z');

    await eventually(() => limitOf(person, 'tokenBudget')).toBe(50_000);
  });

  it('keep an invalid value visible with the reason and save nothing', async () => {
    const person = await kit.newUser();
    const page = await kit.openAs(person, '/settings');
    const mutations = watchMutations(page);

    await numberInput(page, 'Max iterations').fill('0');
    await numberInput(page, 'Max iterations').press('Tab');
    await row(page, 'Max iterations').getByText('Max iterations must be between 1 and 50; you sent 0.').waitFor();
    // A later valid change goes through, and the invalid one still does not go with it.
    await numberInput(page, 'Timeout').fill('60');
    await saved(page, 'Timeout');

    expect(await numberInput(page, 'Max iterations').inputValue()).toBe('0');
    expect(mutations).toHaveLength(1);
    expect(await limitOf(person, 'maxIterations')).toBe(15);
  });

  it('show both values when two tabs change the same field, and keep the chosen one', async () => {
    const person = await kit.newUser();
    const [mine, theirs] = await Promise.all([kit.openAs(person, '/settings'), kit.openAs(person, '/settings')]);

    // An entry that cannot be saved keeps the field in use while the other tab saves.
    await numberInput(mine, 'Timeout').fill('5');
    await numberInput(theirs, 'Timeout').fill('300');
    await saved(theirs, 'Timeout');
    const conflict = row(mine, 'Timeout').getByRole('alert').filter({ hasText: 'Changed elsewhere' });
    await conflict.getByText('5 seconds').waitFor();
    await conflict.getByText('300 seconds').waitFor();
    expect(await numberInput(mine, 'Timeout').inputValue()).toBe('5');
    await numberInput(mine, 'Timeout').fill('50');
    await row(mine, 'Timeout')
      .getByRole('button', { name: /^Keep mine/ })
      .click();
    await saved(mine, 'Timeout');

    await eventually(() => numberInput(theirs, 'Timeout').inputValue()).toBe('50');
    expect(await limitOf(person, 'timeoutSeconds')).toBe(50);
  });

  it('take theirs when the person says so, and follow other tabs where nothing is being edited', async () => {
    const person = await kit.newUser();
    const page = await kit.openAs(person, '/settings');

    await numberInput(page, 'Timeout').fill('5');
    await setLimits(person, { timeoutSeconds: 200, maxIterations: 30 });
    await eventually(() => numberInput(page, 'Max iterations').inputValue()).toBe('30');
    await row(page, 'Timeout')
      .getByRole('button', { name: /^Take theirs/ })
      .click();

    expect(await numberInput(page, 'Timeout').inputValue()).toBe('200');
    expect(await limitOf(person, 'timeoutSeconds')).toBe(200);
  });

  it('are clamped at once by a new ceiling, and say so', async () => {
    const person = await kit.newUser();
    await setLimits(person, { maxParallelTools: 9 });
    const page = await kit.openAs(person, '/settings');
    await row(page, 'Parallel tools').getByText('set by you').waitFor();

    await setOrganisation(kit.admin, { ceilings: { maxParallelTools: 4 } });
    await row(page, 'Parallel tools').getByText('capped at 4 by your organisation').waitFor();

    expect(await numberInput(page, 'Parallel tools').inputValue()).toBe('4');
    await numberInput(page, 'Parallel tools').fill('7');
    await row(page, 'Parallel tools')
      .getByText("Parallel tools must be between 1 and 4, your organisation's ceiling; you sent 7.")
      .waitFor();
    await setOrganisation(kit.admin, { ceilings: { maxParallelTools: null } });
  });

  it('go back to the default with reset, and forth again with undo', async () => {
    const person = await kit.newUser();
    await setLimits(person, { maxIterations: 40, timeoutSeconds: 60 });
    const page = await kit.openAs(person, '/settings');

    await page.getByRole('button', { name: /^Reset Max iterations to 15 turns/ }).click();
    await row(page, 'Max iterations').getByText('built-in default').waitFor();
    await page.getByRole('button', { name: 'Undo the change of Max iterations' }).click();
    await eventually(() => limitOf(person, 'maxIterations')).toBe(40);
    await page.getByRole('button', { name: 'Reset all' }).click();
    await row(page, 'Timeout').getByText('built-in default').waitFor();
    await page.getByRole('button', { name: 'Undo reset' }).click();

    await eventually(() => limitOf(person, 'timeoutSeconds')).toBe(60);
    await eventually(() => limitOf(person, 'maxIterations')).toBe(40);
  });

  it('do not lose the last keystroke when the page is left', async () => {
    const person = await kit.newUser();
    const page = await kit.openAs(person, '/settings');

    await numberInput(page, 'Timeout').fill('7');
    await numberInput(page, 'Timeout').press('7');
    await page.getByRole('link', { name: 'History' }).click();
    await eventually(() => limitOf(person, 'timeoutSeconds')).toBe(77);
    await page.getByText('personal setting').waitFor();
    await page.getByRole('link', { name: 'Limits and models' }).click();
    await numberInput(page, 'Timeout').fill('88');
    await page.goto('about:blank');

    await eventually(() => limitOf(person, 'timeoutSeconds')).toBe(88);
  });

  it('save the model settings too', async () => {
    const person = await kit.newUser();
    const page = await kit.openAs(person, '/settings');

    await row(page, 'Thinking').getByRole('switch').press(' ');
    await saved(page, 'Thinking');
    await numberInput(page, 'Model').fill('two words');
    await row(page, 'Model').getByText('printable characters without spaces; you sent "two words".').waitFor();
    await numberInput(page, 'Model').fill('simulated/slow');
    await saved(page, 'Model');

    expect(await person.ask('{ modelSettings { oracleModel thinkingEnabled } }')).toEqual({
      modelSettings: { oracleModel: 'simulated/slow', thinkingEnabled: true },
    });
  });
});

describe('with the keyboard alone', () => {
  it('a person signs in and sets all seven limits', async () => {
    const person = await kit.newUser();
    const page = await kit.open('/settings');
    const limits = {
      'Max iterations': ['maxIterations', 21],
      'Iteration warning': ['softWarningPercent', 61],
      'Token budget': ['tokenBudget', 12_345],
      'Token warning': ['tokenWarningPercent', 71],
      Timeout: ['timeoutSeconds', 91],
      'Tool calls per turn': ['maxToolCallsPerTurn', 7],
      'Parallel tools': ['maxParallelTools', 2],
    } as const;

    await tabTo(page, page.getByLabel('Token'));
    await page.keyboard.type(person.token);
    await page.keyboard.press('Enter');
    for (const [title, [, value]] of Object.entries(limits)) {
      await tabTo(page, numberInput(page, title));
      await page.keyboard.type(String(value));
    }
    await page.keyboard.press('Tab');
    await saved(page, 'Parallel tools');

    for (const [field, value] of Object.values(limits)) expect(await limitOf(person, field)).toBe(value);
  });
});

function watchMutations(page: Page): readonly string[] {
  const mutations: string[] = [];
  page.on('request', (request) => {
    const body = request.postData();
    if (body?.includes('mutation')) mutations.push(body);
  });
  return mutations;
}

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../api/test/kit/kit.ts';
import { expectAccessible } from './accessible.ts';
import { chatOn } from './chat-kit.ts';
import { type ConsoleKit, eventually, startConsoleKit, tabTo } from './console-kit.ts';
import { ask, begin } from './runs-kit.ts';

let kit: ConsoleKit;
let ada: TestUser;
const runs: Record<string, string> = {};
beforeAll(async () => {
  kit = await startConsoleKit({ pace: 4 });
  ada = await kit.newUser({ name: 'Ada' });
  for (const name of ['loop', 'errors', 'fan-out', 'think']) {
    runs[name] = await ask(kit, ada, { model: `simulated/${name}`, question: `Act out ${name}` });
  }
  const config = { maxIterations: 50, tokenBudget: 200_000 };
  runs.busy = await ask(kit, ada, { model: 'simulated/busy', question: 'Many turns', config });
}, 120_000);
afterAll(() => kit.stop());

const open = (name: string, view: string, options?: Parameters<ConsoleKit['openAs']>[2]) =>
  kit.openAs(ada, `/runs/${runs[name]}?view=${view}`, options);
const cell = (page: Page, row: number, column: number) => page.locator(`[data-cell="${row} ${column}"]`);
const sentence = (page: Page) => page.locator('[data-sentence]').textContent();

describe('the page of a run', () => {
  it('says why it stopped, with the numbers against the limits, and leads to the conversation', async () => {
    const page = await open('loop', 'conversation');
    await page.getByRole('heading', { level: 1, name: 'Act out loop' }).waitFor();

    const numbers = page.getByLabel('Numbers of this run');
    expect(await numbers.textContent()).toMatch(/Turns\s*3 of 15/);
    expect(await numbers.textContent()).toMatch(/Who\s*Ada/);
    expect(await page.locator('main header [data-state=NO_PROGRESS]').count()).toBe(1);
    await page.getByRole('link', { name: 'Open the conversation' }).click();
    await chatOn(page).exchange('Act out loop').waitFor();
    await page.getByRole('link', { name: 'See the run' }).click();
    await page.getByRole('heading', { level: 1, name: 'Act out loop' }).waitFor();
  });

  it('shows the conversation as the chat does', async () => {
    const page = await open('errors', 'conversation');
    const article = page.getByRole('article', { name: 'Conversation' });
    await article.locator('[data-ending=ERROR_LIMIT]').waitFor();

    expect(await article.locator('[data-status=FAILED]').count()).toBe(3);
    expect(await article.getByText('System', { exact: true }).count()).toBeGreaterThan(0);
    const thinking = await open('think', 'conversation');
    await thinking
      .getByText(/^Thought for/)
      .first()
      .waitFor();
  });

  it('goes on from a limit as a run of its own', async () => {
    const page = await open('loop', 'conversation');
    await page.locator('main header').getByRole('button', { name: 'Answer now' }).click();
    await eventually(() => new URL(page.url()).pathname).not.toBe(`/runs/${runs.loop}`);

    await page.getByText('Answer now, from what was found.').waitFor();
    await page.getByRole('article').locator('[data-ending]').waitFor();
  });

  it('is live in all views, and stops what runs', async () => {
    const runId = await begin(kit, ada, { model: 'simulated/slow', question: 'Will it take long?' });
    const page = await kit.openAs(ada, `/runs/${runId}`);
    const length = async () => (await page.getByRole('article').textContent())?.length ?? 0;
    await page.getByText('one piece at a time').first().waitFor();
    const before = await length();
    await eventually(length).toBeGreaterThan(before);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.locator('[data-bar][data-state=running]').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();

    await page.locator('main header [data-state=CANCELLED]').waitFor();
    await page.locator('[data-bar][data-state=done]').waitFor();
    await page.getByRole('link', { name: 'Decisions' }).click();
    await page.getByText('Stopped: Cancelled').waitFor();
  });

  it('shows an administrator the run of another, without what only its owner can do', async () => {
    const page = await kit.openAs(kit.admin, `/runs/${runs.loop}`);
    await page.getByRole('article').locator('[data-ending]').waitFor();

    expect(await page.locator('main header').getByRole('button').count()).toBe(0);
    const card = page.locator('[data-ending]');
    await card.getByText('Only Ada can go on with it.').waitFor();
    expect(await card.getByRole('button').count()).toBe(0);
    await card.getByRole('link', { name: 'Limits of Ada' }).click();
    await page.waitForURL(/\/admin\/users\//);
    const runId = await begin(kit, ada, { model: 'simulated/slow', question: 'Another?' });
    await page.goto(`/runs/${runId}`);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.locator('main header [data-state=CANCELLED]').waitFor();
  });

  it('does not tell a foreign run from a missing one', async () => {
    const stranger = await kit.newUser();
    const page = await kit.openAs(stranger, `/runs/${runs.loop}`);
    await page.getByText('There is no such run').waitFor();
    await page.goto('/runs/00000000-0000-4000-8000-000000000000');

    await page.getByText('There is no such run').waitFor();
    await expectAccessible(page);
  });
});

describe('the timeline', () => {
  it('shows parallel tools beside each other, and what was not run', async () => {
    const page = await open('fan-out', 'timeline');
    await page.locator('[data-bar]').first().waitFor();

    expect(await page.locator('[data-bar][data-kind=model]').count()).toBe(2);
    expect(await page.locator('[data-bar][data-kind=model] [data-first-token]').count()).toBeGreaterThan(0);
    const tops = await page
      .locator('[data-bar][data-kind=tool][data-state=done]')
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().top));
    expect(new Set(tops).size).toBeGreaterThan(1);
    expect(await page.locator('[data-bar][data-state=not-run]').getAttribute('aria-label')).toMatch(/calls not run/);
  });

  it('tells numbers on hover, and arguments, result and error on a click, which a reload keeps', async () => {
    const page = await open('errors', 'timeline');
    const failed = page.locator('[data-bar][data-state=failed]').first();
    await failed.hover();

    expect(await page.locator('[data-readout]').textContent()).toMatch(/^Turn 1, \w+: failed, \d/);
    await failed.click();
    const detail = page.getByRole('complementary', { name: 'Details' });
    await detail.getByRole('region', { name: 'Error' }).waitFor();
    expect(await detail.getByRole('region', { name: 'Arguments' }).textContent()).toContain('{');
    await expectAccessible(page);
    await page.reload();
    await detail.getByRole('region', { name: 'Error' }).waitFor();
    await detail.getByRole('button', { name: 'Close the details' }).click();
    await eventually(() => detail.count()).toBe(0);
    expect(new URL(page.url()).search).toBe('?view=timeline');
  });

  it('stays readable with dozens of turns, and has a table that says the same', async () => {
    const page = await open('busy', 'timeline');
    await page.locator('[data-bar]').first().waitFor();

    expect(await page.locator('[data-bar][data-kind=model]').count()).toBeGreaterThan(35);
    const narrow = await page
      .locator('[data-bar]')
      .evaluateAll((bars) => bars.filter((bar) => bar.getBoundingClientRect().width < 5).length);
    expect(narrow).toBe(0);
    const bars = await page.locator('[data-bar]').count();
    await page.getByRole('button', { name: 'Show as a table' }).click();
    await eventually(() => page.getByRole('row').count()).toBe(bars + 1);
    await expectAccessible(page);
    await page.reload();
    await eventually(() => page.getByRole('row').count()).toBe(bars + 1);
  });

  it('is used without a mouse', async () => {
    const page = await open('loop', 'timeline');
    await tabTo(page, page.locator('[data-bar="0 0"]'));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');

    await page.getByRole('complementary', { name: 'Details' }).getByRole('region', { name: 'Result' }).waitFor();
    const search = new URL(page.url()).searchParams;
    expect([search.get('turn'), search.get('part')?.startsWith('call ')]).toEqual(['2', true]);
  });
});

describe('the decisions', () => {
  it('answer why it did not stop earlier, and what stopped it', async () => {
    const page = await open('loop', 'decisions');
    await cell(page, 0, 0).waitFor();

    expect(await page.getByRole('columnheader').allTextContents()).toEqual([
      ...['When', 'Cancelled', 'Complete', 'Turns', 'Tokens', 'Time', 'No progress', 'Errors'],
      ...['Model error', 'Interrupted', 'Then'],
    ]);
    expect(await page.locator('[data-fired=true]').count()).toBe(1);
    await cell(page, 2, 5).hover();
    expect(await sentence(page)).toBe(
      'After turn 2: 2 of 3 turns in a row had repeated themselves. So this did not stop it.',
    );
    await cell(page, 3, 5).click();
    expect(await sentence(page)).toBe(
      'After turn 3: 3 of 3 turns in a row had repeated themselves. This stopped the run.',
    );
  });

  it('are walked with the keys', async () => {
    const page = await open('loop', 'decisions');
    await tabTo(page, cell(page, 0, 0));
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);

    expect(await sentence(page)).toBe('After turn 2: 2 of 15 turns were used. So this did not stop it.');
    await page.keyboard.press('Control+End');
    expect(await cell(page, 3, 8).evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Tab');
    expect(await page.locator('[data-cell]:focus').count()).toBe(0);
  });
});

describe.each([360, 1600])('at %i px', (width) => {
  it.each([
    ['loop', 'conversation', 'article [data-ending]'],
    ['fan-out', 'timeline', '[data-bar]'],
    ['errors', 'decisions', '[data-cell]'],
  ])('%s, %s: accessible, and no wider than the screen', async (name, view, ready) => {
    const page = await open(name, view, { viewport: { width, height: 900 } });
    await page.locator(ready).first().waitFor();

    await expectAccessible(page);
  });
});

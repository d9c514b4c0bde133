import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../api/test/kit/kit.ts';
import { expectAccessible } from './accessible.ts';
import { type ConsoleKit, eventually, startConsoleKit, tabTo } from './console-kit.ts';
import { ask, begin, cancel } from './runs-kit.ts';

let kit: ConsoleKit;
let ada: TestUser;
let errors: string;
let busy: string;
const hostile = `<img src=x onerror="document.title='broken'"> ${'unbroken'.repeat(80)}`;
beforeAll(async () => {
  kit = await startConsoleKit({ pace: 4 });
  ada = await kit.newUser({ name: 'Ada' });
  errors = await ask(kit, ada, { model: 'simulated/errors', question: 'Act out errors' });
  const config = { maxIterations: 50, tokenBudget: 200_000 };
  busy = await ask(kit, ada, { model: 'simulated/busy', question: 'Many turns', config });
  await kit.database.query(
    `insert into run_events (run_id, number, at, turn, name, severity, agent, payload)
     select run_id, max(number) + 1, max(at), max(turn), 'rule.strange', 'CRITICAL', 'librarian', $2
     from run_events where run_id = $1 group by run_id`,
    [errors, JSON.stringify({ text: hostile, [hostile]: null })],
  );
}, 120_000);
afterAll(() => kit.stop());

const open = (runId: string, rest = '', options?: Parameters<ConsoleKit['openAs']>[2]) =>
  kit.openAs(ada, `/runs/${runId}?view=events${rest}`, options);
const rows = (page: Page) => page.locator('[data-event]');
const names = (page: Page) => page.locator('[data-event] .font-mono').allTextContents();
const counted = (page: Page) => rows(page).count();

describe('the events of a run', () => {
  it('tell what happened, when, how severe it was and to whom, oldest first', async () => {
    const page = await open(errors);
    await rows(page).first().waitFor();

    expect(await rows(page).first().textContent()).toMatch(/^1 \+\d+ ms Turn 0 Information query\.start/);
    const failure = rows(page).filter({ hasText: 'tool.call.failure' }).first();
    expect(await failure.textContent()).toContain('Error');
    expect(await rows(page).last().textContent()).toMatch(/Critical rule\.strange Sub-agent: librarian$/);
    const numbers = await rows(page).evaluateAll((all) => all.map((row) => Number(row.getAttribute('data-event'))));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });

  it('unfold by the keyboard to what they carry, which a reload keeps and which stays text', async () => {
    const page = await open(errors, '&severity=CRITICAL');
    const row = page.getByRole('button', { name: 'rule.strange' });
    await tabTo(page, row);
    await page.keyboard.press('Enter');

    const payload = page.getByRole('region', { name: /^What event \d+ carries$/ });
    expect(JSON.parse((await payload.textContent()) ?? '')).toEqual({ text: hostile, [hostile]: null });
    expect(await payload.locator('img').count()).toBe(0);
    await page.reload();
    await payload.waitFor();
    await row.press('Space');
    await eventually(() => payload.count()).toBe(0);
    expect(new URL(page.url()).search).toBe('?view=events&severity=CRITICAL');
  });

  it('come by fifties, and are narrowed by what happened and how severe it was, in the address', async () => {
    const page = await open(busy);
    await page.getByText(/^50 of \d{3,} events$/).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await eventually(() => counted(page)).toBe(100);
    await page.getByLabel('What happened').selectOption('tool.*');
    await eventually(async () => (await names(page)).every((name) => name.startsWith('tool.'))).toBe(true);
    await page.getByLabel('How severe').selectOption('WARNING');

    await page.getByText('No event matches').waitFor();
    await expectAccessible(page);
    await page.reload();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await eventually(() => counted(page)).toBe(50);
    expect(new URL(page.url()).search).toBe('?view=events');
    expect(await page.getByLabel('What happened').evaluate((one) => one === document.activeElement)).toBe(true);
    await page.getByLabel('How severe').selectOption('WARNING');
    await eventually(async () => new Set(await names(page)).has('budget.iteration.warning')).toBe(true);
    expect(await page.locator('[data-event][data-severity=DEBUG], [data-event][data-severity=INFO]').count()).toBe(0);
    await page.goBack();
    await eventually(() => counted(page)).toBe(50);
  });

  it('take a name from the address that nobody has heard of, and from those that were seen', async () => {
    const page = await open(errors, '&name=no.such.event&severity=loud');
    await page.getByText('No event matches').waitFor();

    expect(await page.getByLabel('What happened').inputValue()).toBe('no.such.event');
    expect(await page.getByLabel('How severe').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await rows(page).first().waitFor();
    await page.getByLabel('What happened').selectOption('rule.strange');
    await eventually(() => names(page)).toEqual(['rule.strange']);
  });

  it('appear while the run goes on, beside what is unfolded', async () => {
    const runId = await begin(kit, ada, { model: 'simulated/slow', question: 'Will it take long?' });
    const page = await open(runId);
    await rows(page).first().getByRole('button').click();
    await page.getByRole('region', { name: 'What event 1 carries' }).waitFor();
    const first = await rows(page).first().elementHandle();
    expect(await names(page)).not.toContain('session.end');
    await cancel(ada, runId);

    await rows(page).filter({ hasText: 'session.end' }).waitFor();
    expect(await page.getByRole('region', { name: 'What event 1 carries' }).count()).toBe(1);
    expect(await first?.evaluate((row) => row.isConnected)).toBe(true);
  });

  it('say so when they cannot be loaded, and try again', async () => {
    const page = await open(errors);
    await rows(page).first().waitFor();
    await page.route('**/graphql', (route) => route.abort());
    await page.getByLabel('How severe').selectOption('ERROR');
    await page.getByText('This could not be loaded.').waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Retry' }).click();

    await rows(page).first().waitFor();
  });

  it.each([360, 1280])('at %i px: accessible, and no wider than the screen', async (width) => {
    const page = await open(errors, '', { viewport: { width, height: 900 } });
    await rows(page).last().getByRole('button').click();
    await page.getByRole('region', { name: /carries/ }).waitFor();

    await expectAccessible(page);
  });
});

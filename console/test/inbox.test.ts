import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../api/test/kit/kit.ts';
import { overWebSocket } from '../../api/test/kit/live.ts';
import { closing, reply, step } from '../../api/test/kit/model-replies.ts';
import { createGate, type ModelServer, startModelServer } from '../../api/test/kit/model-server.ts';
import { expectAccessible } from './accessible.ts';
import { type ConsoleKit, eventually, startConsoleKit } from './console-kit.ts';

let kit: ConsoleKit;
let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
  kit = await startConsoleKit({ providers: { ORACLE_OPENAI_BASE_URL: model.url } });
});
afterAll(async () => {
  await kit.stop();
  await model.stop();
});

const asking = `subscription ($question: String!) {
  oracleQuery(input: { question: $question, model: "openai/scripted" }) { __typename }
}`;

/** Asks and leaves before the answer is complete. */
async function askAndLeave(person: TestUser, question: string): Promise<void> {
  const gate = createGate();
  model.script(reply.stream([step.text('A beginning'), step.wait(gate.opened), step.text('.'), ...closing('stop')]));
  const live = overWebSocket<{ oracleQuery: { __typename: string } }>({ url: kit.url, token: person.token }, asking, {
    question,
  });
  await live.until(({ oracleQuery }) => oracleQuery.__typename === 'ContentChunk');
  await live.stop();
  gate.open();
}

/** Has an agent leave a note for its next session. */
async function leaveNote(person: TestUser, message: string): Promise<void> {
  model.script(
    reply.toolCalls([{ name: 'notify_self', arguments: { message, persist: true, priority: 'HIGH' } }]),
    reply.text('Noted.'),
  );
  const live = overWebSocket<{ oracleQuery: { __typename: string } }>({ url: kit.url, token: person.token }, asking, {
    question: 'Remember this',
  });
  await live.until(({ oracleQuery }) => oracleQuery.__typename === 'DoneChunk');
  await live.stop();
}

const bell = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Inbox/ });
const entries = (page: Page) => page.locator('[data-entry]');

describe('the inbox', () => {
  it('tells live what ended while nobody was reading, and leads there', async () => {
    const person = await kit.newUser();
    const page = await kit.openAs(person, '/settings');
    expect(await bell(page).getAttribute('aria-label')).toBe('Inbox');

    await askAndLeave(person, 'How far is it?');
    await eventually(() => bell(page).getAttribute('aria-label')).toBe('Inbox, 1 new');
    await bell(page).click();
    await page.getByText('How far is it?').waitFor();
    expect(await entries(page).textContent()).toContain('Complete');
    await page.getByRole('link', { name: 'Open the conversation' }).click();
    await page.getByText('A beginning.').waitFor();

    await eventually(() => bell(page).getAttribute('aria-label')).toBe('Inbox');
  });

  it('lists what an agent left for later; it can be taken back, and marked as seen', async () => {
    const person = await kit.newUser();
    await leaveNote(person, 'Check the anchor');
    await leaveNote(person, 'Mend the sail');
    const page = await kit.openAs(person, '/inbox');
    await page.getByText('Check the anchor').waitFor();
    expect(await entries(page).first().textContent()).toContain('Important');

    await entries(page).filter({ hasText: 'Mend the sail' }).getByRole('button', { name: 'Take back' }).click();
    await page.getByText('The agent will not get it.').waitFor();
    await eventually(() => entries(page).count()).toBe(1);
    await page.getByRole('button', { name: 'Mark all as seen' }).click();
    await page.getByText('Everything is marked as seen.').waitFor();
    await page.getByRole('button', { name: 'New only' }).click();
    await page.getByText('You have seen everything.').waitFor();

    expect(new URL(page.url()).search).toBe('?show=new');
    await page.reload();
    await page.getByText('You have seen everything.').waitFor();
    await page.getByRole('link', { name: 'Show everything' }).click();
    await page.getByText('Check the anchor').waitFor();
  });

  it('keeps everything that was opened while more comes in, and says when older entries cannot be had', async () => {
    const person = await kit.newUser();
    await kit.database.query(
      `insert into notices (id, user_id, kind, category, priority, message, created_at)
       select gen_random_uuid(), $1, 'NOTICE', 'rule-notice', 'NORMAL', 'Notice ' || n, now() - n * interval '1 minute'
       from generate_series(1, 150) n`,
      [person.id],
    );
    const page = await kit.openAs(person, '/inbox');
    const older = page.getByRole('button', { name: 'Show older' });
    await older.waitFor();
    await eventually(() => bell(page).getAttribute('aria-label')).toBe('Inbox, 99+ new');
    await expectAccessible(page);
    await page.route('**/graphql', (route) => route.abort());
    await older.click();
    await page.getByText('could not be reached').waitFor();
    expect(await entries(page).count()).toBe(20);
    await page.unroute('**/graphql');
    for (let shown = 20; shown < 140; shown += 20) {
      await older.click();
      await eventually(() => entries(page).count()).toBe(shown + 20);
    }
    expect(await entries(page).last().textContent()).toContain('Said by a rule');
    const last = entries(page).filter({ hasText: /Notice 139\D/ });
    await last.getByRole('button', { name: 'Mark as seen' }).focus();

    await leaveNote(person, 'Check the anchor');
    await page.getByText('Check the anchor').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    expect([await entries(page).count(), await focused()]).toEqual([140, 'Mark as seen']);
    await page.keyboard.press('Enter');
    await eventually(() => last.getByRole('button', { name: 'Mark as seen' }).count()).toBe(0);
    expect(await entries(page).count()).toBe(140);
  });

  it('says what would be here when nothing is', async () => {
    const page = await kit.openAs(await kit.newUser(), '/inbox');

    await page.getByText('Runs that end while nobody watches').waitFor();
    await expectAccessible(page);
  });
});

describe('what a person is told', () => {
  const enabled = async (person: TestUser, id: string) => {
    const { notificationSubscribers } = await person.ask<{
      notificationSubscribers: { id: string; enabled: boolean }[];
    }>('{ notificationSubscribers { id enabled } }');
    return notificationSubscribers.find((one) => one.id === id)?.enabled;
  };

  it('is switched off and on again by keyboard, with a way back; what is core has no switch', async () => {
    const person = await kit.newUser();
    const page = await kit.openAs(person, '/inbox?view=notifications');
    const row = page.locator('[data-subscriber=tool-failure]');
    const core = page.locator('[data-subscriber=budget-warning]');
    await row.getByRole('switch').focus();
    await page.keyboard.press('Space');
    await eventually(() => enabled(person, 'tool-failure')).toBe(false);
    await page.getByText('off from the next turn').waitFor();
    expect(await row.getByRole('switch').evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await core.getByRole('switch').count()).toBe(0);
    await core.getByText('Always on').waitFor();

    await page.getByRole('button', { name: 'Undo' }).click();

    await eventually(() => enabled(person, 'tool-failure')).toBe(true);
    await eventually(() => row.getByRole('switch').isChecked()).toBe(true);
  });

  it('is told with what each says, an example and when it last spoke', async () => {
    const person = await kit.newUser();
    await leaveNote(person, 'Check the anchor');
    model.script(reply.text('Reminded.'));
    const live = overWebSocket<{ oracleQuery: { __typename: string } }>({ url: kit.url, token: person.token }, asking, {
      question: 'What was it?',
    });
    await live.until(({ oracleQuery }) => oracleQuery.__typename === 'DoneChunk');
    await live.stop();
    const page = await kit.openAs(person, '/inbox?view=notifications');
    const row = (id: string) => page.locator(`[data-subscriber=${id}]`).textContent();
    await page.locator('[data-subscriber=self-notice]').waitFor();
    await eventually(async () => {
      await page.reload();
      return row('self-notice');
    }).toMatch(/Last spoke/);

    const stale = await row('source-stale');
    expect(stale).toContain('changed, moved or deleted since it was read');
    expect(stale).toContain('decisions/caching.md was moved to decisions/cache.md since it was read.');
    expect(stale).toContain('Has not spoken yet');
  });

  it.each([360, 1600])('is accessible at %i px, as is an inbox with something in it', async (width) => {
    const person = await kit.newUser();
    await leaveNote(person, `A very long word: ${'Donaudampfschifffahrt'.repeat(12)}`);
    const page = await kit.openAs(person, '/inbox?view=notifications', { viewport: { width, height: 900 } });
    await page.locator('[data-subscriber]').first().waitFor();
    await expectAccessible(page);

    await page.goto('/inbox');
    await page.getByText('A very long word').waitFor();
    await expectAccessible(page);
  });
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { TestUser } from '../../api/test/kit/kit.ts';
import { expectAccessible } from './accessible.ts';
import { chatOn, openChat, useModel } from './chat-kit.ts';
import { type ConsoleKit, startConsoleKit } from './console-kit.ts';

let kit: ConsoleKit;
let person: TestUser;
let withTree = '';
beforeAll(async () => {
  kit = await startConsoleKit({ pace: 2 });
  person = await kit.newUser({ name: 'Maximiliana-Alexandrovna von und zu Hohenstaufen-Wittelsbach' });
  const chat = await openChat(kit, person);
  await useModel(chat, 'simulated/think');
  await chat.ask(`A question with a very long word: ${'Donaudampfschifffahrt'.repeat(12)}`);
  await chat.ended('COMPLETED');
  await useModel(chat, 'simulated/busy');
  await chat.ask('/turns 3');
  await chat.ask('And on?');
  await chat.ended('MAX_ITERATIONS');
  withTree = new URL(chat.page.url()).pathname;
  await chat.page.context().close();
});
afterAll(() => kit.stop());

/** Every state of the chat that looks different. */
const states: Record<string, (page: Page) => Promise<void>> = {
  'nothing asked yet': async (page) => {
    await page.goto('/');
    await page.getByText('What would you like to know?').waitFor();
  },
  'commands offered': async (page) => {
    await page.goto('/');
    await chatOn(page).field.fill('/');
    await page.getByRole('option').first().waitFor();
  },
  options: async (page) => {
    await page.goto('/');
    await page.getByRole('button', { name: /^Options for this question/ }).click();
    await page.getByLabel('Max iterations').fill('0');
    await page.getByText('Between 1 and 50.').waitFor();
  },
  'answers with thinking, tools, warnings and endings, all opened': async (page) => {
    await page.goto(withTree);
    await chatOn(page).ended('MAX_ITERATIONS');
    for (const summary of await page.locator('summary').all()) await summary.click();
  },
  'an earlier point, with the tree': async (page) => {
    await page.goto(`${withTree}?panel=tree`);
    await page.getByRole('treeitem').first().click();
    await page.getByText('Asking from here starts a new branch').waitFor();
  },
  'a source': async (page) => {
    await page.goto(withTree);
    await page
      .getByRole('button', { name: /^Source \d+ \w/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('heading').first().waitFor();
  },
  'an answer being written': async (page) => {
    await page.goto('/');
    const chat = chatOn(page);
    await useModel(chat, 'simulated/slow');
    await chat.ask('Slowly?');
    await page.getByText('Slowly').last().waitFor();
    await page.getByRole('meter').first().waitFor();
  },
  'a conversation that is not there': async (page) => {
    await page.goto('/c/nowhere');
    await page.getByText('There is no such conversation').waitFor();
  },
};

describe.each([{ width: 360 }, { width: 1280 }])('at $width px', ({ width }) => {
  let page: Page;
  beforeAll(async () => {
    page = await kit.openAs(person, '/', { viewport: { width, height: 800 } });
  });
  afterAll(() => page.context().close());

  it.each(Object.keys(states))('%s: accessible, and no wider than the screen', async (name) => {
    await states[name]?.(page);

    await expectAccessible(page);
  });
});

import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChat, useModel } from './chat-kit.ts';
import { type ConsoleKit, eventually, startConsoleKit, tabTo } from './console-kit.ts';

let kit: ConsoleKit;
beforeAll(async () => {
  kit = await startConsoleKit({ pace: 2 });
});
afterAll(() => kit.stop());

describe('a command that is written', () => {
  it('stops, limits, labels, keeps, shows, exports, answers now and begins anew', async () => {
    const chat = await openChat(kit, await kit.newUser());
    const { page } = chat;
    await chat.ask('/stop');
    await page.getByRole('alert').getByText('Nothing is running here.').waitFor();
    await chat.ask('/turns 99');
    await page.getByRole('alert').getByText('Turns are a whole number from 1 to 50.').waitFor();
    await useModel(chat, 'simulated/slow');
    await chat.ask('How slow?');
    await page.getByText('Slowly').waitFor();
    await chat.ask('/stop');
    await chat.ended('CANCELLED');

    await useModel(chat, 'simulated/busy');
    await chat.ask('/turns 3');
    await chat.ask('How busy?');
    expect(await (await chat.ended('MAX_ITERATIONS')).textContent()).toContain('3 turns of 3');
    await chat.ask('/label three turns');
    await chat.exchange('How busy?').getByText('three turns').waitFor();
    await chat.ask('/checkpoint');
    await chat.ask('/tree');
    await page.getByRole('tree').getByText('Checkpoint').waitFor();
    const download = page.waitForEvent('download');
    await chat.ask('/export json');
    expect((await download).suggestedFilename()).toBe('how-slow.json');
    await chat.ask('/continue');
    await eventually(() => page.getByRole('article').count()).toBe(3);
    expect(await (await chat.ended('MAX_ITERATIONS')).textContent()).toContain('10 turns of 10');
    await chat.ask('/answer');
    await eventually(() => page.getByRole('article').count()).toBe(4);
    await page.locator('article >> nth=-1 >> [data-ending]').waitFor();
    await chat.ask('/new');
    await page.getByText('What would you like to know?').waitFor();
    await chat.ask('/continue');
    await page.getByRole('alert').getByText('There is nothing to go on with here.').waitFor();
    await chat.ask('/limits');
    await page.waitForURL('**/settings');
  });
});

describe('a command before the page knows what there is to choose from', () => {
  /** Opens the page anew; what there is to choose from comes when it is let go. */
  async function reopenWithoutOptions(page: Page): Promise<() => void> {
    const held = Promise.withResolvers<void>();
    const isOptions = (request: Request) => request.postData()?.includes('query ChatOptions') === true;
    await page.route('**/graphql', async (route) => {
      if (isOptions(route.request())) await held.promise;
      await route.continue();
    });
    await Promise.all([page.waitForRequest(isOptions), page.reload()]);
    return held.resolve;
  }

  it('waits for that, and so does the question behind it', async () => {
    const chat = await openChat(kit, await kit.newUser());
    const { page } = chat;
    const letGo = await reopenWithoutOptions(page);
    await chat.ask('/turns 99');
    letGo();
    await page.getByRole('alert').getByText('Turns are a whole number from 1 to 50.').waitFor();
    const letGoAgain = await reopenWithoutOptions(page);
    await useModel(chat, 'simulated/busy');
    await chat.ask('/turns 2');
    await chat.ask('How busy?');
    letGoAgain();

    expect(await (await chat.ended('MAX_ITERATIONS')).textContent()).toContain('2 turns of 2');
  });
});

describe('a draft', () => {
  it('is kept for each conversation by itself', async () => {
    const chat = await openChat(kit, await kit.newUser());
    const { page, field } = chat;
    await useModel(chat, 'simulated/answer');
    await chat.ask('Where was I?');
    await chat.ended('COMPLETED');
    await field.fill('to be asked here');
    await page
      .getByRole('button', { name: 'New conversation' })
      .or(page.getByRole('link', { name: 'New conversation' }))
      .click();
    await eventually(() => field.inputValue()).toBe('');
    await field.fill('to be asked elsewhere');
    await page.getByRole('link', { name: /^Where was I\?/ }).click();

    await eventually(() => field.inputValue()).toBe('to be asked here');
  });
});

describe('with the keyboard alone', () => {
  it('a person asks, follows a source to its page and finds the conversation again', async () => {
    const { page, field, ended } = await openChat(kit, await kit.newUser());
    await tabTo(page, field);
    await page.keyboard.type('What did we decide about caching?');
    await page.keyboard.press('Enter');
    await ended('COMPLETED');
    const chip = page.getByRole('button', { name: /^Source 1 ./ });
    await tabTo(page, chip);
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('dialog').getByRole('link', { name: 'Open the note' }));
    await page.keyboard.press('Enter');

    await page.waitForURL(/\/knowledge\/notes\/decisions\/caching\.md/);
    await page.goBack();
    await ended('COMPLETED');
  });
});

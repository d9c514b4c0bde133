import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { type Chat, openChat, useModel } from './chat-kit.ts';
import { type ConsoleKit, eventually, startConsoleKit, tabTo } from './console-kit.ts';

let kit: ConsoleKit;
let chat: Chat;
beforeAll(async () => {
  kit = await startConsoleKit();
  chat = await openChat(kit, await kit.newUser());
  await useModel(chat, 'simulated/answer');
  await chat.ask('Where do ferries sleep?');
  await chat.ended('COMPLETED');
});
afterAll(() => kit.stop());

const toast = (text: string) => chat.page.locator('[data-toast]', { hasText: text });
const heading = (name: string) => chat.page.getByRole('heading', { level: 1, name, exact: true });

async function rename(title: string): Promise<void> {
  await chat.ask(`/rename ${title}`);
  await toast(`Renamed to “${title}”.`).waitFor();
}

describe('a message about what was done', () => {
  it('is in a polite live region, accessible, and takes it back by its button', async () => {
    await rename('Night harbours');

    expect(await chat.page.locator('[role=status][aria-live=polite]', { hasText: 'Renamed' }).count()).toBe(1);
    await expectAccessible(chat.page);
    await toast('Night harbours').getByRole('button', { name: 'Undo' }).click();
    await heading('Where do ferries sleep?').waitFor();
    await toast('Undone.').waitFor();
    expect(await toast('Night harbours').count()).toBe(0);
  });

  it('takes back by Ctrl-Z, newest first, but never what is being written', async () => {
    await rename('One');
    await rename('Two');
    await chat.field.fill('half a question');
    await chat.field.press('Control+z');
    await heading('Two').waitFor();

    await chat.page.locator('main').evaluate((main) => main.focus());
    await chat.page.keyboard.press('Control+z');
    await heading('One').waitFor();
    await chat.page.keyboard.press('Control+z');
    await heading('Where do ferries sleep?').waitFor();
    await chat.field.fill('');
  });

  it('is closed by Escape, by keyboard alone, and gives the focus back to the page', async () => {
    await rename('Three');
    const button = toast('Three').getByRole('button', { name: 'Dismiss' });
    await tabTo(chat.page, button);
    await chat.page.keyboard.press('Escape');

    await toast('Three').waitFor({ state: 'detached' });
    await eventually(() => chat.page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    await heading('Three').waitFor();
  });

  it('stays as long as the pointer is on it', async () => {
    await chat.page.clock.install();
    await rename('Four');
    await toast('Four').hover();
    await chat.page.clock.runFor(120_000);
    expect(await toast('Four').count()).toBe(1);

    await chat.page.mouse.move(5, 5);
    await chat.page.clock.runFor(11_000);
    await toast('Four').waitFor({ state: 'detached' });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatOn, newestRun, openChat, useModel } from './chat-kit.ts';
import { type ConsoleKit, eventually, startConsoleKit, tabTo } from './console-kit.ts';
import { startGate } from './gate.ts';

let kit: ConsoleKit;
beforeAll(async () => {
  kit = await startConsoleKit({ pace: 2 });
});
afterAll(() => kit.stop());

describe('a question', () => {
  it('is answered with sources that open what they name', async () => {
    const chat = await openChat(kit, await kit.newUser());
    await chat.ask('What did we decide about caching?');
    await chat.ended('COMPLETED');

    await chat.page.waitForURL(/\/c\/[0-9a-f-]+$/);
    await chat.page.getByRole('button', { name: 'Source 1', exact: true }).first().click();
    const dialog = chat.page.getByRole('dialog');
    await dialog.getByText('decisions/caching.md').first().waitFor();
    await dialog.getByText('Status: in force').first().waitFor();
  });

  it('goes with the options chosen for it, within the bounds, and changes no setting', async () => {
    const person = await kit.newUser();
    const chat = await openChat(kit, person);
    await chat.page.getByRole('button', { name: /^Options for this question/ }).click();
    const panel = chat.page.getByRole('dialog', { name: 'Options for this question' });

    const groups = await panel.locator('optgroup').evaluateAll((all) => all.map((one) => one.getAttribute('label')));
    expect(groups).toContain('Try the limits');
    await panel.getByLabel('Model', { exact: true }).selectOption('simulated/busy');
    await panel.getByLabel('Decision tree').selectOption('research');
    await panel.getByLabel('Max iterations').fill('99');
    await panel.getByText('Between 1 and 50.').waitFor();
    await panel.getByLabel('Max iterations').fill('4');
    await panel.getByRole('button', { name: 'Done' }).click();
    await chat.ask('How far do you get?');
    const card = await chat.ended('MAX_ITERATIONS');

    expect(await card.textContent()).toContain('4 turns of 4');
    const { agentConfig } = await person.ask<{ agentConfig: { maxIterations: number } }>(
      '{ agentConfig { maxIterations } }',
    );
    expect(agentConfig.maxIterations).toBe(15);
  });

  it('that is refused comes back to where it was written, with the reason', async () => {
    const chat = await openChat(kit, await kit.newUser());
    await useModel(chat, 'nobody/knows-this');
    await chat.ask('Will this be asked?');

    await chat.page.getByRole('alert').filter({ hasText: 'nobody/knows-this' }).waitFor();
    expect(await chat.field.inputValue()).toBe('Will this be asked?');
  });
});

describe('a run under way', () => {
  it('goes on when the page is reloaded, and comes back where it was, with its meters', async () => {
    const chat = await openChat(kit, await kit.newUser());
    await useModel(chat, 'simulated/slow');
    await chat.ask('Can you take your time?');
    await chat.page.getByText('Slowly').waitFor();

    await chat.page.reload();
    await chat.page.getByText('Slowly').waitFor();

    await chat.page.getByRole('meter', { name: 'Turns used of those allowed' }).waitFor();
    expect(await chat.page.locator('[data-meter=turn]').textContent()).toBe('Turn1/15');
    await chat.page.getByRole('button', { name: 'Stop' }).click();
    await chat.ended('CANCELLED');
  });

  it('is shown in every tab, with a badge in the list, and stopped from any', async () => {
    const chat = await openChat(kit, await kit.newUser());
    const other = chatOn(await chat.page.context().newPage());
    await other.page.goto('/');
    await useModel(chat, 'simulated/slow');
    await chat.ask('Who sees this?');
    await chat.page.getByText('Slowly').waitFor();

    const entry = other.page.getByRole('link', { name: /^Who sees this\?/ });
    await entry.getByText('Running').waitFor();
    await useModel(other, 'simulated/slow');
    await other.ask('And this, at the same time?');
    await eventually(() => other.page.getByRole('complementary').getByText('Running').count()).toBe(2);
    await entry.click();
    await other.page.getByText('Slowly').waitFor();
    await other.page.getByRole('button', { name: 'Stop' }).click();

    await chat.ended('CANCELLED');
    await eventually(() => chat.page.getByRole('complementary').getByText('Running').count()).toBe(1);
  });

  it('appears wherever its conversation is open: in another tab, and on another device', async () => {
    const person = await kit.newUser();
    const chat = await openChat(kit, person);
    await useModel(chat, 'simulated/answer');
    await chat.ask('Who is here?');
    await chat.ended('COMPLETED');
    const path = new URL(chat.page.url()).pathname;
    const tab = chatOn(await chat.page.context().newPage());
    await tab.page.goto(path);
    const device = await openChat(kit, person, path);
    for (const other of [tab, device]) await other.exchange('Who is here?').waitFor();
    await chat.ask('And now?');

    for (const other of [tab, device]) {
      await other.exchange('And now?').locator('[data-ending=COMPLETED]').waitFor();
      expect(await other.page.getByRole('article').count()).toBe(2);
    }
  });

  it('is caught up with after the connection was lost', async () => {
    const gate = await startGate(kit.url);
    const chat = await openChat(kit, await kit.newUser(), '/', { url: gate.url });
    await useModel(chat, 'simulated/slow');
    await chat.ask('Are you still there?');
    await chat.page.getByText('Slowly').waitFor();
    gate.cut();
    await chat.page.getByText('The connection was lost. Runs go on').waitFor();
    const before = await chat.page.locator('.md').last().textContent();
    gate.mend();

    await chat.page.locator('[data-connection=connected]').waitFor();
    await eventually(async () => (await chat.page.locator('.md').last().textContent())?.length).toBeGreaterThan(
      before?.length ?? 0,
    );
    const shown = (await chat.page.locator('.md').last().textContent()) ?? '';
    expect(
      'Slowly , one piece at a time , this answer goes on for longer than any query may take . '.repeat(40),
    ).toContain(shown.trim());
    await chat.page.keyboard.press('Escape');
    await chat.ended('CANCELLED');
    await gate.close();
  });
});

describe('a conversation', () => {
  it('branches, is looked at from anywhere, labelled, kept and pruned', async () => {
    const chat = await openChat(kit, await kit.newUser());
    const { page } = chat;
    await useModel(chat, 'simulated/answer');
    for (const question of ['First?', 'Second?', 'Third?']) {
      await chat.ask(question);
      await chat.exchange(question).locator('[data-ending]').waitFor();
    }

    await chat.exchange('First?').getByRole('button', { name: 'Branch from here' }).click();
    await page.getByText('Asking from here starts a new branch').waitFor();
    expect(await page.getByRole('article').count()).toBe(1);
    await chat.ask('Another second?');
    await chat.exchange('Another second?').locator('[data-ending]').waitFor();
    expect(await page.getByRole('article').count()).toBe(2);

    await page.getByRole('button', { name: 'Show the tree' }).click();
    const tree = page.getByRole('tree');
    await eventually(() => tree.getByRole('treeitem').count()).toBe(4);
    await page.waitForURL(/panel=tree/);
    expect(await tree.getByRole('treeitem', { selected: true }).textContent()).toContain('Another second?HEAD');

    // The old branch: looked at by keyboard, labelled, and a checkpoint for a while.
    await tree.getByRole('treeitem', { selected: true }).press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(/node=/);
    await chat.exchange('Third?').waitFor();
    await page.getByRole('button', { name: 'Label…' }).click();
    await page.getByRole('dialog').getByLabel('Label').fill('dead end');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await tree.getByText('dead end').waitFor();
    await page.getByRole('button', { name: 'Make a checkpoint' }).click();
    await tree.getByText('Checkpoint').waitFor();
    await page.getByRole('button', { name: 'Prune…' }).click();
    await page.getByText('There is nothing to prune').waitFor();
    await page.getByRole('button', { name: 'Keep everything' }).click();
    await page.getByRole('button', { name: 'No longer a checkpoint' }).click();
    await tree.getByText('Checkpoint').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Prune…' }).click();
    await page.getByText('These 2 exchanges would go:').waitFor();
    await page.getByRole('alertdialog').getByText('Third? · dead end').waitFor();
    await page.getByRole('button', { name: 'Prune 2 exchanges' }).click();
    await eventually(() => tree.getByRole('treeitem').count()).toBe(2);
    await chat.exchange('Another second?').waitFor();
  });

  it('is found, renamed, exported and deleted', async () => {
    const person = await kit.newUser();
    const chat = await openChat(kit, person);
    const { page } = chat;
    await useModel(chat, 'simulated/answer');
    await chat.ask('Where do ferries sleep?');
    await chat.ended('COMPLETED');
    await chat.ask('/rename Night harbours');
    await page.getByRole('heading', { level: 1, name: 'Night harbours' }).waitFor();

    for (const [item, file, text] of [
      ['As Markdown', 'night-harbours.md', '# Night harbours\n\n## You, '],
      ['As JSON', 'night-harbours.json', '"title": "Night harbours"'],
    ] as const) {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Conversation actions' }).click();
      await page.getByRole('menuitem', { name: item }).click();
      const found = await download;
      expect(found.suggestedFilename()).toBe(file);
      const content = await readAll(await found.createReadStream());
      expect(content).toContain(text);
      expect(content).toContain('Where do ferries sleep?');
    }

    await page.getByRole('searchbox').fill('nobody asked this');
    await page.getByText('Nothing found').waitFor();
    await page.getByRole('searchbox').fill('night harb');
    await page.getByRole('link', { name: /^Night harbours/ }).waitFor();
    await page.getByRole('button', { name: 'Conversation actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(`${kit.url}/`);
    const run = await newestRun(person);
    expect(run).toBeUndefined();
  });

  it('that is not there, or is somebody else’s, says so', async () => {
    const chat = await openChat(kit, await kit.newUser(), '/c/00000000-0000-4000-8000-000000000000');

    await chat.page.getByText('There is no such conversation').waitFor();
    await chat.page.getByRole('button', { name: 'Start a new one' }).click();
    await chat.page.getByText('What would you like to know?').waitFor();
  });
});

describe('with the keyboard alone', () => {
  it('a person asks, recalls, commands, reads a tool call and keeps a draft', async () => {
    const chat = await openChat(kit, await kit.newUser());
    const { page, field } = chat;
    await tabTo(page, field);
    await page.keyboard.type('/mod');
    await page.getByRole('option', { name: /^\/model/ }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('simulated/think');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Who decides');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('on releases?');
    await page.keyboard.press('Enter');
    await chat.ended('COMPLETED');

    const tool = page.locator('summary').filter({ hasText: 'vault_search' });
    await page
      .getByText(/^Thought for/)
      .first()
      .waitFor();
    await page.keyboard.press('Home');
    await tabBackTo(tool);
    await page.keyboard.press('Enter');
    await page.locator('details[open]').getByText('Arguments', { exact: true }).waitFor();
    await tabTo(page, field);
    await page.keyboard.press('ArrowUp');
    expect(await field.inputValue()).toBe('Who decides\non releases?');
    await page.keyboard.press('ArrowDown');
    expect(await field.inputValue()).toBe('');
    await page.keyboard.type('a thought for later');
    await page.reload();
    await eventually(() => field.inputValue()).toBe('a thought for later');

    async function tabBackTo(target: typeof tool): Promise<void> {
      for (let presses = 0; presses < 80; presses++) {
        if (await target.evaluate((element) => element === document.activeElement)) return;
        await page.keyboard.press('Shift+Tab');
      }
      throw new Error('Eighty presses of Shift-Tab did not reach the element.');
    }
  });
});

async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

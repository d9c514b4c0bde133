import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../api/test/kit/kit.ts';
import { expectAccessible } from './accessible.ts';
import { type Chat, newestRun, openChat } from './chat-kit.ts';
import { type ConsoleKit, eventually, setOrganisation, startConsoleKit } from './console-kit.ts';
import { ask } from './runs-kit.ts';

let kit: ConsoleKit;
beforeAll(async () => {
  kit = await startConsoleKit();
});
afterAll(() => kit.stop());

const code = Array.from({ length: 60 }, (_, index) =>
  index === 40 ? 'export function ferryTariff() { return 12; }' : `// line ${index + 1}`,
).join('\n');

async function append(person: TestUser, title: string, texts: readonly string[]): Promise<void> {
  let threadId: string | undefined;
  for (const text of texts) {
    const { appendToThread } = await person.ask<{ appendToThread: { threadId: string } }>(
      'mutation ($input: AppendToThreadInput!) { appendToThread(input: $input) { ... on ThreadEntry { threadId } } }',
      { input: { kind: 'DECISION', text, ...(threadId ? { threadId } : { title }) } },
    );
    threadId = appendToThread.threadId;
  }
}

async function askAboutFerries(): Promise<Chat> {
  const person = await kit.newUser();
  await person.ask('mutation ($input: SaveCodeFilesInput!) { saveCodeFiles(input: $input) { __typename } }', {
    input: { files: [{ path: 'src/ferry.ts', text: code }] },
  });
  await person.ask('mutation ($input: SaveNoteInput!) { saveNote(input: $input) { __typename } }', {
    input: { path: 'prices/ferry tariff.md', body: '# Ferry prices\n\nThe ferry tariff is 12.\n\nAll of it is here.' },
  });
  await append(person, 'Tariffs', ['Something else.', 'The ferry tariff stays as it is.', 'What came after.']);
  const chat = await openChat(kit, person);
  await chat.ask('What does ferryTariff do, the function of the ferry tariff?');
  await chat.ended('COMPLETED');
  return chat;
}

describe('the sources of an answer', () => {
  it('are shown once: the list that the answer ends with is left to the footnotes', async () => {
    const { page } = await askAboutFerries();
    const answer = page.locator('article .md').last();

    await page.getByRole('button', { name: /^Source \d+ Ferry prices$/ }).waitFor();
    expect(await answer.textContent()).toContain('The ferry tariff is 12.');
    expect(await page.getByText('Sources', { exact: true }).count()).toBe(1);
    expect(await answer.textContent()).not.toContain('Sources');
    expect(await answer.textContent()).not.toContain('prices/ferry tariff.md');
  });

  it.each([
    {
      kind: 'a note',
      chip: /Ferry prices$/,
      shows: 'All of it is here.',
      open: 'Open the note',
      address: '/knowledge/notes/prices/ferry%20tariff.md',
      there: 'All of it is here.',
    },
    {
      kind: 'code, around its line',
      chip: /ferryTariff|ferry\.ts/,
      shows: 'Lines 33 to 60 of 60',
      open: 'Open the file',
      address: '/knowledge/code/src/ferry.ts',
      there: '// line 42',
    },
    {
      kind: 'a thread, around its entry',
      chip: /Tariffs$/,
      besides: true,
      shows: 'What came after.',
      open: 'Open the thread',
      address: '/knowledge/threads/',
      there: 'What came after.',
    },
  ])(
    'open $kind: for a quick look, and where all of it is',
    async ({ chip, shows, open, address, there, besides = false }) => {
      const { page } = await askAboutFerries();
      if (besides) await page.getByText(/^\d+ more (was|were) found$/).click();
      await page.getByRole('button', { name: chip }).filter({ hasText: 'Source ' }).first().click();
      const dialog = page.getByRole('dialog');

      await dialog.getByText(shows).waitFor();
      await expectAccessible(page);
      if (!open.includes('note')) {
        expect(await dialog.locator('[aria-current=true]').textContent()).toMatch(/ferryTariff|stays as it is/);
      }
      await dialog.getByRole('link', { name: open }).click();
      await page.waitForURL((url) => url.pathname.startsWith(address));
      await page.getByRole('main').getByText(there).first().waitFor();
      if (open === 'Open the file') await page.locator('[data-marked-line="41"]').waitFor();
      if (open === 'Open the thread')
        await page.locator('[aria-current=true]', { hasText: 'stays as it is' }).waitFor();
    },
  );

  it('show the passage that was kept when what they name is gone', async () => {
    const { page } = await askAboutFerries();
    await page.evaluate(() =>
      fetch('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          query: 'mutation { deleteCodeFiles(input: { paths: ["src/ferry.ts"] }) { __typename } }',
        }),
      }),
    );
    await page
      .getByRole('button', { name: /ferryTariff|ferry\.ts/ })
      .filter({ hasText: 'Source ' })
      .first()
      .click();

    await page.getByRole('dialog').getByText('This is no longer there.').waitFor();
    await page.getByRole('dialog').locator('pre', { hasText: 'ferryTariff' }).waitFor();
    expect(await page.getByRole('dialog').getByRole('link').count()).toBe(0);
  });
});

describe('a link to an exchange', () => {
  it('leads to its beginning, however far up it is, and stays there while the rest arrives', async () => {
    const person = await kit.newUser();
    await ask(kit, person, { model: 'simulated/answer', question: 'Question 1?' });
    const conversationId = (await newestRun(person))?.conversationId ?? '';
    for (let number = 2; number <= 45; number++) {
      await ask(kit, person, { model: 'simulated/answer', question: `Question ${number}?`, conversationId });
    }
    const { conversation } = await person.ask<{ conversation: { nodes: { id: string; question: string }[] } }>(
      'query ($id: ID!) { conversation(id: $id) { nodes(first: 100) { id question } } }',
      { id: conversationId },
    );
    const idOf = (question: string) => conversation.nodes.find((node) => node.question === question)?.id;

    for (const question of ['Question 3?', 'Question 24?']) {
      const address = `/c/${conversationId}?node=${idOf(question)}`;
      const { page, exchange } = await openChat(kit, person, address, { viewport: { width: 900, height: 380 } });
      await exchange(question).locator('[data-ending]').waitFor({ state: 'attached' });
      await eventually(() => page.locator('article').count()).toBe(question === 'Question 3?' ? 3 : 20);
      await eventually(() => page.locator('article [data-ending]').count()).toBe(question === 'Question 3?' ? 3 : 20);

      const pane = await page.getByRole('region', { name: 'Conversation', exact: true }).boundingBox();
      const visible = async () => {
        const heading = await exchange(question).getByRole('heading', { name: question }).boundingBox();
        return (heading?.y ?? 0) - (pane?.y ?? 0);
      };
      await eventually(visible).toBeGreaterThanOrEqual(0);
      await eventually(visible).toBeLessThan((pane?.height ?? 0) - 20);
      await page.context().close();
    }
  });
});

describe('the models to choose from', () => {
  it('are those that the organisation allows', async () => {
    await setOrganisation(kit.admin, { allowedModels: ['offline', 'simulated/answer'] });
    const { page } = await openChat(kit, await kit.newUser());
    await page.getByRole('button', { name: /^Options for this question/ }).click();
    const panel = page.getByRole('dialog', { name: 'Options for this question' });
    const offered = panel.locator('optgroup option');

    await eventually(() => offered.evaluateAll((all) => all.map((one) => one.getAttribute('value')).sort())).toEqual([
      'offline',
      'simulated/answer',
    ]);
    await setOrganisation(kit.admin, { allowedModels: [] });
  });
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  add,
  remove,
  type ShownServer,
  serverFields,
  show,
  stdioEverything,
  stdioOdd,
} from '../../api/test/mcp/kit/mcp-kit.ts';
import { expectAccessible } from './accessible.ts';
import { type ConsoleKit, eventually, startConsoleKit, tabTo } from './console-kit.ts';

let kit: ConsoleKit;
beforeAll(async () => {
  kit = await startConsoleKit();
});
afterAll(() => kit.stop());

const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'All MCP servers' }).getByRole('listitem').filter({ hasText: name });
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const tool = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Tools' }).getByRole('listitem').filter({ hasText: name });

async function servers(): Promise<readonly ShownServer[]> {
  const { mcpServers } = await kit.admin.ask<{ mcpServers: { edges: { node: ShownServer }[] } }>(
    `{ mcpServers { edges { node { ${serverFields} } } } }`,
  );
  return mcpServers.edges.map(({ node }) => node);
}

describe('the page of MCP servers', () => {
  it('adds a real server with its mistakes at the fields, approves a tool, and removes it, with the keyboard', async () => {
    const page = await kit.openAs(kit.admin, '/admin/mcp');
    await page.getByText('No MCP servers yet').waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Add a server' }).first());
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('How it is reached').selectOption('STDIO');
    await dialog.getByLabel('Name', { exact: true }).fill('Not A Name');
    await dialog.getByLabel('Timeout').fill('soon');
    await dialog.getByRole('button', { name: 'Add server' }).press('Enter');
    await dialog.getByText('Timeout must be a whole number').waitFor();
    await dialog.getByLabel('Timeout').fill('45');
    await dialog.getByRole('button', { name: 'Add a variable' }).press('Enter');
    await dialog.getByLabel('Name 1').fill('not good');
    await dialog.getByLabel('Value 1').fill('hush');
    await dialog.getByRole('button', { name: 'Add server' }).press('Enter');
    await dialog.getByText('Name must be lower case letters').waitFor();
    await dialog.getByText('Command must not be empty.').waitFor();
    await dialog.getByText('The name must be letters, digits and _.').waitFor();
    expect(await servers()).toEqual([]);

    await dialog.getByLabel('Name', { exact: true }).fill('every');
    await dialog.getByLabel('Command').fill(stdioEverything.command);
    await dialog.getByLabel('Arguments').fill(stdioEverything.args.join('\n'));
    await dialog.getByLabel('Name 1').fill('SECRET');
    await dialog.getByLabel('Arguments').press('Tab');
    await dialog.getByRole('button', { name: 'Add server' }).press('Enter');
    await page.getByText('“every” is added.').waitFor();
    await row(page, 'every').getByText('Connected', { exact: true }).waitFor();
    await tool(page, 'every_echo').getByText('Not approved').waitFor();

    await tabTo(page, page.getByRole('button', { name: 'Approve every_echo' }));
    await page.keyboard.press('Enter');
    await page.getByText('every_echo is approved.').waitFor();
    await row(page, 'every')
      .getByText(/^1 of \d+ tools approved$/)
      .waitFor();
    const focused = page.locator(':focus');
    await eventually(() => focused.getAttribute('aria-label')).toBe('Revoke every_echo');
    await page.keyboard.press('Enter');
    await page.getByText('every_echo is no longer approved.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await tool(page, 'every_echo').getByText('Approved', { exact: true }).waitFor();
    const [stored] = await servers();
    expect(stored?.tools.filter(({ state }) => state === 'APPROVED').map(({ name }) => name)).toEqual(['echo']);
    expect(stored?.environmentNames).toEqual(['SECRET']);

    await page.reload();
    await panel(page, 'every').getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Timeout').fill('60');
    expect(await dialog.getByLabel('Value 1').inputValue()).toBe('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('“every” is saved.').waitFor();
    expect((await servers())[0]).toMatchObject({ environmentNames: ['SECRET'], timeoutSeconds: 60 });

    await panel(page, 'every').getByRole('button', { name: 'Remove…' }).press('Enter');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove server' }).press('Enter');
    await page.getByText('“every” is removed.').waitFor();
    await page.getByText('No MCP servers yet').waitFor();
    expect(await servers()).toEqual([]);
  });

  it('says why a server cannot be reached, and switches it off', async () => {
    const page = await kit.openAs(kit.admin, '/admin/mcp');
    await page.getByRole('button', { name: 'Add a server' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('away');
    await dialog.getByLabel('Address').fill('ftp://127.0.0.1');
    await dialog.getByRole('button', { name: 'Add server' }).click();
    await dialog.getByText('URL must be an http:// or https:// address.').waitFor();
    // No client goes to port 1.
    await dialog.getByLabel('Address').fill('http://127.0.0.1:1/mcp');
    await dialog.getByRole('button', { name: 'Add server' }).click();
    await row(page, 'away').getByText('Not reached').waitFor();
    await row(page, 'away').getByText('The server cannot be reached: bad port.').waitFor();
    await panel(page, 'away').getByText('Its tools can be seen once it is connected.').waitFor();

    await row(page, 'away').getByRole('switch').click({ force: true });
    await row(page, 'away').getByText('Switched off').waitFor();
    const id = new URL(page.url()).searchParams.get('server') ?? '';
    expect((await show(kit.admin, id)).enabled).toBe(false);
    await remove(kit.admin, id);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('No MCP servers yet').waitFor();
  });

  it('decides who may use a server, and takes that back', async () => {
    const person = await kit.newUser({ name: 'Tool User' });
    const { id } = await add(kit.admin, { ...stdioOdd().input, name: 'odd' });
    const access = async () => {
      const { everyone, users } = await show(kit.admin, id);
      return { everyone, users: users.map((user) => user.id) };
    };
    const page = await kit.openAs(kit.admin, `/admin/mcp?server=${id}`);
    await page.getByText('Nobody may use it yet.').waitFor();
    await page.getByLabel('Add a person by name or email').fill('tool us');
    await page.getByRole('button', { name: 'Add Tool User' }).click();
    await row(page, 'odd').getByText('for 1 person').waitFor();
    expect(await access()).toEqual({ everyone: false, users: [person.id] });
    await page.getByLabel('Add a person by name or email').fill('tool us');
    await page.getByText('Nobody else matches.').waitFor();

    await page.getByRole('switch', { name: 'Everybody may use it' }).click({ force: true });
    await row(page, 'odd').getByText('for everybody').waitFor();
    expect(await access()).toEqual({ everyone: true, users: [person.id] });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await eventually(access).toEqual({ everyone: false, users: [person.id] });
    await page.getByRole('button', { name: 'Remove Tool User' }).click();
    await eventually(access).toEqual({ everyone: false, users: [] });
    await remove(kit.admin, id);
  });

  it('puts an edit on top of what somebody else changed meanwhile, once told', async () => {
    const { id } = await add(kit.admin, { ...stdioOdd().input, name: 'shared', enabled: false });
    const page = await kit.openAs(kit.admin, `/admin/mcp?server=${id}`);
    await panel(page, 'shared').getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('mine');
    await kit.admin.ask(
      'mutation ($id: ID!) { updateMcpServer(input: { id: $id, timeoutSeconds: 77 }) { __typename } }',
      {
        id,
      },
    );
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('This server was changed meanwhile.').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('“mine” is saved.').waitFor();
    expect(await show(kit.admin, id)).toMatchObject({ name: 'mine', timeoutSeconds: 77 });
    await remove(kit.admin, id);
  });

  it('is for administrators', async () => {
    const page = await kit.openAs(await kit.newUser(), '/admin/mcp');
    await page.getByText('This is for administrators').waitFor();
  });

  it.each([360, 1600])('is accessible and no wider than the screen at %i px', async (width) => {
    const { id } = await add(kit.admin, { ...stdioOdd().input, name: `odd${width}` });
    const away = await add(kit.admin, {
      transport: 'HTTP',
      name: `away${width}`,
      url: `http://127.0.0.1:1/${'a-long-address/'.repeat(20)}`,
    });
    const page = await kit.openAs(kit.admin, `/admin/mcp?server=${id}`, { viewport: { width, height: 900 } });
    await tool(page, `odd${width}_moody`).waitFor();
    await row(page, `away${width}`).getByText('Not reached').waitFor();
    await expectAccessible(page);
    await panel(page, `odd${width}`).getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByLabel('Value 2').waitFor();
    await expectAccessible(page);
    await remove(kit.admin, id);
    await remove(kit.admin, away.id);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleKit, eventually, startConsoleKit } from './console-kit.ts';

let kit: ConsoleKit;
beforeAll(async () => {
  kit = await startConsoleKit();
});
afterAll(() => kit.stop());

describe('signing in', () => {
  it('refuses an unknown token with the reason, then brings a person where they wanted to go', async () => {
    const person = await kit.newUser({ name: 'Ada Lovelace' });
    const page = await kit.open('/settings?view=history');

    await page.getByLabel('Token').fill('not-a-token');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText(/token/).waitFor();
    await page.getByLabel('Token').fill(person.token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/settings?view=history');

    await page.getByRole('button', { name: 'Account: Ada Lovelace' }).click();
    await page.getByText(person.email).waitFor();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/\/sign-in/);
    await page.goto('/settings');
    await page.waitForURL(/\/sign-in/);
  });

  it('leaves the token in no address, no storage and no cookie that a script could read', async () => {
    const person = await kit.newUser();
    const urls: string[] = [];
    const page = await kit.open('/sign-in');
    page.on('request', (request) => urls.push(request.url()));
    page.on('websocket', (socket) => urls.push(socket.url()));

    await page.getByLabel('Token').fill(person.token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('[data-connection=connected]').waitFor();
    const readable = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state, location.href]),
    );

    expect(readable).not.toContain(person.token);
    expect(urls.join('\n')).not.toContain(person.token);
    expect(kit.logs.join('\n')).not.toContain(person.token);
    const origins = new Set(urls.map((url) => new URL(url).host));
    expect([...origins]).toEqual([new URL(kit.url).host]);
  });

  it('never leads away from the console', async () => {
    const person = await kit.newUser();
    const page = await kit.open('/sign-in?from=//evil.example/');

    await page.getByLabel('Token').fill(person.token);
    await page.getByRole('button', { name: 'Sign in' }).click();

    await page.waitForURL(`${kit.url}/`);
  });
});

describe('the theme', () => {
  it('stays as chosen, and is there before the first paint', async () => {
    const page = await kit.openAs(await kit.newUser(), '/settings', { colorScheme: 'light' });
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);

    await page.getByRole('button', { name: /^Theme/ }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await eventually(theme).toBe('dark');
    // Without the console's own script, what is set was set before anything was painted.
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.reload();
    expect(await theme()).toBe('dark');
    await page.unroute('**/assets/*.js');
    await page.reload();
    await page.getByRole('button', { name: 'Theme: Dark' }).click();
    await page.getByRole('menuitemradio', { name: 'System' }).click();

    await eventually(theme).toBe('light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await eventually(theme).toBe('dark');
  });
});

import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import type {} from '../../api/test/kit/global-setup.ts';
import { type Kit, type KitOptions, startKit, type TestUser } from '../../api/test/kit/kit.ts';
import { sharedChromium } from './chromium.ts';

/** The real server with the built console, and a real browser in front of it. */
export interface ConsoleKit extends Kit {
  readonly browser: Browser;
  /** A window of its own, nobody signed in. */
  open(path: string, options?: WindowOptions): Promise<Page>;
  /** A window of its own in which the person is signed in already. */
  openAs(person: TestUser, path: string, options?: WindowOptions): Promise<Page>;
}

interface WindowOptions extends BrowserContextOptions {
  /** Instead of the server's own address. */
  readonly url?: string;
}

export async function startConsoleKit(kitOptions: KitOptions = {}): Promise<ConsoleKit> {
  const [kit, browser] = await Promise.all([startKit(kitOptions), sharedChromium(inject('scratchFolder'))]);

  async function openWindow({ url = kit.url, ...options }: WindowOptions = {}): Promise<Page> {
    const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(15_000);
    return context.newPage();
  }

  return {
    ...kit,
    browser,
    async open(path, options) {
      const page = await openWindow(options);
      await page.goto(path);
      return page;
    },
    async openAs(person, path, options) {
      const page = await openWindow(options);
      const signedIn = await page.request.post('/session', { data: { token: person.token } });
      expect(signedIn.status()).toBe(204);
      await page.goto(path);
      await page.locator('[data-connection=connected]').waitFor();
      return page;
    },
    async stop() {
      await Promise.all(browser.contexts().map((context) => context.close()));
      await kit.stop();
    },
  };
}

export const slider = (page: Page, title: string): Locator => page.getByRole('slider', { name: title, exact: true });
export const numberInput = (page: Page, title: string): Locator =>
  page.getByRole('group', { name: title, exact: true }).getByRole('textbox');
export const row = (page: Page, title: string): Locator => page.getByRole('group', { name: title, exact: true });

/** Waits until a field says that it is saved. */
export async function saved(page: Page, title: string): Promise<void> {
  await row(page, title).getByRole('status').getByText('Saved').waitFor();
}

export async function limitOf(
  person: Pick<TestUser, 'ask'>,
  field: string,
  userId?: string,
): Promise<number | undefined> {
  const { agentConfig } = await person.ask<{ agentConfig: Record<string, number> }>(
    `query ($userId: ID) { agentConfig(userId: $userId) { ${field} } }`,
    { userId },
  );
  return agentConfig[field];
}

export async function setLimits(person: Pick<TestUser, 'ask'>, values: Record<string, number>): Promise<void> {
  const { updateAgentConfig } = await person.ask<{ updateAgentConfig: { __typename: string } }>(
    'mutation ($input: UpdateAgentConfigInput!) { updateAgentConfig(input: $input) { __typename } }',
    { input: values },
  );
  expect(updateAgentConfig.__typename).toBe('AgentConfig');
}

export async function setOrganisation(admin: Pick<TestUser, 'ask'>, input: Record<string, unknown>): Promise<void> {
  const { updateOrganisationConfig } = await admin.ask<{ updateOrganisationConfig: { __typename: string } }>(
    'mutation ($input: UpdateOrganisationConfigInput!) { updateOrganisationConfig(input: $input) { __typename } }',
    { input },
  );
  expect(updateOrganisationConfig.__typename).toBe('OrganisationConfig');
}

/** Presses Tab until the element has the focus, as a person without a mouse would. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Eighty presses of Tab did not reach the element.');
}

/** For what the server or another window will say in a moment; the limit only ends a test that has failed. */
export function eventually<Value>(read: () => Value | Promise<Value>) {
  return expect.poll(read, { timeout: 15_000 });
}

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ConsoleKit,
  eventually,
  limitOf,
  numberInput,
  row,
  saved,
  setLimits,
  startConsoleKit,
} from './console-kit.ts';
import { type Gate, startGate } from './gate.ts';

let kit: ConsoleKit;
let gate: Gate;
beforeAll(async () => {
  kit = await startConsoleKit();
});
afterAll(() => kit.stop());
beforeEach(async () => {
  gate = await startGate(kit.url);
});
afterEach(() => gate.close());

describe('a lost connection', () => {
  it('is shown, heals by itself and brings what was missed', async () => {
    const person = await kit.newUser();
    const page = await kit.openAs(person, '/settings', { url: gate.url });
    await numberInput(page, 'Timeout').waitFor();

    gate.cut();
    await page.getByText('Reconnecting').waitFor();
    await setLimits(person, { maxIterations: 33 });
    gate.mend();
    await page.getByText('Connected', { exact: true }).waitFor();

    await eventually(() => numberInput(page, 'Max iterations').inputValue()).toBe('33');
  });

  it('is called offline when it is this device that has no network', async () => {
    const page = await kit.openAs(await kit.newUser(), '/settings');

    await page.context().setOffline(true);
    await page.getByText('Offline', { exact: true }).waitFor();
    await page.context().setOffline(false);

    await page.getByText('Connected', { exact: true }).waitFor();
  });

  it('keeps a change that could not be saved and saves it on Retry', async () => {
    const person = await kit.newUser();
    const page = await kit.openAs(person, '/settings', { url: gate.url });
    await numberInput(page, 'Timeout').waitFor();

    gate.cut();
    await numberInput(page, 'Timeout').fill('99');
    await row(page, 'Timeout').getByText('Not saved. The server could not be reached.').waitFor();
    expect(await numberInput(page, 'Timeout').inputValue()).toBe('99');
    gate.mend();
    await row(page, 'Timeout').getByRole('button', { name: 'Retry' }).click();
    await saved(page, 'Timeout');

    expect(await limitOf(person, 'timeoutSeconds')).toBe(99);
  });

  it('lets a page that could not be loaded be loaded again', async () => {
    const page = await kit.openAs(kit.admin, '/settings', { url: gate.url });
    // The page's code is there already; only its data is not.
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('searchbox').waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();

    gate.cut();
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByText('This could not be loaded.').waitFor();
    gate.mend();
    await page.getByRole('button', { name: 'Retry' }).click();

    await page.getByRole('row').nth(1).waitFor();
  });
});

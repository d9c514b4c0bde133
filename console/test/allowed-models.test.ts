import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleKit, eventually, setOrganisation, startConsoleKit } from './console-kit.ts';

let kit: ConsoleKit;
beforeAll(async () => {
  kit = await startConsoleKit();
});
afterAll(() => kit.stop());

const allowed = async () =>
  (await kit.admin.ask<{ organisationConfig: { allowedModels: string[] } }>('{ organisationConfig { allowedModels } }'))
    .organisationConfig.allowedModels;

describe('the models that an organisation allows', () => {
  it('are typed, refused with the reason, saved, taken back, and follow another window', async () => {
    const page = await kit.openAs(kit.admin, '/admin/organisation');
    const card = page.getByRole('region', { name: 'Models allowed' });

    await card.getByRole('textbox').fill('simulated/*');
    await card.getByRole('button', { name: 'Save the list' }).click();
    await card.getByText('The default model "offline" must be allowed too.').first().waitFor();
    expect(await card.getByRole('textbox').inputValue()).toBe('simulated/*');
    await card.getByRole('textbox').fill('simulated/*\noffline');
    await card.getByRole('button', { name: 'Save the list' }).click();
    await page.getByText('Allowed models changed.').waitFor();
    expect(await allowed()).toEqual(['simulated/*', 'offline']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await allowed()).toEqual([]);
    await setOrganisation(kit.admin, { allowedModels: ['offline'] });

    await eventually(() => card.getByRole('textbox').inputValue()).toBe('offline');
  });
});

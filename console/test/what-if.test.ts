import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../api/test/kit/kit.ts';
import { plantRun } from '../../api/test/usage/plant.ts';
import { expectAccessible } from './accessible.ts';
import { type ConsoleKit, eventually, limitOf, setLimits, slider, startConsoleKit } from './console-kit.ts';

let kit: ConsoleKit;
let ada: TestUser;
let answered: string;
beforeAll(async () => {
  kit = await startConsoleKit();
  ada = await kit.newUser({ name: 'Ada' });
  const points = Array.from({ length: 13 }, (_, point) => point);
  answered = await plantRun(kit.database, {
    userId: ada.id,
    at: new Date().toISOString(),
    turns: 12,
    tokens: 24_000,
    durationMs: 48_000,
    course: [
      points.map((point) => point * 2_000),
      points.map((point) => point * 2_000 + 1_000),
      points.map((point) => point * 4_000),
      points.slice(1).map(() => 1),
    ],
  });
});
afterAll(() => kit.stop());

describe('what if', () => {
  it('shows while a limit is moved what would have changed, and saves it only when asked to', async () => {
    const page = await kit.openAs(ada, '/settings');
    await page.getByRole('link', { name: 'What if…' }).click();
    await page.getByText('Nothing would have changed').waitFor();

    await slider(page, 'Max iterations').focus();
    for (let presses = 0; presses < 5; presses++) await page.keyboard.press('ArrowLeft');
    await page.getByText('1 run (100 %) would have ended earlier').waitFor();
    await page.getByText('1 answer would have been cut').waitFor();
    await page.getByText('At least 4,000 tokens and 8 s saved').waitFor();
    expect(await page.getByRole('link', { name: 'Why?' }).getAttribute('href')).toBe(`/runs/${answered}`);
    expect(await limitOf(ada, 'maxIterations')).toBe(15);

    await page.getByRole('button', { name: 'Use these limits' }).click();
    await eventually(() => limitOf(ada, 'maxIterations')).toBe(10);
  });

  it('lets the person choose when somebody else changed the same limit in between', async () => {
    const bob = await kit.newUser();
    const page = await kit.openAs(bob, '/what-if');
    await slider(page, 'Max iterations').focus();
    await page.keyboard.press('ArrowLeft');
    let overtaken = false;
    await page.route('**/graphql', async (route) => {
      const saves = route.request().postData()?.includes('updateAgentConfig') === true;
      if (saves && !overtaken) {
        overtaken = true;
        await setLimits(bob, { maxIterations: 30 });
      }
      await route.continue();
    });
    await page.getByRole('button', { name: 'Use these limits' }).click();
    const conflict = page.getByRole('alert').filter({ hasText: 'Changed elsewhere' });
    await conflict.getByText('30').waitFor();
    expect(await limitOf(bob, 'maxIterations')).toBe(30);
    await conflict.getByRole('button', { name: /^Keep mine/ }).click();

    await eventually(() => limitOf(bob, 'maxIterations')).toBe(14);
  });

  it('goes over everyone’s runs or one person’s for an administrator', async () => {
    const page = await kit.openAs(kit.admin, `/admin/users/${ada.id}`);
    await page.getByRole('link', { name: 'What if…' }).click();
    await page.getByText('1 run looked at.').waitFor();
    expect(new URL(page.url()).searchParams.get('user')).toBe(ada.id);

    await page.goto('/admin/usage');
    await page.getByRole('link', { name: 'What if…' }).click();

    await page.getByRole('link', { name: 'Set defaults and ceilings for everyone' }).waitFor();
  });

  it.each([360, 1_600])('is accessible at %i px, and no wider than the screen', async (width) => {
    const page = await kit.openAs(kit.admin, '/admin/what-if', { viewport: { width, height: 900 } });
    await slider(page, 'Timeout').focus();
    for (let presses = 0; presses < 9; presses++) await page.keyboard.press('PageDown');
    await page.getByText('would have ended earlier').waitFor();

    await expectAccessible(page);
  });
});

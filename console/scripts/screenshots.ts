/**
 * The README's pictures, made from a running server: `tsx console/scripts/screenshots.ts URL TOKEN`. Use a fresh one with
 * nothing in it but the sample notes, as what is asked here stays there.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromium } from '../test/chromium.ts';

const [url, token] = process.argv.slice(2);
if (url === undefined || token === undefined) throw new Error('Usage: tsx console/scripts/screenshots.ts URL TOKEN');
const folder = join(import.meta.dirname, '../../.github');
const scratch = await mkdtemp(join(tmpdir(), 'oracle-pictures-'));
const browser = await launchChromium(scratch);

try {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('[data-connection=connected]').waitFor();

  await ask(page, 'simulated/think', 'Who decides on releases?');
  await page.goto('/');
  await ask(page, 'offline', 'What did we decide about caching?');
  await ask(page, 'simulated/loop', 'Search until you find it');
  await page.getByRole('button', { name: 'Fold the menu' }).click();
  await page.getByRole('button', { name: 'Show the tree' }).click();
  await page.getByRole('treeitem').first().waitFor();
  await page.screenshot({ path: join(folder, 'chat.png') });

  await page.getByRole('link', { name: 'See the run' }).last().click();
  await page.waitForURL(/\/runs\//);
  const run = new URL(page.url()).pathname;
  await shoot(page, `${run}?view=timeline`, 'timeline.png');
  await shoot(page, `${run}?view=decisions`, 'decisions.png');
  await shoot(page, '/admin/usage?range=24h', 'usage.png');
  await shoot(page, '/admin/rules', 'rules.png');
} finally {
  await browser.close();
  await rm(scratch, { recursive: true, force: true });
}

async function shoot(page: Page, path: string, file: string): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' });
  await page.locator('[data-connection=connected]').waitFor();
  await page.screenshot({ path: join(folder, file) });
}

async function ask(page: Page, model: string, question: string): Promise<void> {
  const field = page.getByLabel('Your question');
  for (const text of [`/model ${model}`, question]) {
    await field.fill(text);
    await field.press('Enter');
  }
  const exchange = page.getByRole('article', { name: question, exact: true });
  await exchange.locator('[data-ending]').waitFor({ timeout: 60_000 });
}

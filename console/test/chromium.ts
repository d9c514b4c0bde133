import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = join(root, 'node_modules/@sparticuz/chromium/package.json');

/** Starts the Chromium that npm brought. Everything it writes goes below the given folder. */
export async function launchChromium(scratchFolder: string): Promise<Browser> {
  const folder = await unpacked();
  const temporary = join(scratchFolder, 'browser-files');
  await mkdir(temporary, { recursive: true });
  process.env.TMPDIR = temporary;
  return playwright.launch({
    executablePath: join(folder, 'chromium'),
    args: ['--no-sandbox', '--no-zygote', '--font-render-hinting=none', '--force-color-profile=srgb'],
    env: { ...process.env, FONTCONFIG_FILE: await describeFonts(folder, temporary), HOME: temporary },
  });
}

let shared: Promise<Browser> | undefined;

/** One browser for all the files that a worker runs, one after the other. It ends with the worker. */
export function sharedChromium(scratchFolder: string): Promise<Browser> {
  shared ??= launchChromium(scratchFolder);
  return shared;
}

/** Unpacked once for each version, beside what npm brought. Whoever comes while somebody else unpacks waits for it. */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  const folder = join(root, 'node_modules/.cache/oracle-agent', `chromium-${version}`);
  if (await exists(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const first = await mkdir(`${folder}.part`).then(
    () => true,
    () => false,
  );
  if (first) await unpack(folder);
  else await appears(folder);
  return folder;
}

async function unpack(folder: string): Promise<void> {
  const part = `${folder}.part`;
  const before = process.env.TMPDIR;
  process.env.TMPDIR = part;
  try {
    await chromium.executablePath();
    await rename(part, folder);
  } catch (problem) {
    await rm(part, { recursive: true, force: true });
    throw problem;
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

/** A part that was left behind by a process that was killed is taken over when nothing comes of it. */
async function appears(folder: string): Promise<void> {
  const giveUp = AbortSignal.timeout(60_000);
  while (!(await exists(folder))) {
    if (giveUp.aborted) {
      await rm(`${folder}.part`, { recursive: true, force: true });
      await unpacked();
      return;
    }
    await setTimeout(200);
  }
}

/** The package's own description of its fonts names a fixed folder; without any font Chromium ends at the first text. */
async function describeFonts(folder: string, temporary: string): Promise<string> {
  const folders = [join(folder, 'fonts'), '/usr/share/fonts', '/usr/local/share/fonts'];
  const lines = folders.map((one) => `<dir>${one}</dir>`);
  const file = join(temporary, 'fonts.conf');
  await writeFile(
    file,
    `<fontconfig>${lines.join('')}<cachedir>${join(temporary, 'font-cache')}</cachedir></fontconfig>`,
  );
  return file;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

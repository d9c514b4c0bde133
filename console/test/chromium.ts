import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/**
 * Starts the Chromium that npm brought. It is unpacked below the given folder, and everything it writes goes there too,
 * so that whoever removes the folder removes every trace.
 */
export async function launchChromium(scratchFolder: string): Promise<Browser> {
  const folder = join(scratchFolder, 'chromium');
  if (!(await exists(folder))) await unpack(scratchFolder, folder);
  const temporary = join(scratchFolder, 'browser-files');
  await mkdir(temporary, { recursive: true });
  process.env.TMPDIR = temporary;
  return playwright.launch({
    executablePath: join(folder, 'chromium'),
    args: ['--no-sandbox', '--no-zygote', '--font-render-hinting=none', '--force-color-profile=srgb'],
    env: { ...process.env, FONTCONFIG_FILE: await describeFonts(folder, temporary), HOME: temporary },
  });
}

/** Test files start in parallel: each unpacks beside the final place, the first to finish moves its copy there. */
async function unpack(scratchFolder: string, folder: string): Promise<void> {
  const mine = await mkdtemp(join(scratchFolder, 'chromium-'));
  const before = process.env.TMPDIR;
  process.env.TMPDIR = mine;
  await chromium.executablePath();
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  await rename(mine, folder).catch(async (problem: unknown) => {
    if (!(await exists(folder))) throw problem;
    await rm(mine, { recursive: true, force: true });
  });
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

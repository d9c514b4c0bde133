import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { completeLinks } from './library-links.ts';
import { syncDirectory } from './private-file.ts';
import { createOpenDirectory } from './staging-root.ts';

/** A copy takes a second or two: drafts older than this were left by a start that was killed. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/** Copies the package to where every user can read it, once per version; a copy under its final name is complete. */
export async function stageBinaries(packageRoot: string, version: string, stagingRoot: string): Promise<string> {
  const staged = join(stagingRoot, `postgres-${version}`);
  if (existsSync(staged)) return staged;

  createOpenDirectory(stagingRoot);
  await removeAbandonedDrafts(staged, stagingRoot);
  const draft = `${staged}.new-${randomBytes(6).toString('hex')}`;
  await mkdir(draft);
  await cp(join(packageRoot, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
  if (!completeLinks(draft)) throw new Error(`Cannot complete the PostgreSQL libraries in ${draft}.`);
  await openToEveryone(draft);
  await rename(draft, staged).catch(async (error: unknown) => {
    // Two servers may stage at once: the first copy stands and both use it.
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(staged)) throw error;
  });
  syncDirectory(stagingRoot);
  return staged;
}

/** The copied permissions and the umask may shut others out. Synced, since the final name promises complete files. */
async function openToEveryone(root: string): Promise<void> {
  await chmod(root, 0o755);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  await Promise.all(
    entries.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      if (entry.isDirectory()) await chmod(path, 0o755);
      if (!entry.isFile()) return;
      const file = await open(path);
      try {
        const { mode } = await file.stat();
        await file.chmod(mode & 0o100 ? 0o755 : 0o644);
        await file.sync();
      } finally {
        await file.close();
      }
    }),
  );
}

async function removeAbandonedDrafts(staged: string, stagingRoot: string): Promise<void> {
  for (const name of await readdir(stagingRoot)) {
    if (!name.startsWith(`${basename(staged)}.new-`)) continue;
    const path = join(stagingRoot, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(path, { recursive: true, force: true });
  }
}

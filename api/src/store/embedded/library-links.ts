import { lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';

const SymbolicLinks = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * npm packages cannot hold symbolic links; the package makes them in its install script, which an installation may have
 * skipped. Answers false where they are missing and the package cannot be written to.
 */
export function completeLinks(packageRoot: string): boolean {
  try {
    for (const { source, target } of readLinks(packageRoot)) {
      const link = join(packageRoot, target);
      if (lstatSync(link, { throwIfNoEntry: false }) === undefined) createLink(basename(source), link);
    }
    return true;
  } catch {
    return false;
  }
}

function createLink(source: string, link: string): void {
  try {
    symlinkSync(source, link);
  } catch (error) {
    // Another server starting at the same time may have been faster.
    if (lstatSync(link, { throwIfNoEntry: false }) === undefined) throw error;
  }
}

function readLinks(packageRoot: string): z.infer<typeof SymbolicLinks> {
  const path = join(packageRoot, 'native', 'pg-symlinks.json');
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return [];
  return SymbolicLinks.parse(JSON.parse(readFileSync(path, 'utf8')));
}

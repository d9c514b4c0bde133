import { chownSync, closeSync, fsyncSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Replaces a file in one step, readable by its owner only. Root leaves it to the owner of the directory, so that a data
 * directory once served by root still opens for the person it belongs to.
 */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.tmp`;
  const file = openSync(draft, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  giveToOwnerOfDirectory(draft);
  renameSync(draft, path);
}

export function giveToOwnerOfDirectory(path: string): void {
  if (process.getuid?.() !== 0) return;
  const owner = statSync(dirname(path));
  chownSync(path, owner.uid, owner.gid);
}

/** Makes a rename or a new link in the directory survive a power cut. Windows cannot open directories and needs none of it. */
export function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

import { chmodSync, existsSync, mkdirSync } from 'node:fs';

export const defaultStagingRoot = '/var/lib/oracle-agent';

/** A directory others may pass through, whatever the umask; one that exists keeps the permissions it was given. */
export function createOpenDirectory(directory: string): void {
  if (existsSync(directory)) return;
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o755);
}

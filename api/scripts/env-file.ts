import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** What `.env` in this folder sets, unless the environment sets it already. */
export function readEnvFile(): void {
  const file = resolve('.env');
  if (existsSync(file)) process.loadEnvFile(file);
}

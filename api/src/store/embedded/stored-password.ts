import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from './private-file.ts';

/** Other parts of the server keep keys of their own in the same file: they are carried along untouched. */
const Secrets = z.looseObject({ postgresPassword: z.string().min(1).optional() });

export function readPassword(dataDir: string): string | undefined {
  return readSecrets(dataDir).postgresPassword;
}

export function savePassword(dataDir: string, password: string): void {
  const secrets = { ...readSecrets(dataDir), postgresPassword: password };
  writePrivateFile(secretsFile(dataDir), `${JSON.stringify(secrets, null, 2)}\n`);
}

/** Hexadecimal, so that it needs no quoting in a URL or in SQL. */
export function makePassword(): string {
  return randomBytes(24).toString('hex');
}

function readSecrets(dataDir: string): z.infer<typeof Secrets> {
  const path = secretsFile(dataDir);
  try {
    return Secrets.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new Error(`Cannot read the secrets in ${path}: ${String(error)}. Repair or remove the file.`, {
      cause: error,
    });
  }
}

function secretsFile(dataDir: string): string {
  return join(dataDir, 'secrets.json');
}

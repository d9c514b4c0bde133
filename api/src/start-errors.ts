import { EnvironmentError } from './env.ts';
import { DatabaseRefusal } from './store/database.ts';
import { DataDirInUseError, DataDirUnusableError } from './store/embedded/data-dir-lock.ts';

/** The server has its database, and cannot be reached. */
export class ListenError extends Error {
  override readonly name = 'ListenError';

  constructor(host: string, port: number, cause: unknown) {
    super(whyNotHere(host, port, cause as NodeJS.ErrnoException), { cause });
  }
}

function whyNotHere(host: string, port: number, { code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is taken. Set PORT to another, or to 0 for any free one.`;
    case 'EACCES':
      return `Port ${port} may not be used by this user. Set PORT to one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST ${host} is no address of this machine. Set it to one, to 0.0.0.0 for all of them, or leave it out.`;
    default:
      return `The server cannot listen on HOST ${host}, PORT ${port}: ${message}.`;
  }
}

const toldAsTheyAre = [EnvironmentError, DataDirInUseError, DataDirUnusableError, DatabaseRefusal, ListenError];

/** As PostgreSQL says it: no right to make tables, a standby that is only read, no connection left, a full disk. */
const databaseRefusals = new Set(['42501', '25006', '53300', '53100']);

/** For a person at a terminal: one sentence for what they can mend, the whole story for what they cannot. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (toldAsTheyAre.some((kind) => error instanceof kind)) return error.message;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (databaseRefusals.has(code)) return new DatabaseRefusal(error).message;
  return error.stack ?? error.message;
}

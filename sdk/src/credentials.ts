import { OracleError } from './oracle-error.ts';

/** A token, or a function that is asked for one before each request and each connection. */
export type TokenSource = string | (() => string | Promise<string>);

/** The header for this moment, and a way to keep the token out of messages. */
export interface Credentials {
  /** Undefined without a token: the server then answers that nobody is signed in. */
  readonly authorization: string | undefined;
  redact(text: string): string;
}

/** Asks for the token and checks that a header can carry it, since runtimes quote the whole header when it cannot. */
export async function readCredentials(source: TokenSource): Promise<Credentials> {
  const token = typeof source === 'string' ? source : await askForToken(source);
  if (!token) return { authorization: undefined, redact: (text) => text };
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new OracleError('UNAUTHENTICATED', 'The token has characters that a token cannot have.');
  }
  return { authorization: `Bearer ${token}`, redact: (text) => text.replaceAll(token, '[token]') };
}

async function askForToken(source: () => string | Promise<string>): Promise<string> {
  try {
    return await source();
  } catch {
    // Its message is not ours to show: it may quote what it was refreshing.
    throw new OracleError('UNAUTHENTICATED', 'The token function failed.');
  }
}

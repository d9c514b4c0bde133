import { OracleError } from './oracle-error.ts';

/**
 * A token, or a function that is asked for one before each request and each connection. When the server has just
 * refused its token it is asked once more, with `refused` true, so that it can hand out a fresh one instead of a kept one.
 */
export type TokenSource = string | ((asked: { readonly refused: boolean }) => string | Promise<string>);

/** The header for this moment, and a way to keep the token out of messages. */
export interface Credentials {
  /** Undefined without a token: the server then answers that nobody is signed in. */
  readonly authorization: string | undefined;
  redact(text: string): string;
}

/** Asks for the token and checks that a header can carry it, since runtimes quote the whole header when it cannot. */
export async function readCredentials(source: TokenSource, refused = false): Promise<Credentials> {
  const token = typeof source === 'string' ? source : await askForToken(source, refused);
  if (!token) return { authorization: undefined, redact: (text) => text };
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new OracleError('UNAUTHENTICATED', 'The token has characters that a token cannot have.');
  }
  return { authorization: `Bearer ${token}`, redact: (text) => text.replaceAll(token, '[token]') };
}

/** Whether asking for the token again may bring another one. */
export function mayRefresh(source: TokenSource, failure: unknown): boolean {
  if (typeof source === 'string' || failure instanceof TokenFunctionFailure) return false;
  return failure instanceof OracleError && failure.code === 'UNAUTHENTICATED';
}

class TokenFunctionFailure extends OracleError {}

async function askForToken(source: Exclude<TokenSource, string>, refused: boolean): Promise<string> {
  try {
    return await source({ refused });
  } catch {
    // Its message is not ours to show: it may quote what it was refreshing.
    throw new TokenFunctionFailure('UNAUTHENTICATED', 'The token function failed.');
  }
}

/** Where a request may carry its token: the Authorization header, or the console's cookie. */

export const sessionCookie = 'oracle_session';

export interface CredentialSource {
  readonly authorization: string | null | undefined;
  readonly cookie: string | null | undefined;
  /** Set by browsers on requests that scripts make; must name this very server for the cookie to count. */
  readonly origin: string | null | undefined;
  readonly host: string | null | undefined;
}

export function findToken(source: CredentialSource): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(source.authorization?.trim() ?? '');
  if (bearer) return bearer[1];
  return isSameOrigin(source) ? readCookie(source.cookie, sessionCookie) : undefined;
}

export function isSameOrigin({ origin, host }: Pick<CredentialSource, 'origin' | 'host'>): boolean {
  if (!origin) return true; // not a browser's cross-origin request
  return URL.canParse(origin) && new URL(origin).host === host;
}

function readCookie(header: string | null | undefined, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const [key, value] = part.split('=', 2);
    if (key?.trim() === name && value) return decode(value.trim());
  }
  return undefined;
}

/** Anybody can send a cookie that was never encoded: it is as good as none. */
function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

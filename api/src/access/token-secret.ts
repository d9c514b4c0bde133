import { createHash, randomBytes } from 'node:crypto';

/** The prefix lets secret scanners and people recognise one. */
export function generateToken(): string {
  return `oracle_${randomBytes(32).toString('base64url')}`;
}

/** Tokens carry 256 random bits, so a plain hash is as good as a slow one and costs nothing per request. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

import type { Role } from '../store/entities/user.ts';
import type { Sql } from '../store/sql.ts';
import { hashToken } from './token-secret.ts';
import { Viewer } from './viewer.ts';

/** Precise to the minute: a busy client must not cost a write per request. */
const lastUsedPrecision = 60_000;

interface TokenRow {
  readonly id: string;
  readonly user_id: string;
  readonly role: Role;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
}

/** Finds the person behind a token, or nobody when it is unknown, expired or revoked. */
export async function authenticate(sql: Sql, secret: string | undefined): Promise<Viewer | undefined> {
  if (!secret) return undefined;
  const [token] = await sql.query<TokenRow>('find-token', findToken, [hashToken(secret)]);
  const now = new Date();
  if (!token || (token.expires_at && token.expires_at <= now)) return undefined;
  if (!token.last_used_at || now.getTime() - token.last_used_at.getTime() >= lastUsedPrecision) {
    await sql.query('use-token', useToken, [token.id, now]);
  }
  return new Viewer(token.user_id, token.role, token.id, token.expires_at);
}

const findToken = `
  select t.id, t.user_id, u.role, t.expires_at, t.last_used_at
  from tokens t join users u on u.id = t.user_id
  where t.hash = $1 and t.revoked_at is null`;

const useToken = 'update tokens set last_used_at = $2 where id = $1';

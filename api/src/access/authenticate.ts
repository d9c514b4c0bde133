import type { EntityManager } from '@mikro-orm/postgresql';
import { Token } from '../store/entities/token.ts';
import { hashToken } from './token-secret.ts';
import { Viewer } from './viewer.ts';

/** Precise to the minute: a busy client must not cost a write per request. */
const lastUsedPrecision = 60_000;

/** Finds the person behind a token, or nobody when it is unknown, expired or revoked. */
export async function authenticate(em: EntityManager, secret: string | undefined): Promise<Viewer | undefined> {
  if (!secret) return undefined;
  const token = await em.findOne(Token, { hash: hashToken(secret) }, { populate: ['user'] });
  const now = new Date();
  if (!token || token.revokedAt || (token.expiresAt && token.expiresAt <= now)) return undefined;
  if (!token.lastUsedAt || now.getTime() - token.lastUsedAt.getTime() >= lastUsedPrecision) {
    await em.nativeUpdate(Token, { id: token.id }, { lastUsedAt: now });
  }
  return new Viewer(token.user.id, token.user.role, token.id, token.expiresAt ?? null);
}

import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { announce } from '../store/changes.ts';
import { Token } from '../store/entities/token.ts';
import { User } from '../store/entities/user.ts';
import { seedSampleVault } from '../vault/sample-vault.ts';
import { generateToken, hashToken } from './token-secret.ts';

const givenTokenName = 'ORACLE_ADMIN_TOKEN';

/**
 * Makes sure that somebody can sign in. Returns a token only when one had to be made up: it is shown once.
 * A token given by the environment replaces the one given before, so that changing the variable is a rotation,
 * and is valid whatever became of it: whoever sets the variable must not be locked out.
 */
export function ensureFirstAdministrator(em: EntityManager, given: string | undefined): Promise<string | undefined> {
  // As one: an administrator without a token would be found by the next start, which would make none.
  return em.transactional((transaction) => ensure(transaction, given));
}

async function ensure(em: EntityManager, given: string | undefined): Promise<string | undefined> {
  let administrator = await em.findOne(User, { role: 'ADMIN' }, { orderBy: { createdAt: 'asc' } });
  const isNew = !administrator;
  if (!administrator) {
    administrator = em.create(User, {
      id: randomUUID(),
      email: 'admin@localhost',
      name: 'Administrator',
      role: 'ADMIN',
    });
    await em.flush();
    await seedSampleVault(em, administrator.id);
  }
  if (given) {
    await acceptGivenToken(em, administrator, given);
    return undefined;
  }
  if (!isNew) return undefined;
  const token = generateToken();
  em.create(Token, { user: administrator, name: 'First sign-in', hash: hashToken(token) });
  await em.flush();
  return token;
}

async function acceptGivenToken(em: EntityManager, administrator: User, given: string): Promise<void> {
  const hash = hashToken(given);
  const known = await em.findOne(Token, { hash });
  const earlier = await em.find(Token, {
    user: administrator.id,
    name: givenTokenName,
    revokedAt: null,
    hash: { $ne: hash },
  });
  for (const token of earlier) token.revokedAt = new Date();
  if (known) Object.assign(known, { revokedAt: null, expiresAt: null });
  else em.create(Token, { user: administrator, name: givenTokenName, hash });
  await em.flush();
  for (const { id } of earlier) await announce(em, { type: 'token-revoked', tokenId: id });
}

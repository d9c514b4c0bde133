import { randomUUID } from 'node:crypto';
import DataLoader from 'dataloader';
import { z } from 'zod';
import type { FieldProblem } from '../agent/settings.ts';
import { announce } from '../store/changes.ts';
import type { Database } from '../store/database.ts';
import { Token } from '../store/entities/token.ts';
import { notFound } from './access-error.ts';
import { isIdentifier } from './identifier.ts';
import { findProblems } from './problems.ts';
import { generateToken, hashToken } from './token-secret.ts';
import type { Viewer } from './viewer.ts';

const ninetyDays = 90 * 24 * 60 * 60;
const tenYears = 3_653 * 24 * 60 * 60;
const lifetime = { error: `Lifetime must be between 1 and ${tenYears} seconds (ten years).` };

const NewTokenSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, { error: 'Name must not be empty.' })
    .max(100, { error: 'Name must be at most 100 characters long.' })
    .regex(/^\P{Cc}*$/u, { error: 'Name must not contain control characters.' }),
  expiresInSeconds: z.int().min(1, lifetime).max(tenYears, lifetime).default(ninetyDays),
});

export interface IssuedToken {
  readonly id: string;
  /** Known only now: what is kept is its hash. */
  readonly token: string;
  readonly name: string;
  readonly expiresAt: Date;
}

export class Tokens {
  readonly #byUser: DataLoader<string, readonly Token[]>;

  constructor(private readonly database: Database) {
    this.#byUser = new DataLoader(
      async (userIds) => {
        const found = await database
          .fork()
          .find(Token, { user: { $in: [...userIds] } }, { orderBy: { createdAt: 'desc', id: 'desc' } });
        const tokens = Map.groupBy(found, (token) => token.user.id);
        return userIds.map((userId) => tokens.get(userId) ?? []);
      },
      { cache: false },
    );
  }

  /** Newest first, ended ones included. */
  of(userId: string): Promise<readonly Token[]> {
    return this.#byUser.load(userId);
  }

  async issue(
    userId: string,
    input: { name: string; expiresInSeconds?: number | undefined },
  ): Promise<IssuedToken | readonly FieldProblem[]> {
    const parsed = NewTokenSchema.safeParse(input);
    if (!parsed.success) return findProblems(parsed.error, input);
    const { name, expiresInSeconds } = parsed.data;
    const token = generateToken();
    const expiresAt = new Date(Date.now() + expiresInSeconds * 1_000);
    const id = randomUUID();
    const em = this.database.fork();
    em.create(Token, { id, user: userId, name, hash: hashToken(token), expiresAt });
    await em.flush();
    return { id, token, name, expiresAt };
  }

  /** True when this call ended the token, false when it had ended already. */
  async revoke(viewer: Viewer, id: string): Promise<boolean> {
    const em = this.database.fork();
    const token = isIdentifier(id) ? await em.findOne(Token, { id }) : null;
    if (!token || !viewer.mayReach(token.user.id)) throw notFound('token');
    return em.transactional(async (transaction) => {
      const ended = await transaction.nativeUpdate(Token, { id, revokedAt: null }, { revokedAt: new Date() });
      if (ended > 0) await announce(transaction, { type: 'token-revoked', tokenId: token.id });
      return ended > 0;
    });
  }
}

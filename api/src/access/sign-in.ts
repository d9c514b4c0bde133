import type { Role } from '../store/entities/user.ts';
import { Gathered } from '../store/gathered.ts';
import type { Sql } from '../store/sql.ts';
import { hashToken } from './token-secret.ts';
import { Viewer } from './viewer.ts';

/** Precise to the minute: a busy client must not cost a write per request. */
const lastUsedPrecision = 60_000;

interface TokenRow {
  readonly hash: string;
  readonly id: string;
  readonly user_id: string;
  readonly role: Role;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
}

/** Finds the person behind a token. Those who come at the same time are looked up together. */
export class SignIn {
  /** By hash. */
  readonly #tokens = new Gathered<string, TokenRow>((hashes) => this.#find(hashes));

  constructor(private readonly sql: Sql) {}

  /** Nobody when the token is unknown, expired or revoked. */
  async authenticate(secret: string | undefined): Promise<Viewer | undefined> {
    if (!secret) return undefined;
    const token = await this.#tokens.find(hashToken(secret));
    return token && new Viewer(token.user_id, token.role, token.id, token.expires_at);
  }

  async #find(hashes: readonly string[]): Promise<ReadonlyMap<string, TokenRow>> {
    const now = new Date();
    const rows = await this.sql.query<TokenRow>('find-tokens', findTokens, [hashes]);
    const alive = rows.filter(({ expires_at }) => !expires_at || expires_at > now);
    const unnoted = alive.filter((token) => isUnnoted(token, now)).map(({ id }) => id);
    if (unnoted.length > 0) await this.sql.query('use-tokens', useTokens, [unnoted, now]);
    return new Map(alive.map((token) => [token.hash, token]));
  }
}

function isUnnoted({ last_used_at }: TokenRow, now: Date): boolean {
  return !last_used_at || now.getTime() - last_used_at.getTime() >= lastUsedPrecision;
}

const findTokens = `
  select t.hash, t.id, t.user_id, u.role, t.expires_at, t.last_used_at
  from tokens t join users u on u.id = t.user_id
  where t.hash = any($1::text[]) and t.revoked_at is null`;

/** In the order of their ids, lest two servers wait for each other. */
const useTokens = `
  update tokens set last_used_at = $2
  where id in (select id from tokens where id = any($1::uuid[]) order by id for update)`;

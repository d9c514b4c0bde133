import { type Bind, withOne } from './call.ts';
import * as documents from './generated/documents.ts';
import type { AccessTokenId, UserId } from './generated/ids.ts';
import type { AccessTokenFragment, IssueTokenInput, IssueTokenMutation } from './generated/types.ts';
import { OracleError } from './oracle-error.ts';
import type { RequestOptions } from './request.ts';

/** The token, shown this once, or what is wrong with the input: told apart by `__typename`. */
export type IssueTokenResult = IssueTokenMutation['issueToken'];

/** Ways to sign in. Without a `userId`, the caller's own; another's is for administrators. */
export interface TokensApi {
  /** All tokens of a person, also those that no longer work; never the secrets themselves. */
  list(userId?: UserId, options?: RequestOptions): Promise<readonly AccessTokenFragment[]>;
  /** Makes a token. Keep `token` of the answer: it cannot be read again. */
  issue(input: IssueTokenInput, options?: RequestOptions): Promise<IssueTokenResult>;
  /** Ends a token; false when it had been revoked already. */
  revoke(id: AccessTokenId, options?: RequestOptions): Promise<boolean>;
}

/** Binds the tokens to a way of sending requests. */
export function makeTokensApi(bind: Bind): TokensApi {
  const own = bind(documents.ViewerTokensDocument);
  const theirs = bind(documents.UserTokensDocument);
  return {
    async list(userId, options) {
      if (userId === undefined) return (await own({}, options)).tokens;
      const user = await theirs({ userId }, options);
      if (!user) throw new OracleError('NOT_FOUND', 'There is no such user.');
      return user.tokens;
    },
    issue: withOne('input', bind(documents.IssueTokenDocument)),
    revoke: withOne('id', bind(documents.RevokeTokenDocument)),
  };
}

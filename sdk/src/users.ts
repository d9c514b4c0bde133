import { type Bind, everyPage, withOne } from './call.ts';
import * as documents from './generated/documents.ts';
import type { UserId } from './generated/ids.ts';
import type {
  CreateUserInput,
  CreateUserMutation,
  UserSummaryFragment,
  UsersQuery,
  UsersQueryVariables,
} from './generated/types.ts';
import type { RequestOptions } from './request.ts';

/** One page of users, with the cursor that leads to the next. */
export type UserPage = UsersQuery['users'];

/** The new user, or what is wrong with the input: told apart by `__typename`. */
export type CreateUserResult = CreateUserMutation['createUser'];

/** The people of this server; for administrators. */
export interface UsersApi {
  /** One page; `pageInfo.endCursor` is the next page's `after`. */
  list(which?: UsersQueryVariables, options?: RequestOptions): Promise<UserPage>;
  /** Everybody who matches, page by page as you read; `first` is the size of a page. */
  all(which?: Omit<UsersQueryVariables, 'after'>, options?: RequestOptions): AsyncGenerator<UserSummaryFragment, void>;
  /** Null when there is no such user, or none the caller may see. */
  get(id: UserId, options?: RequestOptions): Promise<UserSummaryFragment | null>;
  /** Adds a person. They cannot sign in before a token is issued to them. */
  create(input: CreateUserInput, options?: RequestOptions): Promise<CreateUserResult>;
}

/** Binds the users to a way of sending requests. */
export function makeUsersApi(bind: Bind): UsersApi {
  const list = bind(documents.UsersDocument);
  return {
    list,
    all: everyPage(list),
    get: withOne('id', bind(documents.UserDocument)),
    create: withOne('input', bind(documents.CreateUserDocument)),
  };
}

import { SettingChangesDocument, UserSettingChangesDocument } from './generated/documents.ts';
import type {
  SettingChangeFragment,
  SettingChangePageFragment,
  UserSettingChangesQueryVariables,
} from './generated/types.ts';
import { OracleError } from './oracle-error.ts';
import { walkPages } from './pages.ts';
import type { Request, RequestOptions } from './request.ts';

/** Whose changes, and which page of them. */
export type SettingChangesFilter = Partial<UserSettingChangesQueryVariables>;

/** The audit log of settings, newest first. Administrators see everyone's, others their own. */
export interface SettingChangesApi {
  /** One page; `pageInfo.endCursor` is the next page's `after`. */
  list(which?: SettingChangesFilter, options?: RequestOptions): Promise<SettingChangePageFragment>;
  /** Every change, page by page as you read; `first` is the size of a page. */
  all(
    which?: Omit<SettingChangesFilter, 'after'>,
    options?: RequestOptions,
  ): AsyncGenerator<SettingChangeFragment, void>;
}

/** Binds the audit log to a way of sending requests. */
export function makeSettingChangesApi(request: Request): SettingChangesApi {
  const list: SettingChangesApi['list'] = async ({ userId, ...page } = {}, options) => {
    if (userId === undefined) return (await request(SettingChangesDocument, page, options)).settingChanges;
    const { user } = await request(UserSettingChangesDocument, { ...page, userId }, options);
    if (!user) throw new OracleError('NOT_FOUND', 'There is no such user.');
    return user.settingChanges;
  };
  return { list, all: (which, options) => walkPages((after) => list({ ...which, after }, options)) };
}

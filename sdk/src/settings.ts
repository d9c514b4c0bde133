import {
  OrganisationSettingChangesDocument,
  SettingChangesDocument,
  SettingsChangedDocument,
  SettingsPageDocument,
  UserSettingChangesDocument,
} from './generated/documents.ts';
import type { UserId } from './generated/ids.ts';
import type {
  SettingChangeFragment,
  SettingChangePageFragment,
  SettingsPageQuery,
  UserSettingChangesQueryVariables,
  UserSettingsFragment,
} from './generated/types.ts';
import { OracleError } from './oracle-error.ts';
import { walkPages } from './pages.ts';
import type { Request, RequestOptions } from './request.ts';
import type { Subscribe } from './subscribe.ts';

/** All settings of a person, with what is needed to draw them. */
export type AllSettings = SettingsPageQuery;

/** Whose settings to listen to, and until when. */
export interface WatchSettingsOptions extends RequestOptions {
  readonly userId?: UserId;
}

/** Whose changes, and which page of them: a person's, or those of the organisation's own settings. */
export type SettingChangesFilter = Partial<UserSettingChangesQueryVariables> & { readonly organisation?: boolean };

/** Limits and model settings together. Without a `userId`, the caller's own; another's is for administrators. */
export interface SettingsApi {
  /** Values, layers, titles, bounds and defaults of every setting, in one request. */
  get(userId?: UserId, options?: RequestOptions): Promise<AllSettings>;
  /** The settings of a person now, and again after every change. Aborting the signal ends the loop. */
  watch(options?: WatchSettingsOptions): AsyncGenerator<UserSettingsFragment, void>;
  /** The audit log, newest first. Administrators see everyone's, others their own. */
  readonly changes: SettingChangesApi;
}

/** The audit log of settings, newest first. */
export interface SettingChangesApi {
  /** One page; `pageInfo.endCursor` is the next page's `after`. */
  list(which?: SettingChangesFilter, options?: RequestOptions): Promise<SettingChangePageFragment>;
  /** Every change, page by page as you read; `first` is the size of a page. */
  all(
    which?: Omit<SettingChangesFilter, 'after'>,
    options?: RequestOptions,
  ): AsyncGenerator<SettingChangeFragment, void>;
}

/** Binds the settings to a way of sending requests and of listening. */
export function makeSettingsApi(request: Request, subscribe: Subscribe): SettingsApi {
  const list: SettingChangesApi['list'] = async ({ userId, organisation, ...page } = {}, options) => {
    if (organisation) {
      return (await request(OrganisationSettingChangesDocument, page, options)).organisationConfig.settingChanges;
    }
    if (userId === undefined) return (await request(SettingChangesDocument, page, options)).settingChanges;
    const { user } = await request(UserSettingChangesDocument, { ...page, userId }, options);
    if (!user) throw new OracleError('NOT_FOUND', 'There is no such user.');
    return user.settingChanges;
  };
  return {
    get: (userId, options) => request(SettingsPageDocument, { userId }, options),
    async *watch({ userId, signal } = {}) {
      for await (const { settingsChanged } of subscribe(SettingsChangedDocument, { userId }, { signal })) {
        yield settingsChanged;
      }
    },
    changes: { list, all: (which, options) => walkPages((after) => list({ ...which, after }, options)) },
  };
}

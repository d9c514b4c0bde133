import { type Bind, everyPage, withOne } from './call.ts';
import * as documents from './generated/documents.ts';
import type {
  PeopleQuery,
  PeopleQueryVariables,
  PersonRowFragment,
  RevertOrganisationConfigMutationVariables,
  RevertSettingsFragment,
  RevertSettingsMutationVariables,
  SettingDifferenceFragment,
  UpdateAgentConfigsInput,
  UpdateAgentConfigsMutation,
  UserSettingDifferencesQueryVariables,
} from './generated/types.ts';
import type { RequestOptions } from './request.ts';

/** One page of people with what they do, with the cursors that lead on and back. */
export type PeoplePage = PeopleQuery['users'];
/** What a change of many did, or what is wrong with the request: told apart by `__typename`. */
export type UpdateAgentConfigsResult = UpdateAgentConfigsMutation['updateAgentConfigs'];

/** People at a glance, many people's limits at once, and settings through time; for administrators. */
export interface PeopleApi {
  /** One page with everybody's activity and limits; `pageInfo.startCursor` is the page before's `before`. */
  list(which?: PeopleQueryVariables, options?: RequestOptions): Promise<PeoplePage>;
  /** Everybody who matches, page by page as you read; `first` is the size of a page. */
  all(
    which?: Omit<PeopleQueryVariables, 'after' | 'before' | 'last'>,
    options?: RequestOptions,
  ): AsyncGenerator<PersonRowFragment, void>;
  /** Changes the limits of many, all or none; with `dryRun` it only tells what would happen. */
  updateLimits(input: UpdateAgentConfigsInput, options?: RequestOptions): Promise<UpdateAgentConfigsResult>;
  /** How a person's settings differ between two versions; null when there is no such person. */
  differences(
    which: UserSettingDifferencesQueryVariables,
    options?: RequestOptions,
  ): Promise<{ readonly settingDifferences: readonly SettingDifferenceFragment[] } | null>;
  /** Puts a person's settings back to what they were after a version. */
  revert(which: RevertSettingsMutationVariables, options?: RequestOptions): Promise<RevertSettingsFragment>;
  /** Puts the organisation's settings back to what they were after a version. */
  revertOrganisation(
    which: RevertOrganisationConfigMutationVariables,
    options?: RequestOptions,
  ): Promise<RevertSettingsFragment>;
}

/** Binds the people to a way of sending requests. */
export function makePeopleApi(bind: Bind): PeopleApi {
  const list = bind(documents.PeopleDocument);
  return {
    list,
    all: everyPage(list),
    updateLimits: withOne('input', bind(documents.UpdateAgentConfigsDocument)),
    differences: bind(documents.UserSettingDifferencesDocument),
    revert: bind(documents.RevertSettingsDocument),
    revertOrganisation: bind(documents.RevertOrganisationConfigDocument),
  };
}

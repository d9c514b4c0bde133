import {
  OrganisationSettingDifferencesDocument,
  RevertOrganisationConfigDocument,
  RevertSettingsDocument,
  type RevertSettingsFragment,
  type SettingDifferenceFragment,
  type SettingGroup,
  UserSettingDifferencesDocument,
} from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { words } from '../words.ts';
import type { Change } from './change-pages.ts';
import { type Answer, mutate, query } from './graphql-client.ts';

/** Settings that have a history of their own. The organisation's groups share one, so it needs no name. */
export type HistoryGroup = Extract<SettingGroup, 'AGENT_CONFIG' | 'MODEL_SETTINGS'>;

export interface Point {
  /** The settings after this version. */
  readonly version: number;
  /** When it was made; undefined for the beginning. */
  readonly at: string | undefined;
}

export interface RevertWish {
  readonly group: HistoryGroup;
  readonly to: number;
  readonly expectedVersion: number | null;
  readonly dryRun: boolean;
}

/** Where a history is compared and put back: a person's, or the organisation's. */
export interface HistorySource {
  /** Each group of settings with versions of its own; empty when all share one. */
  readonly groups: readonly HistoryGroup[];
  differences(group: HistoryGroup, from: number, to: number): Promise<Answer<readonly SettingDifferenceFragment[]>>;
  revert(wish: RevertWish): Promise<Answer<RevertSettingsFragment>>;
}

export function isHistoryGroup(group: SettingGroup): group is HistoryGroup {
  return group === 'AGENT_CONFIG' || group === 'MODEL_SETTINGS';
}

/** The points of a history that can be compared, newest first, the beginning last. */
export function pointsOf(changes: readonly Change[], group: HistoryGroup | undefined): readonly Point[] {
  const points = new Map<number, Point>();
  for (const change of changes) {
    const belongs = group === undefined ? isHistoryGroup(change.group) : change.group === group;
    if (belongs && !points.has(change.version)) points.set(change.version, { version: change.version, at: change.at });
  }
  const newestFirst = [...points.values()].toSorted((one, other) => other.version - one.version);
  return [...newestFirst, { version: 1, at: undefined }];
}

export function personHistory(client: Client, userId: string): HistorySource {
  return {
    groups: ['AGENT_CONFIG', 'MODEL_SETTINGS'],
    async differences(group, from, to) {
      const answer = await query(client, UserSettingDifferencesDocument, { userId, group, from, to });
      if (answer.type === 'failed') return answer;
      const { user } = answer.data;
      return user
        ? { type: 'data', data: user.settingDifferences }
        : { type: 'failed', message: words.frame.notFound.person, forbidden: false };
    },
    async revert(wish) {
      const answer = await mutate(client, RevertSettingsDocument, { userId, ...wish });
      return answer.type === 'failed' ? answer : { type: 'data', data: answer.data.revertSettings };
    },
  };
}

export function organisationHistory(client: Client): HistorySource {
  return {
    groups: [],
    async differences(_group, from, to) {
      const answer = await query(client, OrganisationSettingDifferencesDocument, { from, to });
      if (answer.type === 'failed') return answer;
      return { type: 'data', data: answer.data.organisationConfig.settingDifferences };
    },
    async revert({ to, expectedVersion, dryRun }) {
      const answer = await mutate(client, RevertOrganisationConfigDocument, { to, expectedVersion, dryRun });
      return answer.type === 'failed' ? answer : { type: 'data', data: answer.data.revertOrganisationConfig };
    },
  };
}

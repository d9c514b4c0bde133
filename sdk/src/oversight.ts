import { makeBind } from './call.ts';
import type { OracleClient } from './client.ts';
import { type FoldersApi, makeFoldersApi } from './folders.ts';
import { makeNotificationsApi, type NotificationsApi } from './notifications.ts';
import { makePeopleApi, type PeopleApi } from './people.ts';
import { makeRulesApi, type RulesApi } from './rules.ts';
import { makeRunWatchApi, type RunWatchApi } from './run-watch.ts';
import { makeUsageApi, type UsageApi } from './usage.ts';

export type { FolderPage, FoldersApi } from './folders.ts';
export type {
  EventSeverity,
  InboxEntryFragment as InboxEntry,
  NotificationSubscriberFragment as NotificationSubscriber,
  RuleFiringFragment as RuleFiring,
  RuleFragment as Rule,
  RuleProblemFragment as RuleProblem,
  RuleStateFragment as RuleState,
  RuleTrigger,
  SaveRuleInput,
  SetRuleStateInput,
  TestRuleInput,
} from './generated/types.ts';
export type {
  InboxPage,
  NotificationsApi,
  RunEventPage,
  SetNotificationResult,
  SubscriberProblem,
} from './notifications.ts';
export type { PeopleApi, PeoplePage, UpdateAgentConfigsResult } from './people.ts';
export type {
  RuleCheck,
  RuleDetail,
  RuleFiringPage,
  RulePage,
  RulesApi,
  RuleWords,
  SaveRuleResult,
  SetRuleEnabledResult,
  SetRuleStateResult,
  TestRuleResult,
} from './rules.ts';
export type { RunRowPage, RunsChange, RunWatchApi, TimelineTurn, TurnDetail, WatchRunsOptions } from './run-watch.ts';
export type { UsageApi, UsageReport, WhatIfReport } from './usage.ts';

/** What is watched and steered rather than asked, by noun. An entry of its own, so that asking stays small. */
export interface Oversight {
  readonly folders: FoldersApi;
  /** What you and the agent are told of, and what waits for you. */
  readonly notifications: NotificationsApi;
  readonly rules: RulesApi;
  /** People at a glance, many people's limits at once, and settings through time. */
  readonly people: PeopleApi;
  readonly runs: RunWatchApi;
  /** What runs used and how they ended, and how they would have fared under other limits. */
  readonly usage: UsageApi;
}

/** Adds the nouns of oversight to a client: `const oversight = makeOversight(oracle)`. */
export function makeOversight(client: Pick<OracleClient, 'request' | 'subscribe'>): Oversight {
  const bind = makeBind(client.request);
  return {
    folders: makeFoldersApi(bind),
    notifications: makeNotificationsApi(bind, client.subscribe),
    rules: makeRulesApi(bind),
    people: makePeopleApi(bind),
    runs: makeRunWatchApi(bind, client.subscribe),
    usage: makeUsageApi(bind),
  };
}

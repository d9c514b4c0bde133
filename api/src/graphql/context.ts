import { unauthenticated } from '../access/access-error.ts';
import type { People } from '../access/people.ts';
import type { PeopleActivity } from '../access/person-activity.ts';
import type { Tokens } from '../access/tokens.ts';
import type { Viewer } from '../access/viewer.ts';
import type { CodeService } from '../code/code-service.ts';
import type { ConversationService } from '../conversations/conversation-service.ts';
import type { McpApprovals } from '../mcp/mcp-approvals.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';
import type { Models } from '../models/model-registry.ts';
import type { NoticeStore } from '../notifications/notice-store.ts';
import type { NotificationSettings } from '../notifications/notification-settings.ts';
import type { SubscriberFiles } from '../notifications/subscriber-files.ts';
import type { Rules } from '../rule-book/rules.ts';
import type { Oracle } from '../runs/oracle.ts';
import type { Runs } from '../runs/runs.ts';
import type { OrganisationService } from '../settings/organisation-service.ts';
import type { SettingHistory } from '../settings/setting-history.ts';
import type { SettingReverts } from '../settings/setting-reverts.ts';
import type { UserSettingsService } from '../settings/user-settings-service.ts';
import type { ChangeFeed } from '../store/changes.ts';
import type { ThreadService } from '../threads/thread-service.ts';
import type { UsageService } from '../usage/usage-service.ts';
import type { WhatIfService } from '../usage/what-if-service.ts';
import type { ProjectService } from '../vault/project-service.ts';
import type { VaultService } from '../vault/vault-service.ts';

/** What every resolver may use. Services keep no state of a request, so one set serves all. */
export interface Services {
  readonly people: People;
  readonly activity: PeopleActivity;
  readonly tokens: Tokens;
  readonly settings: UserSettingsService;
  readonly organisation: OrganisationService;
  readonly history: SettingHistory;
  readonly reverts: SettingReverts;
  readonly changes: ChangeFeed;
  readonly vault: VaultService;
  readonly threads: ThreadService;
  readonly projects: ProjectService;
  readonly conversations: ConversationService;
  readonly code: CodeService;
  readonly runs: Runs;
  readonly oracle: Oracle;
  readonly models: Models;
  readonly usage: UsageService;
  readonly whatIf: WhatIfService;
  readonly mcpServers: McpServers;
  readonly mcpApprovals: McpApprovals;
  readonly rules: Rules;
  readonly notices: NoticeStore;
  readonly notificationSettings: NotificationSettings;
  readonly subscriberFiles: Pick<SubscriberFiles, 'subscribers' | 'problems'>;
}

export interface OracleContext extends Services {
  readonly viewer: Viewer | undefined;
}

/**
 * What resolvers read of a context. The one of a request also holds the request, and what was noted about it while it was
 * checked; none of that is kept for as long as a subscription lasts.
 */
export function leanContext(context: OracleContext): OracleContext {
  return Object.assign(Object.create(Object.getPrototypeOf(context)), { viewer: context.viewer });
}

/** Fields are closed to strangers before their resolvers run; this is for the compiler, and for the day they are not. */
export function viewerOf(context: OracleContext): Viewer {
  if (!context.viewer) throw unauthenticated();
  return context.viewer;
}

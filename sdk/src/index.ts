export type { AgentConfigApi, UpdateAgentConfigResult } from './agent-config.ts';
export type { OracleClient, OracleClientOptions, SettingsChangedOptions } from './client.ts';
export { createOracleClient } from './client.ts';
export type { TokenSource } from './credentials.ts';
export type {
  AccessTokenFragment as AccessToken,
  AgentConfigFieldFragment as AgentConfigField,
  AgentConfigFieldName,
  AgentConfigFragment as AgentConfig,
  ConfigLayer,
  CreateUserInput,
  EffectiveFieldFragment as EffectiveField,
  EffectiveModelSettingFragment as EffectiveModelSetting,
  FieldProblemFragment as FieldProblem,
  IssueTokenInput,
  ModelSettingsFieldFragment as ModelSettingsField,
  ModelSettingsFieldName,
  ModelSettingsFragment as ModelSettings,
  OrganisationConfigFragment as OrganisationConfig,
  Role,
  SettingChangeFragment as SettingChange,
  SettingChangePageFragment as SettingChangePage,
  SettingGroup,
  SettingKind,
  SortDirection,
  TokenStatus,
  UpdateAgentConfigInput,
  UpdateModelSettingsInput,
  UpdateOrganisationConfigInput,
  UserSettingsFragment as UserSettings,
  UserSort,
  UserSummaryFragment as User,
} from './generated/types.ts';
export type { JsonValue } from './json.ts';
export type { ModelSettingsApi, UpdateModelSettingsResult } from './model-settings.ts';
export type { OracleErrorCode } from './oracle-error.ts';
export { OracleError } from './oracle-error.ts';
export type { OrganisationApi, UpdateOrganisationConfigResult } from './organisation.ts';
export type { Request, RequestOptions } from './request.ts';
export type { SettingChangesApi, SettingChangesFilter } from './setting-changes.ts';
export type { WebSocketConstructor } from './socket.ts';
export type { Subscribe } from './subscribe.ts';
export type { IssueTokenResult, TokensApi } from './tokens.ts';
export type { ResultOf, TypedDocument, VariablesOf } from './typed-document.ts';
export type { CreateUserResult, UserPage, UsersApi } from './users.ts';

export type { AgentConfigApi, UpdateAgentConfigResult } from './agent-config.ts';
export type { ChunkKind, ChunkOf, Ending, OracleChunk } from './chunk.ts';
export type { FollowOptions, Model, OracleClient, OracleClientOptions } from './client.ts';
export { createOracleClient } from './client.ts';
export type {
  CodeApi,
  CodeDefinitions,
  CodeFile,
  CodeFilePage,
  CodeHit,
  CodeReferences,
  DeleteCodeFilesResult,
  RepositoryMap,
  SaveCodeFilesResult,
} from './code.ts';
export type { ConnectionState } from './connection-state.ts';
export type {
  ConversationPage,
  ConversationsApi,
  CreateConversationResult,
  DeletedConversation,
  LabelExchangeResult,
  PrunedConversation,
  RenameConversationResult,
} from './conversations.ts';
export type { TokenSource } from './credentials.ts';
export type { Meters, RunView, ToolCard, ViewItem } from './fold-chunks.ts';
export { emptyView, foldChunks, toolCardsOf } from './fold-chunks.ts';
export type * from './generated/ids.ts';
export type {
  AccessTokenFragment as AccessToken,
  AddMcpServerInput,
  AgentConfigFieldFragment as AgentConfigField,
  AgentConfigFieldName,
  AgentConfigFragment as AgentConfig,
  AnswerNowInput,
  AppendToThreadInput,
  ConfigLayer,
  ContinueRunInput,
  ConversationFragment as Conversation,
  CreateUserInput,
  EffectiveFieldFragment as EffectiveField,
  EffectiveModelSettingFragment as EffectiveModelSetting,
  ExchangeFragment as Exchange,
  IssueTokenInput,
  McpServerFragment as McpServer,
  ModelSettingsFieldFragment as ModelSettingsField,
  ModelSettingsFieldName,
  ModelSettingsFragment as ModelSettings,
  MoveNoteInput,
  NoteFragment as Note,
  NotePageFragment as NotePage,
  OracleQueryInput,
  OrganisationConfigFragment as OrganisationConfig,
  ProjectFragment as Project,
  Role,
  RunFragment as RunRecord,
  SaveCodeFilesInput,
  SaveNoteInput,
  SettingChangeFragment as SettingChange,
  SettingChangePageFragment as SettingChangePage,
  SettingGroup,
  SettingKind,
  SortDirection,
  ThreadEntryFragment as ThreadEntry,
  ThreadFragment as Thread,
  TokenStatus,
  UpdateAgentConfigInput,
  UpdateMcpServerInput,
  UpdateModelSettingsInput,
  UpdateOrganisationConfigInput,
  UserSettingsFragment as UserSettings,
  UserSort,
  UserSummaryFragment as User,
} from './generated/types.ts';
export type { Id } from './id.ts';
export type { JsonValue } from './json.ts';
export type {
  AddMcpServerResult,
  ApproveMcpToolsResult,
  McpServerPage,
  McpServersApi,
  SetMcpAccessResult,
  UpdateMcpServerResult,
} from './mcp-servers.ts';
export type { ModelSettingsApi, UpdateModelSettingsResult } from './model-settings.ts';
export type { MoveNoteResult, NoteHit, NoteLinks, NotesApi, SaveNoteResult } from './notes.ts';
export type { FieldProblem, OracleErrorCode, OracleErrorDetails } from './oracle-error.ts';
export { OracleError } from './oracle-error.ts';
export type { OrganisationApi, UpdateOrganisationConfigResult } from './organisation.ts';
export type { CreateProjectResult, DeleteProjectResult, ProjectsApi, RenameProjectResult } from './projects.ts';
export type { Request, RequestOptions } from './request.ts';
export type { Run, RunResult } from './run.ts';
export type { Decision, DecisionTree, RunPage, RunsApi } from './runs.ts';
export type {
  AllSettings,
  SettingChangesApi,
  SettingChangesFilter,
  SettingsApi,
  WatchSettingsOptions,
} from './settings.ts';
export type { WebSocketConstructor } from './socket.ts';
export type { Subscribe } from './subscribe.ts';
export type {
  AppendToThreadResult,
  RenameThreadResult,
  ThreadEntryPage,
  ThreadHit,
  ThreadPage,
  ThreadsApi,
} from './threads.ts';
export type { IssueTokenResult, TokensApi } from './tokens.ts';
export type { TransportChoice } from './transport.ts';
export type { ResultOf, TypedDocument, VariablesOf } from './typed-document.ts';
export type { CreateUserResult, UserPage, UsersApi } from './users.ts';

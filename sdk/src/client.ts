import { type AgentConfigApi, makeAgentConfigApi } from './agent-config.ts';
import type { TokenSource } from './credentials.ts';
import { resolveEndpoint } from './endpoint.ts';
import { SettingsChangedDocument, ViewerDocument } from './generated/documents.ts';
import type { UserSettingsFragment, UserSummaryFragment } from './generated/types.ts';
import { type ModelSettingsApi, makeModelSettingsApi } from './model-settings.ts';
import { makeOrganisationApi, type OrganisationApi } from './organisation.ts';
import { makeRequest, type Request, type RequestOptions } from './request.ts';
import { makeSettingChangesApi, type SettingChangesApi } from './setting-changes.ts';
import type { WebSocketConstructor } from './socket.ts';
import { makeSubscriptions, type Subscribe } from './subscribe.ts';
import { makeTokensApi, type TokensApi } from './tokens.ts';
import { makeUsersApi, type UsersApi } from './users.ts';

/** How to reach a server, and as whom. */
export interface OracleClientOptions {
  /** The server's address (`http://host:4000`) or its endpoint (`http://host:4000/graphql`). */
  readonly url: string | URL;
  /** A token, or a function that is asked before each request and each connection. */
  readonly token: TokenSource;
  /** How long a request may take before it fails with `TIMEOUT`; 30 seconds unless set. */
  readonly timeoutMs?: number;
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Used instead of the global `WebSocket`; needed on Node 20, which has none. */
  readonly WebSocket?: WebSocketConstructor;
}

/**
 * A server, by noun. Failures that a person can fix are members of the result's type, told apart by `__typename`;
 * failures of transport or access are thrown as `OracleError`.
 */
export interface OracleClient {
  readonly agentConfig: AgentConfigApi;
  readonly modelSettings: ModelSettingsApi;
  readonly users: UsersApi;
  readonly tokens: TokensApi;
  readonly organisation: OrganisationApi;
  readonly settingChanges: SettingChangesApi;
  /** The person whose token this is. */
  viewer(options?: RequestOptions): Promise<UserSummaryFragment>;
  /**
   * The settings of a person now, and again after every change. Without a `userId`, the caller's own. Aborting the
   * signal ends the loop.
   */
  settingsChanged(options?: SettingsChangedOptions): AsyncGenerator<UserSettingsFragment, void>;
  /** Sends any typed query or mutation. */
  readonly request: Request;
  /** Listens to any typed subscription. */
  readonly subscribe: Subscribe;
  /** Ends all subscriptions and closes their connection. Requests need no closing. */
  close(): void;
}

/** Whose settings to listen to, and until when. */
export interface SettingsChangedOptions extends RequestOptions {
  readonly userId?: string;
}

/** Makes a client. Nothing is sent before it is asked for something. */
export function createOracleClient(options: OracleClientOptions): OracleClient {
  const { token, timeoutMs = 30_000, fetch, WebSocket } = options;
  const endpoint = resolveEndpoint(options.url);
  const request = makeRequest({ endpoint, token, timeoutMs, fetch });
  const { subscribe, close } = makeSubscriptions({ endpoint, token, WebSocket });

  return {
    agentConfig: makeAgentConfigApi(request),
    modelSettings: makeModelSettingsApi(request),
    users: makeUsersApi(request),
    tokens: makeTokensApi(request),
    organisation: makeOrganisationApi(request),
    settingChanges: makeSettingChangesApi(request),
    viewer: async (options) => (await request(ViewerDocument, {}, options)).viewer,
    async *settingsChanged({ userId, signal } = {}) {
      for await (const { settingsChanged } of subscribe(SettingsChangedDocument, { userId }, { signal })) {
        yield settingsChanged;
      }
    },
    request,
    subscribe,
    close,
  };
}

import { type AgentConfigApi, makeAgentConfigApi } from './agent-config.ts';
import { chooseTransport } from './choose-transport.ts';
import { type ConnectionState, makeConnectionStates } from './connection-state.ts';
import { type ConversationsApi, makeConversationsApi } from './conversations.ts';
import type { TokenSource } from './credentials.ts';
import { resolveEndpoint } from './endpoint.ts';
import { OracleQueryDocument, ViewerDocument } from './generated/documents.ts';
import type { RunId } from './generated/ids.ts';
import type { OracleQueryInput, UserSummaryFragment } from './generated/types.ts';
import { type ModelSettingsApi, makeModelSettingsApi } from './model-settings.ts';
import { makeNotesApi, makeProjectsApi, type NotesApi, type ProjectsApi } from './notes.ts';
import { OracleError } from './oracle-error.ts';
import { makeOrganisationApi, type OrganisationApi } from './organisation.ts';
import { growingPause, makeConnect } from './reconnect.ts';
import { makeRequest, type Request, type RequestOptions } from './request.ts';
import { makeRun, type Run } from './run.ts';
import { makeStreamRun, type RunStart } from './run-stream.ts';
import { makeRunsApi, type RunsApi } from './runs.ts';
import { makeSettingsApi, type SettingsApi } from './settings.ts';
import type { WebSocketConstructor } from './socket.ts';
import { makeSubscribe, type Subscribe } from './subscribe.ts';
import { makeTokensApi, type TokensApi } from './tokens.ts';
import type { TransportChoice } from './transport.ts';
import { makeUsersApi, type UsersApi } from './users.ts';

/** How to reach a server, and as whom. */
export interface OracleClientOptions {
  /** The server's address (`http://host:4000`) or its endpoint (`http://host:4000/graphql`). */
  readonly url: string | URL;
  /** A token, or a function that is asked before each request and each connection. */
  readonly token: TokenSource;
  /** How subscriptions travel; `auto` unless set: a WebSocket, or server-sent events where WebSockets are blocked. */
  readonly transport?: TransportChoice;
  /** Told of every change in how the subscriptions stand. */
  readonly onConnection?: (state: ConnectionState) => void;
  /** How many milliseconds to wait before connecting again; `attempt` counts from 0. Grows, with jitter, unless set. */
  readonly retryDelay?: (attempt: number) => number;
  /** How long a request may take before it fails with `TIMEOUT`; 30 seconds unless set. */
  readonly timeoutMs?: number;
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Used instead of the global `WebSocket`, which Node 20 does not have: there `auto` uses server-sent events. */
  readonly WebSocket?: WebSocketConstructor;
}

/**
 * A server, by noun. Failures that a person can fix are members of the result's type, told apart by `__typename`;
 * failures of transport or access are thrown as `OracleError`.
 */
export interface OracleClient {
  /** Asks a question. It is on its way at once; the run that answers it can be read, awaited and cancelled. */
  ask(input: OracleQueryInput, options?: RequestOptions): Run;
  /** Reads a run from behind a `seq`, from its start unless given, and follows it to its end. */
  follow(runId: RunId, options?: FollowOptions): Run;
  readonly agentConfig: AgentConfigApi;
  readonly modelSettings: ModelSettingsApi;
  readonly settings: SettingsApi;
  readonly organisation: OrganisationApi;
  readonly users: UsersApi;
  readonly tokens: TokensApi;
  readonly runs: RunsApi;
  readonly conversations: ConversationsApi;
  readonly notes: NotesApi;
  readonly projects: ProjectsApi;
  /** The person whose token this is. */
  viewer(options?: RequestOptions): Promise<UserSummaryFragment>;
  /** Sends any typed query or mutation. */
  readonly request: Request;
  /** Listens to any typed subscription. */
  readonly subscribe: Subscribe;
  /** Stops listening to everything. Runs go on; requests need no closing. */
  close(): void;
}

/** Where to begin, and how long to listen. */
export interface FollowOptions extends RequestOptions {
  /** The last `seq` that is known already. */
  readonly after?: number;
}

/** Makes a client. Nothing is sent before it is asked for something. */
export function createOracleClient(options: OracleClientOptions): OracleClient {
  const { token, timeoutMs = 30_000, fetch } = options;
  const connection = { endpoint: resolveEndpoint(options.url), token, timeoutMs, fetch };
  const request = makeRequest(connection);
  const transports = chooseTransport(connection, options.transport ?? 'auto', options.WebSocket);
  const states = makeConnectionStates(options.onConnection);
  const connect = makeConnect(transports, { token, retryDelay: options.retryDelay ?? growingPause, open: states.open });
  let closing = new AbortController();
  const subscribe = makeSubscribe(connect, () => closing.signal);
  const runs = makeRunsApi(request);
  const ports = { streamRun: makeStreamRun(connect, request), cancel: runs.cancel };
  const begin = (start: RunStart, signal: AbortSignal | undefined) =>
    makeRun(ports, start, signal ? AbortSignal.any([signal, closing.signal]) : closing.signal);

  return {
    ask(input, { signal } = {}) {
      // The key makes asking repeatable: when the connection is lost before the first chunk, the question joins its run.
      const variables = { input: { idempotencyKey: crypto.randomUUID(), ...input } };
      return begin({ ask: { query: OracleQueryDocument, variables } }, signal);
    },
    follow: (runId, { after = 0, signal } = {}) => begin({ runId, after }, signal),
    agentConfig: makeAgentConfigApi(request),
    modelSettings: makeModelSettingsApi(request),
    settings: makeSettingsApi(request, subscribe),
    organisation: makeOrganisationApi(request),
    users: makeUsersApi(request),
    tokens: makeTokensApi(request),
    runs,
    conversations: makeConversationsApi(request),
    notes: makeNotesApi(request),
    projects: makeProjectsApi(request),
    viewer: async (options) => (await request(ViewerDocument, {}, options)).viewer,
    request,
    subscribe,
    close() {
      closing.abort(new OracleError('CLOSED', 'The client was closed.'));
      closing = new AbortController();
    },
  };
}

import { type AgentConfigApi, makeAgentConfigApi } from './agent-config.ts';
import { makeBind } from './call.ts';
import { chooseTransport } from './choose-transport.ts';
import { type CodeApi, makeCodeApi } from './code.ts';
import { type ConnectionState, makeConnectionStates } from './connection-state.ts';
import { type ConversationsApi, makeConversationsApi } from './conversations.ts';
import type { TokenSource } from './credentials.ts';
import { resolveEndpoint } from './endpoint.ts';
import {
  AnswerNowDocument,
  ContinueRunDocument,
  ModelsDocument,
  OracleQueryDocument,
  ViewerDocument,
} from './generated/documents.ts';
import type { RunId } from './generated/ids.ts';
import type {
  AnswerNowInput,
  ContinueRunInput,
  ModelsQuery,
  ModelsQueryVariables,
  OracleQueryInput,
  UserSummaryFragment,
} from './generated/types.ts';
import { type McpServersApi, makeMcpServersApi } from './mcp-servers.ts';
import { type ModelSettingsApi, makeModelSettingsApi } from './model-settings.ts';
import { makeNotesApi, type NotesApi } from './notes.ts';
import { OracleError } from './oracle-error.ts';
import { makeOrganisationApi, type OrganisationApi } from './organisation.ts';
import { makeProjectsApi, type ProjectsApi } from './projects.ts';
import { growingPause, makeConnect } from './reconnect.ts';
import { makeRequest, type Request, type RequestOptions } from './request.ts';
import { makeRun, type Run, type RunPorts } from './run.ts';
import { makeStreamRun, type RunStart } from './run-stream.ts';
import { makeRunsApi, type RunsApi } from './runs.ts';
import { makeSettingsApi, type SettingsApi } from './settings.ts';
import type { WebSocketConstructor } from './socket.ts';
import { makeSubscribe, type Subscribe } from './subscribe.ts';
import { makeThreadsApi, type ThreadsApi } from './threads.ts';
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
  /** Goes on where a run stopped, with what it found, as a new run. */
  continueRun(input: ContinueRunInput, options?: RequestOptions): Run;
  /** Answers in one turn, without tools, from what a stopped run found, as a new run. */
  answerNow(input: AnswerNowInput, options?: RequestOptions): Run;
  /** The limits of a person: read, changed, reset. */
  readonly agentConfig: AgentConfigApi;
  /** Which models answer a person, and how much they are given. */
  readonly modelSettings: ModelSettingsApi;
  /** Both kinds of settings at once: watched live, and their history. */
  readonly settings: SettingsApi;
  /** What holds for everybody: defaults and ceilings. */
  readonly organisation: OrganisationApi;
  /** People. Most of it is for administrators. */
  readonly users: UsersApi;
  /** Tokens: issued, listed, revoked. */
  readonly tokens: TokensApi;
  /** Runs, under way or ended, with their decisions. */
  readonly runs: RunsApi;
  /** Trees of exchanges: listed, branched, labelled, pruned. */
  readonly conversations: ConversationsApi;
  /** The Markdown notes of a project. */
  readonly notes: NotesApi;
  /** What notes, threads and code belong to. */
  readonly projects: ProjectsApi;
  /** Lines of thought, kept over time. */
  readonly threads: ThreadsApi;
  /** The indexed code of a project. */
  readonly code: CodeApi;
  /** MCP servers whose tools runs may use. For administrators. */
  readonly mcpServers: McpServersApi;
  /** The models that a question may choose. */
  models(which?: ModelsQueryVariables, options?: RequestOptions): Promise<readonly Model[]>;
  /** The person whose token this is. */
  viewer(options?: RequestOptions): Promise<UserSummaryFragment>;
  /** Sends any typed query or mutation. */
  readonly request: Request;
  /** Listens to any typed subscription. */
  readonly subscribe: Subscribe;
  /** Stops listening to everything. Runs go on; requests need no closing. */
  close(): void;
}

/** A model that a question may choose by its id. */
export type Model = ModelsQuery['models'][number];

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
  const bind = makeBind(request);
  const runs = makeRunsApi(bind);
  const ports: RunPorts = {
    streamRun: makeStreamRun(connect, request),
    cancel: runs.cancel,
    continueRun: (input, options) => start(ContinueRunDocument, input, options),
    answerNow: (input, options) => start(AnswerNowDocument, input, options),
  };
  const begin = (start: RunStart, signal: AbortSignal | undefined) =>
    makeRun(ports, start, signal ? AbortSignal.any([signal, closing.signal]) : closing.signal);

  /** The key makes asking repeatable: when the connection is lost before the first chunk, the question joins its run. */
  function start(query: string, input: object, options?: RequestOptions): Run {
    const variables = { input: { idempotencyKey: crypto.randomUUID(), ...input } };
    return begin({ ask: { query, variables } }, options?.signal);
  }

  return {
    ask: (input, options) => start(OracleQueryDocument, input, options),
    continueRun: ports.continueRun,
    answerNow: ports.answerNow,
    follow: (runId, { after = 0, signal } = {}) => begin({ runId, after }, signal),
    agentConfig: makeAgentConfigApi(bind),
    modelSettings: makeModelSettingsApi(bind),
    settings: makeSettingsApi(request, subscribe),
    organisation: makeOrganisationApi(bind),
    users: makeUsersApi(bind),
    tokens: makeTokensApi(bind),
    runs,
    conversations: makeConversationsApi(bind),
    notes: makeNotesApi(bind),
    projects: makeProjectsApi(bind),
    threads: makeThreadsApi(bind),
    code: makeCodeApi(bind),
    mcpServers: makeMcpServersApi(bind),
    models: bind(ModelsDocument),
    viewer: async (options) => (await request(ViewerDocument, {}, options)).viewer,
    request,
    subscribe,
    close() {
      closing.abort(new OracleError('CLOSED', 'The client was closed.'));
      closing = new AbortController();
    },
  };
}

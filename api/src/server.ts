import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextRound } from 'node:timers/promises';
import { People } from './access/people.ts';
import { PeopleActivity } from './access/person-activity.ts';
import { SignIn } from './access/sign-in.ts';
import { TokenWatch } from './access/token-watch.ts';
import { Tokens } from './access/tokens.ts';
import { CodeService } from './code/code-service.ts';
import { ConversationService } from './conversations/conversation-service.ts';
import { builtInRules } from './declared-folders.ts';
import type { Services } from './graphql/context.ts';
import { serveConsole, serveGraphiql } from './http/console-files.ts';
import { createGraphqlEndpoint } from './http/graphql-endpoint.ts';
import { sendJson } from './http/send-json.ts';
import { serveSession } from './http/session-route.ts';
import { largestMessage, serveWebSockets } from './http/websocket.ts';
import type { Logger } from './logger.ts';
import { createMcp } from './mcp/mcp.ts';
import { type Models, UnknownModel } from './models/model-registry.ts';
import { NoteChanges } from './notifications/note-changes.ts';
import { NoteStore } from './notifications/note-store.ts';
import { NoticeStore } from './notifications/notice-store.ts';
import { NotificationSettings } from './notifications/notification-settings.ts';
import { Notifications } from './notifications/notifications.ts';
import type { SubscriberFiles } from './notifications/subscriber-files.ts';
import { Rules } from './rule-book/rules.ts';
import { type ModelPatience, Oracle } from './runs/oracle.ts';
import type { Runs } from './runs/runs.ts';
import { OrganisationService } from './settings/organisation-service.ts';
import { SettingHistory } from './settings/setting-history.ts';
import { SettingReverts } from './settings/setting-reverts.ts';
import { UserSettingsService } from './settings/user-settings-service.ts';
import type { ChangeFeed } from './store/changes.ts';
import type { Database } from './store/database.ts';
import { Summaries } from './store/summaries.ts';
import { ThreadService } from './threads/thread-service.ts';
import { builtInTools } from './tools/built-in-tools.ts';
import type { ToolRegistry } from './tools/registry.ts';
import { UsageService } from './usage/usage-service.ts';
import { WhatIfService } from './usage/what-if-service.ts';
import { ProjectService } from './vault/project-service.ts';
import { VaultService } from './vault/vault-service.ts';

export interface ServerDependencies {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly runs: Runs;
  readonly models: Models;
  readonly subscriberFiles: SubscriberFiles;
  readonly log: Logger;
  /** The model for everyone who chose none. */
  readonly defaultModel: string;
  /** Where the built console lies. */
  readonly consoleFolder: string;
  /** Where the product's own rules are, unless they are where they were written. */
  readonly builtInRulesFolder?: string;
  /** Where whoever runs the server puts rules of their own. */
  readonly rulesFolder?: string;
  /** Freeze the states of runs, so that a stray write throws. */
  readonly development?: boolean;
  /** The tools of every run; the built-in ones unless given. */
  readonly tools?: ToolRegistry;
  /** How long a silent model is waited for, when not as long as usual. */
  readonly modelPatience?: ModelPatience;
}

export interface OracleServer {
  /** Resolves with the address once requests are taken. Port 0 picks a free one. */
  listen(port: number, host: string): Promise<string>;
  /** Takes no more questions, saves the runs under way, lets requests finish for a moment and ends subscriptions. */
  close(): Promise<void>;
}

const graceForRequests = 3_000;
/** Longer than what usually stands before a server keeps its own connections, and long enough for the next question. */
const keptOpenMs = 65_000;
const patienceWithDatabase = 2_000;

export function createServer({
  database,
  changes,
  runs,
  models,
  subscriberFiles,
  log,
  defaultModel,
  consoleFolder,
  builtInRulesFolder = builtInRules,
  rulesFolder,
  development = false,
  tools = builtInTools,
  modelPatience = {},
}: ServerDependencies): OracleServer {
  const vault = new VaultService(database);
  const code = new CodeService(database);
  const threads = new ThreadService(database);
  const whyNoModel = (name: string) => {
    const found = models.find(name);
    return found instanceof UnknownModel ? found.message : undefined;
  };
  const builtIn = { oracleModel: defaultModel, subagentModel: defaultModel };
  const settings = new UserSettingsService(database, { builtIn, whyNoModel });
  const organisation = new OrganisationService(database, defaultModel, whyNoModel);
  const history = new SettingHistory(database);
  const mcp = createMcp({ database, changes, builtIn: tools, log });
  const rules = new Rules({ database, changes, log, builtIn: builtInRulesFolder, own: rulesFolder });
  const summaries = (userId: string, projectId: string) => new Summaries(database, userId, projectId);
  const notices = new NoticeStore(database);
  const notificationSettings = new NotificationSettings(database, changes, log);
  const noteChanges = new NoteChanges(changes);
  const oracle = new Oracle({
    summaries,
    runs,
    models,
    settings,
    vault,
    code,
    threads,
    toolsFor: mcp.toolsFor,
    rules,
    notifications: new Notifications({
      files: subscriberFiles,
      settings: notificationSettings,
      store: notices,
      notes: new NoteStore(database),
      noteChanges,
      log,
    }),
    log,
    development,
    modelPatience,
  });
  const services: Services = {
    people: new People(database),
    activity: new PeopleActivity(database),
    tokens: new Tokens(database),
    settings,
    usage: new UsageService(database),
    whatIf: new WhatIfService(database),
    organisation,
    history,
    reverts: new SettingReverts(history, settings, organisation),
    changes,
    vault,
    threads,
    projects: new ProjectService(database),
    conversations: new ConversationService(database, { cancel: (runId) => runs.cancel(runId) }),
    code,
    runs,
    oracle,
    models,
    mcpServers: mcp.servers,
    mcpApprovals: mcp.approvals,
    rules,
    notices,
    notificationSettings,
    subscriberFiles,
  };
  const tokenWatch = new TokenWatch(database, changes);
  const signIn = new SignIn(database.sql);
  const endpoint = createGraphqlEndpoint({ signIn, services, tokenWatch, log });
  const graphiql = serveGraphiql(endpoint.graphqlEndpoint);
  const consoleFiles = serveConsole(consoleFolder);
  let stopping = false;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    switch (URL.parse(request.url ?? '/', 'http://localhost')?.pathname) {
      case endpoint.graphqlEndpoint: {
        const refusal = refuseBody(request);
        if (refusal) return sendJson(response, refusal.status, { errors: [{ message: refusal.message }] });
        await endpoint(request, response);
        return;
      }
      case '/graphiql':
        return graphiql(request, response);
      case '/session':
        return serveSession(request, response, signIn);
      case '/health/live':
        return sendJson(response, 200, { status: 'live' });
      case '/health/ready': {
        const ready = !stopping && (await isReady(database));
        return sendJson(response, ready ? 200 : 503, {
          status: ready ? 'ready' : stopping ? 'stopping' : 'database away',
        });
      }
      default:
        return consoleFiles(request, response);
    }
  }

  const server = createHttpServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.error({ stack: error instanceof Error ? error.stack : String(error) }, 'a request failed');
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { message: 'Something went wrong on our side; it has been logged.' });
    });
  });
  server.keepAliveTimeout = keptOpenMs;
  const sockets = serveWebSockets(server, endpoint, log);

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          resolve(addressOf(server.address() as AddressInfo));
        });
      }),
    async close() {
      stopping = true;
      await oracle.stop();
      const mcpClosed = mcp.close();
      await nextRound(); // so that the ends of runs reach those who read them
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await sockets.close();
      server.closeIdleConnections();
      const patience = setTimeout(() => server.closeAllConnections(), graceForRequests);
      await closed;
      clearTimeout(patience);
      tokenWatch.close();
      notificationSettings.close();
      noteChanges.close();
      await mcpClosed;
      await endpoint.dispose();
      await rules.close();
      await code.close();
    },
  };
}

/** Everything that is read is read into memory, so its size must be known and small before it is. */
function refuseBody({ method, headers }: IncomingMessage): { status: number; message: string } | undefined {
  if (method !== 'POST') return undefined;
  const length = headers['content-length'];
  if (length === undefined) return { status: 411, message: 'Send a content-length.' };
  if (Number(length) <= largestMessage) return undefined;
  return { status: 413, message: `A request may be at most ${largestMessage} bytes long.` };
}

async function isReady(database: Database): Promise<boolean> {
  const timeout = AbortSignal.timeout(patienceWithDatabase);
  const late = new Promise<boolean>((resolve) => timeout.addEventListener('abort', () => resolve(false)));
  return Promise.race([
    late,
    database.ping().then(
      () => true,
      () => false,
    ),
  ]);
}

function addressOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

import type { IncomingMessage, Server } from 'node:http';
import type { ExecutionArgs } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import type { CredentialSource } from '../access/credentials.ts';
import type { Logger } from '../logger.ts';
import { BatchingWebSocket } from './batching-socket.ts';
import { DirectEvents } from './direct-events.ts';
import { createErrorMask } from './error-mask.ts';
import type { GraphqlEndpoint } from './graphql-endpoint.ts';
import { KnownTexts } from './known-texts.ts';
import { SentEvents } from './sent-events.ts';

export const largestMessage = 5 * 1024 * 1024;
const graceForGoodbye = 1_000;
const signOfLifeEveryMs = 12_000;

/** What an operation needs to be carried out, and where its results go. */
interface Operation {
  readonly id: string;
  readonly socket: BatchingWebSocket;
  execute(args: ExecutionArgs): ReturnType<ReturnType<GraphqlEndpoint['getEnveloped']>['execute']>;
  subscribe(args: ExecutionArgs): ReturnType<ReturnType<GraphqlEndpoint['getEnveloped']>['subscribe']>;
}

/** graphql-transport-ws on the same path, through the very pipeline that HTTP goes through. */
export function serveWebSockets(server: Server, endpoint: GraphqlEndpoint, log: Logger): { close(): Promise<void> } {
  // Not handed the server itself, whose errors, such as a port that is taken, are not the sockets' to report.
  const sockets = new WebSocketServer<typeof BatchingWebSocket>({
    noServer: true,
    path: endpoint.graphqlEndpoint,
    maxPayload: largestMessage,
    WebSocket: BatchingWebSocket,
  });
  server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.sendThrough(socket);
      sockets.emit('connection', client, credentialsOn(request));
    });
  });
  sockets.on('error', (error) => log.error({ stack: error.stack }, 'the WebSocket server failed'));

  const known = new KnownTexts();
  const mask = createErrorMask(log);
  const handler = useServer(
    {
      isProd: true, // when it closes a connection, it tells nobody our insides
      execute: (args) => (args.rootValue as Operation).execute(args),
      async subscribe(args) {
        const { id, socket, subscribe } = args.rootValue as Operation;
        const result = await subscribe(args);
        if (!(result instanceof DirectEvents)) return result;
        Object.assign(args, { contextValue: undefined, rootValue: undefined }); // kept for as long as it lasts
        return new SentEvents(socket, id, result);
      },
      onSubscribe: async ({ connectionParams, extra }, id, payload) => {
        const query = known.textOf(payload.query);
        Object.assign(payload, { query }); // the protocol keeps it for as long as the subscription lasts
        const { operationName, variables } = payload;
        const { schema, execute, subscribe, parse, validate, contextFactory } = endpoint.getEnveloped({
          credentials: credentialsOf(extra.request, connectionParams?.['authorization']),
          params: { query, operationName, variables },
        });
        try {
          const document = parse(query);
          const errors = validate(schema, document);
          if (errors.length > 0) return errors;
          return {
            schema,
            document,
            operationName: operationName ?? null,
            variableValues: variables ?? null,
            contextValue: await contextFactory(),
            rootValue: { id, socket: extra.socket as BatchingWebSocket, execute, subscribe } satisfies Operation,
          };
        } catch (error) {
          return [mask(error)]; // an answer, not a reason to drop the connection
        }
      },
    },
    sockets,
    0, // one timer for all connections does what would be several for each
  );
  const broken = (error: NodeJS.ErrnoException) => log.info({ code: error.code }, 'a WebSocket broke off');
  sockets.on('connection', (client) => {
    client.removeAllListeners('error'); // the protocol prints them past the log
    client.on('error', broken);
  });
  const signsOfLife = setInterval(() => {
    for (const client of sockets.clients) client.askForLife();
  }, signOfLifeEveryMs);
  return {
    async close() {
      clearInterval(signsOfLife);
      const terminate = () => {
        for (const client of sockets.clients) client.terminate(); // those that do not even answer a goodbye
      };
      const patience = setTimeout(terminate, graceForGoodbye);
      await handler.dispose();
      clearTimeout(patience);
    },
  };
}

/** Of the request that a connection came with, what is looked at later: connections last long, and there are many. */
function credentialsOn({ headers: { authorization, cookie, origin, host } }: IncomingMessage) {
  return { headers: { authorization, cookie, origin, host } };
}

/** The token comes with the connection's first message, or with the console's cookie on the upgrade request. */
function credentialsOf({ headers }: Pick<IncomingMessage, 'headers'>, authorization: unknown): CredentialSource {
  return {
    authorization: typeof authorization === 'string' ? authorization : headers.authorization,
    cookie: headers.cookie,
    origin: headers.origin,
    host: headers.host,
  };
}

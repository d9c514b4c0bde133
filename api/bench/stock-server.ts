/**
 * What most people would build: the same schema and the same chunks, through graphql-ws as it comes, graphql-ws through
 * Yoga as documented, or Yoga's server-sent events. Knows nobody and stores nothing.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { buildSchema, type ExecutionArgs, type GraphQLAbstractType } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { createYoga } from 'graphql-yoga';
import { WebSocketServer } from 'ws';
import { answerMeasurements } from './measured-process.ts';
import { burst, type Pace, readPace } from './pace.ts';

type Row = Readonly<Record<string, unknown>>;

const [manner = 'graphql-ws', schemaFile = ''] = process.argv.slice(2);
let chunks: readonly Row[] = [];
let pace: Pace = burst;

const schema = buildSchema(readFileSync(schemaFile, 'utf8'));
const subscription = schema.getSubscriptionType()?.getFields()['oracleQuery'];
if (!subscription) throw new Error('The schema has no such subscription.');
subscription.subscribe = () => stream();
(schema.getType('OracleChunk') as GraphQLAbstractType).resolveType = (chunk) => chunk.__typename;

async function* stream(): AsyncGenerator<Row> {
  const { everyMs, chunks: count } = pace;
  for (const chunk of everyMs > 0 ? chunks.slice(0, count) : chunks) {
    if (everyMs > 0) await pause(everyMs);
    yield { oracleQuery: chunk };
  }
}

const yoga = createYoga({ schema, logging: false, graphiql: false });
const server = createServer(yoga);
const sockets = new WebSocketServer({ server, path: '/graphql' });
type Enveloped = ReturnType<typeof yoga.getEnveloped>;
if (manner === 'graphql-ws') useServer({ schema }, sockets);
else
  useServer(
    {
      // As Yoga's documentation has it.
      execute: (args: ExecutionArgs) => (args.rootValue as Enveloped).execute(args),
      subscribe: (args: ExecutionArgs) => (args.rootValue as Enveloped).subscribe(args),
      onSubscribe: async (context, _id, params) => {
        const { schema, execute, subscribe, contextFactory, parse, validate } = yoga.getEnveloped({
          ...context,
          req: context.extra.request,
          socket: context.extra.socket,
          params,
        });
        const args = {
          schema,
          operationName: params.operationName ?? null,
          document: parse(params.query),
          variableValues: params.variables ?? null,
          contextValue: await contextFactory(),
          rootValue: { execute, subscribe },
        };
        const errors = validate(args.schema, args.document);
        return errors.length > 0 ? errors : args;
      },
    },
    sockets,
  );

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  answerMeasurements(`http://127.0.0.1:${port}`, (message) => {
    pace = readPace(message) ?? pace;
    if ('chunks' in message) chunks = message.chunks as readonly Row[];
  });
});

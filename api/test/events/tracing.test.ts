import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '../kit/client.ts';
import type { TestUser } from '../kit/kit.ts';
import { buildServer, ServerFolder } from '../kit/server-process.ts';
import { createTestDatabase, type TestDatabase } from '../kit/test-database.ts';
import { askOver } from '../oracle/kit/stream.ts';

const token = 'the-token-of-the-tracing-test';
const require = createRequire(import.meta.url);
const sdk = pathToFileURL(require.resolve('@opentelemetry/sdk-trace-base')).href;
const api = pathToFileURL(require.resolve('@opentelemetry/api')).href;

/** What whoever runs a server writes to have its spans. */
const tracing = `
  import { trace } from '${api}';
  import { BasicTracerProvider, SimpleSpanProcessor } from '${sdk}';
  const exporter = {
    export(spans, done) {
      for (const { name, attributes } of spans) console.log('span ' + JSON.stringify({ name, attributes }));
      done({ code: 0 });
    },
    shutdown: async () => undefined,
  };
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
`;

let folder: ServerFolder;
let database: TestDatabase;
beforeAll(async () => {
  await buildServer();
  folder = new ServerFolder();
  database = await createTestDatabase();
});
afterAll(async () => {
  await folder.dispose();
  await database.drop();
});

it('a tracer that is registered before the built server starts gets the spans of its runs', async () => {
  const file = join(folder.path, 'tracing.mjs');
  writeFileSync(file, tracing);
  const server = folder.start({
    DATABASE_URL: database.url,
    ORACLE_ADMIN_TOKEN: token,
    ORACLE_MODEL: 'offline',
    NODE_OPTIONS: `--import ${file}`,
  });
  const url = await server.ready;
  const user: TestUser = { ...createClient(url, token), id: '', email: '', token, tokenId: '' };
  await askOver({ url, user }, { question: 'What did we decide about caching?' }).toEnd();
  expect(await server.end('SIGTERM')).toBe(0);
  const spans = [...server.printed.stdout.matchAll(/^span (.*)$/gm)].map(
    ([, json = '']) => JSON.parse(json) as { readonly name: string; readonly attributes: Record<string, unknown> },
  );

  expect(spans.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['chat offline', 'execute_tool vault_search', 'turn', 'invoke_agent oracle']),
  );
  expect(spans.at(-1)).toMatchObject({
    name: 'invoke_agent oracle',
    attributes: { 'gen_ai.operation.name': 'invoke_agent', 'oracle.run.reason': 'COMPLETED' },
  });
});

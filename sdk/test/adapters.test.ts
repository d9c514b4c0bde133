import { Client, cacheExchange, type OperationResult } from '@urql/core';
import {
  parseJsonEventStream,
  readUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
  uiMessageChunkSchema,
} from 'ai';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import type {} from '../../api/test/kit/global-setup.ts';
import { type Kit, startKit, type TestUser } from '../../api/test/kit/kit.ts';
import { type AiSdkChunk, toAiSdkResponse, toAiSdkStream } from '../src/ai.ts';
import { OracleQueryDocument, SaveNoteDocument, UsersDocument, ViewerDocument } from '../src/documents.ts';
import { createOracleClient, type OracleChunk, type OracleClient } from '../src/index.ts';
import { oracleExchange } from '../src/urql.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';
import { expectSameRun } from './same-run.ts';

let kit: Kit;
let user: TestUser;
let proxy: FaultyProxy;
let oracle: OracleClient;

beforeAll(async () => {
  kit = await startKit();
  user = await kit.newUser({ name: 'Ada' });
  proxy = await startFaultyProxy(kit.url);
  oracle = createOracleClient({ url: proxy.url, token: user.token, retryDelay: () => 1 });
});
afterAll(async () => {
  oracle.close();
  await proxy[Symbol.asyncDispose]();
  await kit.stop();
});

describe('a run as an AI SDK stream', () => {
  const ask = (model: string) => oracle.ask({ question: 'What did we decide about caching?', model });

  async function lastMessage(stream: ReadableStream<UIMessageChunk>): Promise<UIMessage | undefined> {
    let last: UIMessage | undefined;
    for await (const message of readUIMessageStream({ stream, terminateOnError: true })) last = message;
    return last;
  }

  it('is read by the real reader: reasoning, tools, sources, text and metadata', async () => {
    const run = ask('simulated/think');
    const message = await lastMessage(toAiSdkStream(run));
    const { text, toolCalls, conversationId } = await run.result();

    const parts = message?.parts ?? [];
    expect(message?.id).toBe(await run.id);
    expect(parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')).toBe(text);
    expect(parts.filter(({ type }) => type === 'reasoning').length).toBeGreaterThan(1);
    const tools = parts.flatMap((part) => (part.type === 'dynamic-tool' ? [part] : []));
    expect(tools.map(({ toolName, state }) => `${toolName} ${state}`)).toEqual(
      toolCalls.map(({ name }) => `${name} output-available`),
    );
    expect(tools[0]).toMatchObject({ input: toolCalls[0]?.arguments, output: toolCalls[0]?.result });
    expect(parts.some((part) => part.type === 'source-document')).toBe(true);
    expect(message?.metadata).toMatchObject({ conversationId, ending: { reason: 'COMPLETED' } });
    expect(parts.every((part) => !('state' in part) || part.state !== 'streaming')).toBe(true);
  });

  it.each(['simulated/fan-out', 'simulated/errors', 'simulated/loop', 'offline'])(
    'has only parts that the AI SDK knows (%s)',
    async (model) => {
      const response = toAiSdkResponse(ask(model));
      expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1');
      const events = parseJsonEventStream({
        stream: response.body ?? new ReadableStream(),
        schema: uiMessageChunkSchema,
      });

      const types: string[] = [];
      for await (const event of events) {
        expect(event).toMatchObject({ success: true });
        if (event.success) types.push(event.value.type);
      }
      expect([types[0], types.at(-1)]).toEqual(['start', 'finish']);
      expectTypeOf<AiSdkChunk>().toExtend<UIMessageChunk>();
    },
  );

  it('tells of a failure in the run, and of one on the way to it', async () => {
    await expect(lastMessage(toAiSdkStream(ask('simulated/failing')))).rejects.toThrow(/simulated/i);
    await expect(lastMessage(toAiSdkStream(ask('no/such-model')))).rejects.toThrow(/no\/such-model/);
  });

  it('stops listening when it is cancelled', async () => {
    const reader = toAiSdkStream(ask('simulated/long')).getReader();
    expect((await reader.read()).value?.type).toBe('start');
    await reader.cancel();
  });
});

describe('urql', () => {
  const connect = () =>
    new Client({ url: kit.url, preferGetMethod: false, exchanges: [cacheExchange, oracleExchange(oracle)] });

  it('queries, changes and caches through the Oracle client', async () => {
    const client = connect();
    const { data } = await client.query(ViewerDocument, {});
    expect(data?.viewer.name).toBe('Ada');
    const saved = await client.mutation(SaveNoteDocument, { input: { path: 'urql.md', body: 'Hi.' } });
    expect(saved.data?.saveNote.__typename).toBe('Note');
    expect((await client.query(ViewerDocument, {})).operation.context.meta?.cacheOutcome).toBe('hit');
  });

  it('knows refusals by their code, and failures of the network as such', async () => {
    const refused = await connect().query(UsersDocument, {});
    expect(refused.error?.graphQLErrors[0]?.extensions).toMatchObject({ code: 'FORBIDDEN' });

    const nowhere = createOracleClient({ url: 'http://127.0.0.1:1', token: 't' });
    const client = new Client({
      url: 'http://127.0.0.1:1',
      preferGetMethod: false,
      exchanges: [oracleExchange(nowhere)],
    });
    expect((await client.query(ViewerDocument, {})).error?.networkError).toMatchObject({ code: 'NETWORK' });
  });

  it('sees each chunk of a run once, although the connection breaks', async () => {
    const before = (await oracle.runs.list()).totalCount;
    proxy.plan(['pass', 'cut', 'pass', 'pass', 'duplicate', 'drop', 'restart', 'pass', 'delay']);
    const seen: OracleChunk[] = [];
    const input = { question: 'What did we decide about caching?', model: 'simulated/think' };

    await new Promise<void>((resolve, reject) => {
      connect()
        .subscription(OracleQueryDocument, { input })
        .subscribe(({ data, error }: OperationResult<{ oracleQuery: OracleChunk }>) => {
          if (error) reject(error);
          if (data && seen.push(data.oracleQuery) && data.oracleQuery.__typename === 'DoneChunk') resolve();
        });
    });

    expectSameRun(seen, await Array.fromAsync(oracle.follow(seen[0]?.runId ?? '')));
    expect((await oracle.runs.list()).totalCount).toBe(before + 1);
  });
});

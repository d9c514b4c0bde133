import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket as NodeWebSocket } from 'ws';
import type {} from '../../api/test/kit/global-setup.ts';
import { type Kit, startKit, type TestUser } from '../../api/test/kit/kit.ts';
import { createOracleClient, type OracleChunk, type OracleClient, type OracleClientOptions } from '../src/index.ts';

let kit: Kit;
let user: TestUser;
const open: OracleClient[] = [];

beforeAll(async () => {
  kit = await startKit();
  user = await kit.newUser({ name: 'Ada' });
});
afterAll(async () => {
  for (const client of open) client.close();
  await kit.stop();
});

function connect(options: Partial<OracleClientOptions> = {}): OracleClient {
  const client = createOracleClient({ url: kit.url, token: user.token, retryDelay: () => 5, ...options });
  open.push(client);
  return client;
}

describe.each(['ws', 'sse', 'auto'] as const)('a run over %s', (transport) => {
  it('is read chunk by chunk to its end', async () => {
    const run = connect({ transport }).ask({ question: 'What did we decide about caching?', model: 'simulated/think' });
    const chunks: OracleChunk[] = [];

    for await (const chunk of run) chunks.push(chunk);

    expect(chunks.map(({ seq }) => seq)).toEqual(chunks.map((_, index) => index + 1));
    expect(chunks.at(-1)?.__typename).toBe('DoneChunk');
    expect(new Set(chunks.map(({ runId }) => runId))).toEqual(new Set([await run.id]));
    const { text, ending, toolCalls, sources } = await run.result();
    expect(text).toContain('simulated answer');
    expect(ending.reason).toBe('COMPLETED');
    expect(toolCalls.map(({ name, status }) => `${name} ${status}`)).toEqual(['vault_search OK', 'vault_read OK']);
    expect(sources.length).toBeGreaterThan(0);
  });
});

describe('a run', () => {
  it('can be read by many at once, each from the start, and again after its end', async () => {
    const oracle = connect({ WebSocket: NodeWebSocket });
    const run = oracle.ask({ question: 'Go on.', model: 'simulated/long' });
    const heard: string[] = [];
    run.on('content', ({ text }) => heard.push(text));
    const [one, two, words, { text, ending }] = await Promise.all([
      Array.fromAsync(run),
      Array.fromAsync(run),
      Array.fromAsync(run.text),
      run.result(),
    ]);

    expect(ending.reason).toBe('COMPLETED');
    expect(one).toEqual(two);
    expect(words.join('')).toBe(text);
    expect(heard.join('')).toBe(text);
    expect(await Array.fromAsync(run)).toEqual(one);
    expect(await Array.fromAsync(oracle.follow(await run.id))).toEqual(one);
    const behind = one[10]?.seq ?? 0;
    expect(await Array.fromAsync(oracle.follow(await run.id, { after: behind }))).toEqual(one.slice(11));
    expect(await Array.fromAsync(oracle.follow(await run.id, { after: one.length }))).toEqual([]);
  });
});

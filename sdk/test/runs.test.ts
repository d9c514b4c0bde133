import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket as NodeWebSocket } from 'ws';
import type {} from '../../api/test/kit/global-setup.ts';
import { type Kit, startKit, type TestUser } from '../../api/test/kit/kit.ts';
import { createOracleClient, type OracleChunk, type OracleClient, type OracleClientOptions } from '../src/index.ts';

let kit: Kit;
let user: TestUser;
const open: OracleClient[] = [];

beforeAll(async () => {
  kit = await startKit({ pace: 1 });
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

describe('stopping to listen', () => {
  it('is what the signal does: the loop ends quietly, the result rejects, the run goes on', async () => {
    const oracle = connect();
    const listening = new AbortController();
    const run = oracle.ask({ question: 'On and on.', model: 'simulated/slow' }, { signal: listening.signal });
    const result = run.result();
    const seen: string[] = [];

    for await (const chunk of run) {
      seen.push(chunk.__typename);
      listening.abort(new Error('heard enough'));
    }

    expect(seen).toHaveLength(1);
    await expect(result).rejects.toThrow('heard enough');
    const id = await run.id;
    expect(await oracle.runs.get(id)).toMatchObject({ status: 'RUNNING' });
    expect(await run.cancel()).toBe(true);
    expect((await oracle.follow(id).result()).ending.reason).toBe('CANCELLED');
  });

  it('is what leaving the loop does: no connection stays open, and a later loop begins at the start', async () => {
    const states: string[] = [];
    const oracle = connect({ onConnection: ({ status }) => states.push(status) });
    const run = oracle.ask({ question: 'On and on.', model: 'simulated/slow' });
    for await (const _ of run) break;
    await expect.poll(() => states.at(-1)).toBe('idle');

    for await (const { seq } of run) {
      expect(seq).toBe(1);
      break;
    }
    const ended = run.result();
    expect(await run.cancel()).toBe(true);
    expect((await ended).ending.reason).toBe('CANCELLED');
  });

  it('leaves a way to cancel, even when it came before the server had answered', async () => {
    const oracle = connect();
    const listening = new AbortController();
    const run = oracle.ask({ question: 'Never mind.', model: 'simulated/slow' }, { signal: listening.signal });
    listening.abort();

    await expect(run.id).rejects.toThrow();
    expect(await run.cancel()).toBe(true);
  });

  it('is what closing the client does', async () => {
    const oracle = connect();
    const run = oracle.ask({ question: 'On and on.', model: 'simulated/slow' });
    const id = await run.id;
    const result = run.result();
    oracle.close();

    await expect(result).rejects.toMatchObject({ code: 'CLOSED' });
    expect(await oracle.runs.cancel(id)).toBe(true);
  });
});

describe.each(['ws', 'sse'] as const)('what the server refuses over %s', (transport) => {
  it('is thrown by the loop, the result and the id alike, with its code and details', async () => {
    const oracle = connect({ transport });
    const bad = oracle.ask({ question: 'Hm?', config: { maxIterations: 0 } });
    const problem = { code: 'BAD_USER_INPUT', details: { problems: [{ field: 'maxIterations' }] } };

    await expect(bad.result()).rejects.toMatchObject(problem);
    await expect(bad.id).rejects.toMatchObject(problem);
    await expect(Array.fromAsync(bad)).rejects.toMatchObject(problem);
    await expect(bad.cancel()).rejects.toMatchObject(problem);
    await expect(oracle.follow(crypto.randomUUID()).result()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('names the run that a conversation waits for', async () => {
    const oracle = connect({ transport });
    const { conversationId } = await oracle.ask({ question: 'First.', model: 'simulated/answer' }).result();
    const busy = oracle.ask({ question: 'Slowly.', model: 'simulated/slow', conversationId });
    const runId = await busy.id;
    const refused = oracle.ask({ question: 'At once.', model: 'simulated/answer', conversationId });

    await expect(refused.result()).rejects.toMatchObject({ code: 'CONVERSATION_BUSY', details: { runId } });
    const instead = { question: 'Instead.', model: 'simulated/answer', conversationId } as const;
    const replaced = await oracle.ask({ ...instead, whenBusy: 'CANCEL_PREVIOUS' }).result();
    expect(replaced.ending.reason).toBe('COMPLETED');
    expect((await busy.result()).ending.reason).toBe('CANCELLED');
  });

  it('is mended by a token function when only the token has ended', async () => {
    const admin = connect({ token: kit.admin.token });
    const issue = async () => {
      const issued = await admin.tokens.issue({ name: 'brief', userId: user.id });
      return issued.__typename === 'IssuedToken' ? issued : { id: '', token: '' };
    };
    let current = await issue();
    const asked: boolean[] = [];
    const oracle = connect({
      transport,
      token: async ({ refused }) => {
        asked.push(refused);
        if (refused) current = await issue();
        return current.token;
      },
    });
    const run = oracle.ask({ question: 'Slowly.', model: 'simulated/slow' });
    const seen: number[] = [];

    for await (const chunk of run) {
      if (seen.push(chunk.seq) === 1) await admin.tokens.revoke(current.id);
      if (chunk.__typename !== 'DoneChunk' && asked.includes(true)) void run.cancel();
    }

    expect(seen).toEqual(seen.map((_, index) => index + 1));
    expect(asked.filter(Boolean).length).toBeGreaterThan(0);
    expect((await run.result()).ending.reason).toBe('CANCELLED');
    await admin.tokens.revoke(current.id);
    expect(await oracle.viewer()).toMatchObject({ id: user.id });
  });
});

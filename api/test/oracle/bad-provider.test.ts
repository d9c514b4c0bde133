import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { closing, type Reply, reply, step } from '../kit/model-replies.ts';
import { expectToGoOn } from './kit/go-on.ts';
import { calling, type OracleKit, startOracleKit } from './kit/oracle-kit.ts';

const key = 'the-key-of-this-server';
const secretQuestion = 'What did the strawberry whisper?';

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit({
    providers: { ORACLE_OPENAI_API_KEY: key },
    modelPatience: { firstChunkTimeoutMs: 400, idleTimeoutMs: 400 },
  });
});
beforeEach(async () => {
  user = await kit.newUser();
});
afterAll(() => kit.stop());

const failed = (code: string, retryable: boolean) => ({ __typename: 'ErrorChunk', code, retryable });

describe('a provider that fails before the first word', () => {
  it('401: is not asked again, and neither the key nor the question is told', async () => {
    const script = kit.script(reply.error(401, { message: `Bad key ${key} for ${secretQuestion}` }));
    const told = await kit.ask(user, { question: secretQuestion });

    expect(told).toMatchObject({ reason: 'MODEL_ERROR', text: '', ending: { turns: 1, usage: { totalTokens: 0 } } });
    expect(told.of('ErrorChunk')).toMatchObject([failed('UNAUTHORISED', false)]);
    expect(script.requests()).toHaveLength(1);
    expect(JSON.stringify(told.chunks)).not.toMatch(/the-key|strawberry/);
    expect(kit.logs.join()).not.toMatch(/the-key|strawberry/);
    await expectToGoOn(kit, user, told);
  });

  it('400: what it says is told, unless it repeats the question', async () => {
    kit.script(reply.error(400, { message: 'The parameter is out of order.' }));
    const plain = await kit.ask(user, { question: secretQuestion });
    kit.script(reply.error(400, { message: `Cannot parse: ${secretQuestion}` }));
    const echo = await kit.ask(user, { question: secretQuestion });

    expect(plain.of('ErrorChunk')[0]?.message).toContain('The parameter is out of order.');
    expect(echo.of('ErrorChunk')).toMatchObject([failed('MODEL_ERROR', false)]);
    expect(echo.of('ErrorChunk')[0]?.message).not.toContain('strawberry');
    expect(kit.logs.join()).not.toContain('strawberry');
  });

  it('429: waits as long as it was asked to, then gets its answer', async () => {
    const script = kit.script(reply.error(429, { headers: { 'retry-after': '1' } }), reply.text('Now then.'));
    const told = await kit.ask(user);

    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'Now then.', ending: { turns: 1 } });
    expect(script.requests()).toHaveLength(2);
  });

  it('500: tries again, and nobody hears of it', async () => {
    const script = kit.script(reply.error(500), reply.break(), reply.text('Third time lucky.'));
    const told = await kit.ask(user);

    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'Third time lucky.' });
    expect(script.requests()).toHaveLength(3);
    expect(new Set(script.requests().map(({ text }) => text)).size).toBe(1);
  });

  it('500 for ever: gives up after its tries', async () => {
    const script = kit.script().always(reply.error(500, { message: 'Out of order.' }));
    const told = await kit.ask(user);

    expect(told).toMatchObject({ reason: 'MODEL_ERROR', text: '' });
    expect(told.of('ErrorChunk')).toMatchObject([failed('UNAVAILABLE', true)]);
    expect(told.of('ErrorChunk')[0]?.message).toContain(`Tried ${script.requests().length} times`);
    expect(told.ending.message).toContain('Out of order.');
    await expectToGoOn(kit, user, told);
  });

  it.each<[string, Reply, object]>([
    ['hangs before its headers', reply.hang(), failed('TIMEOUT', true)],
    ['hangs after its headers', reply.stream([step.hang()]), failed('TIMEOUT', true)],
    ['sends broken JSON', reply.stream([step.event('{"choices": [')]), failed('BAD_RESPONSE', true)],
    ['sends a page instead of events', reply.stream([step.raw('<html>Welcome</html>')]), failed('BAD_RESPONSE', true)],
    [
      'reports an error inside a 200',
      reply.stream([step.error({ code: 400, message: 'No.' })]),
      failed('MODEL_ERROR', false),
    ],
    ['reports an error as its whole answer', reply.json({ error: { message: 'No.' } }), failed('MODEL_ERROR', false)],
    ['does not know the model', reply.error(404), failed('MODEL_ERROR', false)],
    [
      'finds the conversation too long',
      reply.error(400, { code: 'context_length_exceeded' }),
      failed('CONTEXT_TOO_LONG', false),
    ],
  ])('%s: MODEL_ERROR, one ErrorChunk, and the next question works', async (_what, entry, error) => {
    kit.script(entry);
    const told = await kit.ask(user);

    expect(told).toMatchObject({ reason: 'MODEL_ERROR', text: '' });
    expect(told.of('ErrorChunk')).toMatchObject([error]);
    expect(told.ending.message).toContain(told.of('ErrorChunk')[0]?.message.replace(/\.$/, ''));
    await expectToGoOn(kit, user, told);
  });
});

describe('a provider that fails in the middle of its answer', () => {
  it.each<[string, Reply, object]>([
    ['hangs', reply.stream([step.text('Half an '), step.text('answer'), step.hang()]), failed('TIMEOUT', true)],
    ['drops the connection', reply.stream([step.text('Half an answer'), step.break()]), failed('UNAVAILABLE', true)],
    [
      'sends broken JSON',
      reply.stream([step.text('Half an answer'), step.event('{nonsense')]),
      failed('BAD_RESPONSE', true),
    ],
    [
      'reports an error inside a 200',
      reply.stream([step.text('Half an answer'), step.error({ code: 502, message: 'Lost it.' }), step.done()]),
      failed('UNAVAILABLE', true),
    ],
    [
      'ends with the finish reason error',
      reply.stream([step.text('Half an answer'), ...closing('error')]),
      failed('MODEL_ERROR', true),
    ],
  ])('%s: MODEL_ERROR, one ErrorChunk, the text is kept, and the next question works', async (_what, entry, error) => {
    const script = kit.script(entry);
    const told = await kit.ask(user);

    expect(told).toMatchObject({ reason: 'MODEL_ERROR', text: 'Half an answer' });
    expect(told.of('ErrorChunk')).toMatchObject([error]);
    expect(script.requests()).toHaveLength(1);
    expect(told.ending.usage.outputTokens).toBeGreaterThan(0);
    await expectToGoOn(kit, user, told);
  });

  it('after tool calls: their results are kept, and the next question works', async () => {
    kit.script(calling('welcome', { text: 'Looking. ' }), reply.stream([step.text('I see'), step.break()]));
    const told = await kit.ask(user);

    expect(told).toMatchObject({ reason: 'MODEL_ERROR', text: 'Looking. I see', ending: { saved: { toolCalls: 1 } } });
    await expectToGoOn(kit, user, told);
  });

  it('calls of a reply that broke off are not made', async () => {
    const call = step.toolCall({ name: 'vault_search', arguments: { query: 'welcome' } });
    kit.script(reply.stream([call, step.break()]));
    const told = await kit.ask(user);

    expect(told.reason).toBe('MODEL_ERROR');
    expect(told.of('ToolCallChunk')).toEqual([]);
    await expectToGoOn(kit, user, told);
  });
});

describe('a provider that counts tokens beyond belief', () => {
  const absurd = { input: 3e9, output: 1e300, cached: 5e12, reasoning: 0.5 };

  it('gets its answer through, saved, with numbers that can be shown and are marked as a guess', async () => {
    kit.script(reply.text('Well?', { usage: absurd }));
    const told = await kit.ask(user);

    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'Well?', ending: { usage: { estimated: true } } });
    expect(told.ending.usage.inputTokens).toBe(10_000_000);
    await expectToGoOn(kit, user, told);
  });

  it('has spent the budget, although it wanted to go on', async () => {
    kit.script(calling('welcome', { text: 'Looking. ', usage: absurd })).always(reply.text('Enough.'));
    const told = await kit.ask(user);

    expect(told).toMatchObject({ reason: 'TOKEN_BUDGET', ending: { limitType: 'TOKENS' } });
    expect(told.text).toMatch(/^Looking\./);
    await expectToGoOn(kit, user, told);
  });
});

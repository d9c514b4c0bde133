import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { builtInTools } from '../../src/tools/built-in-tools.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { defineTool } from '../../src/tools/tool.ts';
import type { TestUser } from '../kit/kit.ts';
import { reply, step } from '../kit/model-replies.ts';
import { calling, messagesOf, type OracleKit, startOracleKit } from './kit/oracle-kit.ts';

let inFlight = 0;
let most = 0;
let meeting = Promise.withResolvers<void>();

/** Three of them come together or not at all. */
const meet = defineTool({
  name: 'meet',
  description: 'Waits until three are there.',
  input: z.object({ number: z.int() }),
  async run({ number }) {
    inFlight += 1;
    most = Math.max(most, inFlight);
    if (inFlight === 3) meeting.resolve();
    await meeting.promise;
    inFlight -= 1;
    return { number };
  },
});
const builtIn = builtInTools.names.flatMap((name) => builtInTools.find(name) ?? []);

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit({ tools: createToolRegistry([...builtIn, meet]) });
});
beforeEach(async () => {
  user = await kit.newUser();
  inFlight = 0;
  most = 0;
  meeting = Promise.withResolvers();
});
afterAll(() => kit.stop());

describe('end to end', () => {
  it('E2E-1, basic query: content is streamed, the exchange saved, the end told', async () => {
    const told = await kit.ask(user, { model: 'simulated/answer', question: 'Is anybody there?' });

    expect(told.reason).toBe('COMPLETED');
    expect(told.of('ContentChunk').length).toBeGreaterThan(3);
    expect(told.exchange).toMatchObject({ question: 'Is anybody there?', answer: told.text, partial: false });
    expect(told.text).toContain('Is anybody there?');
    expect(told.chunks.filter((chunk) => chunk.__typename.startsWith('Tool'))).toEqual([]);
  });

  it('E2E-2, single tool call: call, result and source are streamed, and the answer builds on them', async () => {
    const told = await kit.ask(user, { model: 'offline', question: 'What is said about caching?' });
    const calls = told.of('ToolCallChunk');
    const [result] = told.of('ToolResultChunk');
    const [source] = told.of('SourceChunk');

    expect(told.reason).toBe('COMPLETED');
    expect(calls[0]).toMatchObject({ name: 'vault_search', status: 'PENDING', turn: 1 });
    expect(calls[1]).toMatchObject({ callId: calls[0]?.callId, status: 'RUNNING' });
    expect(result).toMatchObject({ callId: calls[0]?.callId, name: 'vault_search', ok: true, error: null });
    expect(source).toMatchObject({ kind: 'VAULT', title: expect.any(String) });
    expect(told.of('SourceChunk').some(({ path }) => told.text.includes(path))).toBe(true);
    expect(told.ending.saved).toMatchObject({
      toolCalls: told.of('ToolResultChunk').length,
      sources: told.of('SourceChunk').length,
    });
  });

  it('E2E-2: thinking is streamed beside the answer and is no part of it', async () => {
    const told = await kit.ask(user, { model: 'simulated/think', question: 'What about caching?' });
    const thoughts = told
      .of('ThinkingChunk')
      .map(({ text }) => text)
      .join('');

    expect(told.reason).toBe('COMPLETED');
    expect(thoughts).toContain('I will search it first');
    expect(told.text).not.toContain('I will search it first');
    expect(told.ending.usage.reasoningTokens).toBeGreaterThan(0);
  });

  it('E2E-3, parallel tools: they run at the same time, no more than allowed, and answer in call order', async () => {
    const calls = [1, 2, 3, 4, 5].map((number) => ({ id: `call-${number}`, name: 'meet', arguments: { number } }));
    const script = kit.script(calling(calls), reply.text('All met.'));
    const told = await kit.ask(user, { config: { maxParallelTools: 3 } });
    const order = calls.map(({ id }) => id);
    const heard = script.requests()[1]?.body.messages.filter(({ role }) => role === 'tool');

    expect(most).toBe(3);
    expect(told.of('ToolResultChunk').map(({ callId, ok }) => [callId, ok])).toEqual(order.map((id) => [id, true]));
    expect(heard?.map((message) => message.tool_call_id)).toEqual(order);
    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'All met.' });
  });

  it('E2E-3: identical calls of a turn run once and share the result', async () => {
    const same = ['a', 'b', 'c'].map((id) => ({
      id,
      name: 'vault_write',
      arguments: { path: 'once.md', body: '# Once' },
    }));
    kit.script(calling(same), reply.text('Written.'));
    const told = await kit.ask(user, { config: { maxToolCallsPerTurn: 1 } });

    expect(told.of('ToolResultChunk').map(({ callId, ok }) => [callId, ok])).toEqual([
      ['a', true],
      ['b', true],
      ['c', true],
    ]);
    expect(told.of('ToolResultChunk').map(({ result }) => result)).toEqual(
      Array(3).fill(expect.objectContaining({ status: 'created' })),
    );
    expect(told.system('TOOL_LIMIT')).toEqual([]);
  });

  it('E2E-3: more calls than are run in a turn are said not to have been', async () => {
    const told = await kit.ask(user, { model: 'simulated/fan-out' });

    expect(told.reason).toBe('COMPLETED');
    expect(told.system('TOOL_LIMIT')).toHaveLength(1);
    expect(told.of('ToolCallChunk').filter(({ status }) => status === 'NOT_RUN').length).toBeGreaterThan(0);
  });

  it('E2E-4, streaming: a long answer comes in many pieces, with the state of the window, before the end', async () => {
    const told = await kit.ask(user, { model: 'simulated/long' });

    expect(told.reason).toBe('COMPLETED');
    expect(told.done.seq).toBeGreaterThan(200);
    expect(told.of('ContextChunk').length).toBeGreaterThanOrEqual(1);
    expect(told.of('ContextChunk').every(({ tokens, windowSize }) => tokens > 0 && tokens < windowSize)).toBe(true);
    expect(told.chunks.at(-1)).toBe(told.done);
  });

  it('E2E-5, iteration budget: warned two turns ahead, told to wrap up on the last, ended with the limit', async () => {
    const told = await kit.ask(user, { model: 'simulated/busy', config: { maxIterations: 3 } });
    const [warning, reached] = told.of('SystemChunk');

    expect(warning).toMatchObject({ systemType: 'LIMIT_WARNING', currentValue: 1, limitValue: 3 });
    expect(reached).toMatchObject({ systemType: 'LIMIT_REACHED', currentValue: 3, limitValue: 3 });
    expect(told).toMatchObject({ reason: 'MAX_ITERATIONS', exchange: { partial: true } });
    expect(told.text).toMatch(/There must be more to find\. \n\nStopped at the iteration limit/);
  });

  it('E2E-5: a model that heeds the last turn answers within the limit', async () => {
    const told = await kit.ask(user, { model: 'simulated/obliging', config: { maxIterations: 3 } });

    expect(told).toMatchObject({ reason: 'COMPLETED', ending: { turns: 3 } });
    expect(told.text).toContain('No tools are left to me');
  });

  it('E2E-6, token budget: warned, then the answer is cut at the budget and says so', async () => {
    const told = await kit.ask(user, { model: 'simulated/burn', config: { tokenBudget: 15_000 } });

    expect(told.system('LIMIT_WARNING')).toMatchObject([{ limitType: 'TOKENS', limitValue: 15_000 }]);
    expect(told.system('LIMIT_REACHED')).toMatchObject([{ limitType: 'TOKENS', limitValue: 15_000 }]);
    expect(told.ending).toMatchObject({ reason: 'TOKEN_BUDGET', limitType: 'TOKENS', limitValue: 15_000 });
    expect(told.text).toMatch(/^Tokens are spent on this sentence.*Stopped at the token budget/s);
  });

  it('E2E-6: each call is told how much it may still write', async () => {
    const script = kit.script(
      calling('one', { usage: { input: 2_000, output: 500 } }),
      reply.text('Two.', { usage: { input: 2_100, output: 10 } }),
    );
    await kit.ask(user, { config: { tokenBudget: 10_000 } });
    const [first = 0, second = 0] = script.requests().map(({ body }) => body.max_tokens);

    expect(first).toBeGreaterThan(5_000);
    expect(first).toBeLessThan(10_000);
    expect(second).toBeGreaterThan(4_000);
    expect(second).toBeLessThanOrEqual(10_000 - 2_500 - 2_000);
  });

  it('E2E-7, loop: the same call for ever ends as no progress, said to the person and, before, to the model', async () => {
    const told = await kit.ask(user, { model: 'simulated/loop' });

    expect(told).toMatchObject({ reason: 'NO_PROGRESS', ending: { turns: 3 } });
    expect(told.system('NO_PROGRESS')).toHaveLength(1);
  });

  it('E2E-7: two calls in turn, for ever, end as no progress too', async () => {
    const told = await kit.ask(user, { model: 'simulated/alternating' });

    expect(told.reason).toBe('NO_PROGRESS');
    expect(told.ending.turns).toBeLessThanOrEqual(6);
  });

  it('tools that always fail, and a provider that does, end as what they are', async () => {
    const [errors, failing] = await Promise.all([
      kit.ask(user, { model: 'simulated/errors' }),
      kit.ask(user, { model: 'simulated/failing' }),
    ]);

    expect(errors).toMatchObject({ reason: 'ERROR_LIMIT', ending: { turns: 3 } });
    expect(failing.reason).toBe('MODEL_ERROR');
    expect(failing.text).toContain('begins well');
  });

  it('E2E-8, cancelled in the middle of an answer: the end says so, and what was said is saved', async () => {
    kit.script(reply.stream([step.text('A long '), step.text('story'), step.hang()]));
    const stream = kit.open(user);
    const { runId } = await stream.until((chunk) => chunk.__typename === 'ContentChunk' && chunk.text === 'story');
    await kit.cancel(user, runId);
    const told = await kit.settle(user, stream);

    expect(told).toMatchObject({ reason: 'CANCELLED', exchange: { answer: 'A long story', partial: true } });
    expect(told.ending.nextActions.map(({ action }) => action)).toEqual(['CONTINUE', 'ANSWER_NOW', 'BRANCH']);
  });

  it('E2E-10, continuity: the second question knows of the first', async () => {
    kit.script(reply.text('My name is Oracle.'));
    const first = await kit.ask(user, { question: 'Who are you?' });
    const script = kit.script(reply.text('As I said.'));
    await kit.ask(user, { question: 'Again?', conversationId: first.conversationId });
    const [request] = script.requests();

    expect(request && messagesOf(request).slice(1)).toEqual([
      ['user', 'Who are you?'],
      ['assistant', 'My name is Oracle.'],
      ['user', 'Again?'],
    ]);
  });
});

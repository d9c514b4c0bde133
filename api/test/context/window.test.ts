import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { defineTool } from '../../src/tools/tool.ts';
import { reply } from '../kit/model-replies.ts';
import type { ModelServerRequest } from '../kit/model-server.ts';
import { calling, noticesOf, type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';

/** What every model has that nobody knows better. */
const windowSize = 64_000;
const roomy = { tokenBudget: 200_000 };
const quietly = { usage: 'none' } as const;

/** About so many tokens, as we and most providers count them. */
const words = (tokens: number) => 'word '.repeat(tokens);

const recite = defineTool({
  name: 'recite',
  description: 'Many words.',
  input: z.object({ n: z.int(), tokens: z.int() }),
  run: async ({ n, tokens }) => `Page ${n}: ${words(tokens)}`,
});

let kit: OracleKit;
beforeAll(async () => {
  kit = await startOracleKit({ tools: createToolRegistry([recite]) });
});
afterAll(() => kit.stop());

function questionsIn({ body }: ModelServerRequest): readonly (string | null)[] {
  return body.messages
    .filter(({ role, content }) => role === 'user' && !content?.startsWith('<notice>'))
    .map(({ content }) => content);
}

/** A conversation of so many exchanges, each with an answer of so many tokens. */
async function conversation(user: Parameters<OracleKit['ask']>[0], count: number, tokens: number): Promise<string> {
  kit.script().always(reply.text(words(tokens), quietly));
  let conversationId: string | undefined;
  for (let number = 1; number <= count; number += 1) {
    const asked = { question: `Question ${number}`, config: roomy, ...(conversationId ? { conversationId } : {}) };
    conversationId = (await kit.ask(user, asked)).conversationId;
  }
  return conversationId ?? '';
}

describe('a conversation that would overflow the window', () => {
  it('goes on with its newest exchanges, and says how many were left out', async () => {
    const user = await kit.newUser();
    const conversationId = await conversation(user, 5, 14_000);
    const script = kit.script(reply.text('Here you are.'));

    const told = await kit.ask(user, { question: 'And now?', conversationId, config: roomy });

    expect(told.reason).toBe('COMPLETED');
    const [request] = script.requests();
    if (!request) throw new Error('The model was not asked.');
    expect(questionsIn(request)).toEqual(['Question 3', 'Question 4', 'Question 5', 'And now?']);
    expect(told.system('NOTIFICATION')).toEqual([
      expect.objectContaining({
        severity: 'INFO',
        message: expect.stringMatching(/^2 earlier exchanges were left out: .*64,000/),
        limitType: 'CONTEXT',
        limitValue: windowSize,
        agent: null,
      }),
    ]);
    expect(noticesOf(request).join()).toContain('2 earlier exchanges were left out');
    // Nothing is lost for the person.
    const { conversation: whole } = await user.ask<{ conversation: { path: readonly object[] } }>(
      'query ($id: ID!) { conversation(id: $id) { path { id } } }',
      { id: conversationId },
    );
    expect(whole.path).toHaveLength(6);
  });

  it('is asked for no longer an answer than the window has room for', async () => {
    const user = await kit.newUser();
    const conversationId = await conversation(user, 2, 22_000);
    const script = kit.script(reply.text('Here you are.'));

    await kit.ask(user, { conversationId, config: roomy });

    const [request] = script.requests();
    expect(request?.body.max_tokens).toBeLessThan(windowSize - 44_000);
    expect(request?.body.max_tokens).toBeGreaterThan(5_000);
  });

  it('takes at most half of a smaller budget, so that a long conversation can go on', async () => {
    const user = await kit.newUser();
    const conversationId = await conversation(user, 3, 14_000);
    const script = kit.script(reply.text('Here you are.'));

    const told = await kit.ask(user, { question: 'And now?', conversationId, config: { tokenBudget: 40_000 } });

    expect(told.reason).toBe('COMPLETED');
    expect(script.requests().map(questionsIn)).toEqual([['Question 3', 'And now?']]);
    expect(told.system('NOTIFICATION')).toEqual([
      expect.objectContaining({ message: expect.stringContaining('budget'), limitType: 'TOKENS', limitValue: 40_000 }),
    ]);
  });
});

describe('a window that fills up', () => {
  it('is warned of once, from 70 %, and the model is told', async () => {
    const user = await kit.newUser();
    const conversationId = await conversation(user, 3, 14_000);
    const page = (n: number) => calling([{ name: 'recite', arguments: { n, tokens: 1_000 } }], quietly);
    const script = kit.script(page(1), page(2), reply.text('Done.', quietly));

    const told = await kit.ask(user, { conversationId, config: roomy });

    const [warning, ...others] = told.system('CONTEXT_WARNING');
    expect(others).toEqual([]);
    expect(warning).toMatchObject({ severity: 'WARNING', limitType: 'CONTEXT', limitValue: windowSize });
    expect(warning?.advice).not.toBe('');
    expect(warning?.currentValue).toBeGreaterThanOrEqual(windowSize * 0.7);
    expect(script.requests().map((request) => noticesOf(request).join().includes('window fills up'))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('is told as it moves, and not when it hardly does', async () => {
    const user = await kit.newUser();
    const page = (n: number, tokens: number) => calling([{ name: 'recite', arguments: { n, tokens } }], quietly);
    kit.script(page(1, 3_000), page(2, 10), page(3, 3_000), reply.text('Done.', quietly));

    const told = await kit.ask(user);

    const sizes = told.of('ContextChunk').map(({ tokens }) => tokens);
    expect(told.of('ContextChunk').every((chunk) => chunk.windowSize === windowSize)).toBe(true);
    expect(sizes.length).toBeGreaterThanOrEqual(2);
    for (const [index, size] of sizes.slice(1).entries()) {
      expect(Math.abs(size - (sizes[index] ?? 0))).toBeGreaterThanOrEqual(500);
    }
  });
});

describe('a run whose results outgrow the window', () => {
  it('sends the oldest shortened, with every call still answered, and says so', async () => {
    const user = await kit.newUser();
    const turn = (first: number) =>
      calling(
        [0, 1, 2, 3, 4].map((n) => ({
          id: `c${first + n}`,
          name: 'recite',
          arguments: { n: first + n, tokens: 2_800 },
        })),
        quietly,
      );
    const script = kit.script(turn(1), turn(6), turn(11), turn(16), reply.text('That was all.', quietly));

    const told = await kit.ask(user, { config: roomy });

    expect(told.reason).toBe('COMPLETED');
    const last = script.requests().at(-1);
    const results = last?.body.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(results.map((message) => message['tool_call_id'])).toEqual(
      Array.from({ length: 20 }, (_, index) => `c${index + 1}`),
    );
    expect(results[0]?.content).toMatch(/^Page 1: .*left out for lack of room/s);
    expect(results[0]?.content?.length).toBeLessThan(400);
    expect(results.at(-1)?.content?.length).toBeGreaterThan(10_000);
    expect(told.system('NOTIFICATION').map(({ message }) => message)).toEqual([
      expect.stringMatching(/^\d+ tool results were shortened: /),
    ]);
    // What is saved and shown is whole.
    expect(told.of('ToolResultChunk').map(({ result }) => String(result).length > 10_000)).not.toContain(false);
  });
});

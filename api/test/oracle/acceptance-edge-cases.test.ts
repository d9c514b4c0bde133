import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { builtInTools } from '../../src/tools/built-in-tools.ts';
import type { TestUser } from '../kit/kit.ts';
import { closing, reply, step } from '../kit/model-replies.ts';
import { createGate } from '../kit/model-server.ts';
import { calling, type OracleKit, searching, startOracleKit } from './kit/oracle-kit.ts';

const allTools = builtInTools.names.length;

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit();
});
beforeEach(async () => {
  user = await kit.newUser();
});
afterAll(() => kit.stop());

describe('edge cases of limits', () => {
  it('EC-1: with one iteration, tools are offered and run, what was said is saved, and the end is explained', async () => {
    const script = kit.script(calling('the only one', { text: 'One look: ' }));
    const told = await kit.ask(user, { config: { maxIterations: 1 } });

    expect(script.requests().map(({ body }) => body.tools?.length)).toEqual([allTools]);
    expect(told.of('ToolResultChunk')).toHaveLength(1);
    expect(told.system('LIMIT_WARNING')).toEqual([]);
    expect(told.ending).toMatchObject({ reason: 'MAX_ITERATIONS', usedValue: 1, limitValue: 1 });
    expect(told.text).toMatch(/^One look: \n\nStopped at the iteration limit: 1 of 1 turns used\./);
  });

  it('EC-1: with one iteration, an answer is an answer', async () => {
    kit.script(reply.text('At once.'));

    expect(await kit.ask(user, { config: { maxIterations: 1 } })).toMatchObject({
      reason: 'COMPLETED',
      text: 'At once.',
    });
  });

  it('EC-2: over the token budget in the middle of an answer, the chunk in hand is the last, and all of it is kept', async () => {
    const sentence = 'This sentence will be said far too often for the budget that was given to it. ';
    const script = kit.script(reply.stream([...Array.from({ length: 400 }, () => step.text(sentence)), step.hang()]));
    const told = await kit.ask(user, { config: { tokenBudget: 2_000 } });
    await (await script.request(1)).closed;
    const [answer = '', explanation] = told.text.split('\n\n');

    expect(told.ending).toMatchObject({ reason: 'TOKEN_BUDGET', limitType: 'TOKENS', limitValue: 2_000 });
    expect(told.ending.usage.estimated).toBe(true);
    expect(told.ending.usedValue).toBe(told.ending.usage.totalTokens);
    expect(answer).toBe(sentence.repeat(answer.length / sentence.length));
    expect(answer.length).toBeGreaterThan(sentence.length);
    expect(explanation).toMatch(/^Stopped at the token budget/);
  });

  it('EC-2: a call that cannot fit is not made, and what it would have taken is said', async () => {
    const script = kit.script();
    const told = await kit.ask(user, { question: 'word '.repeat(3_000), config: { tokenBudget: 1_000 } });

    expect(script.requests()).toEqual([]);
    expect(told.ending).toMatchObject({ reason: 'TOKEN_BUDGET', usedValue: 0, limitValue: 1_000, turns: 0 });
    expect(told.text).toMatch(/would have taken at least [\d, ]+ more/);
  });

  it('EC-3: cancelling goes before a notice that is due', async () => {
    const gate = createGate();
    const script = kit.script(
      reply.stream([step.text('Looking. '), step.wait(gate.opened), ...calling('one').slice(1)]),
    );
    const stream = kit.open(user, { config: { maxIterations: 3 } });
    await stream.until((chunk) => chunk.__typename === 'ContentChunk');
    const ended = await kit.cancel(user, stream.chunks[0]?.runId ?? '');
    gate.open();
    const told = await kit.settle(user, stream);

    expect(ended).toBe(true);
    expect(told).toMatchObject({ reason: 'CANCELLED', text: 'Looking. ' });
    expect(told.system('LIMIT_WARNING')).toEqual([]);
    expect(script.requests()).toHaveLength(1);
  });

  it('EC-3: cancelling right after the notice ends the run just so, and the notice stays', async () => {
    kit.script(calling('one'), reply.hang());
    const stream = kit.open(user, { config: { maxIterations: 3 } });
    const { runId } = await stream.until((chunk) => chunk.__typename === 'SystemChunk');
    await kit.cancel(user, runId);
    const told = await kit.settle(user, stream);

    expect(told.reason).toBe('CANCELLED');
    expect(told.system('LIMIT_WARNING')).toHaveLength(1);
  });

  it('EC-4: of limits that conflict, the one that is hit first wins', async () => {
    const dear = { usage: { input: 9_000, output: 900 } };
    kit.script(calling('dear', dear));
    const tokens = await kit.ask(user, { config: { maxIterations: 50, tokenBudget: 10_000, timeoutSeconds: 10 } });
    kit.script().always(searching);
    const turns = await kit.ask(user, { config: { maxIterations: 2, tokenBudget: 200_000, timeoutSeconds: 600 } });

    expect(tokens.ending).toMatchObject({ reason: 'TOKEN_BUDGET', usedValue: 9_900, limitValue: 10_000, turns: 1 });
    expect(turns.reason).toBe('MAX_ITERATIONS');
  });

  it('EC-5: a connection that drops during a limit notice loses nothing', async () => {
    const gate = createGate();
    kit.script(
      calling('one', { text: 'Before. ' }),
      reply.stream([step.wait(gate.opened), step.text('After the drop. '), ...closing('stop')]),
    );
    const dropped = kit.open(user, { config: { maxIterations: 3 } });
    const notice = await dropped.until((chunk) => chunk.__typename === 'SystemChunk');
    await dropped.stop();
    gate.open();
    const rest = await kit.follow(user, notice.runId, notice.seq).toEnd();
    const whole = { ...dropped, toEnd: async () => [...dropped.chunks, ...rest] };

    expect(await kit.settle(user, whole)).toMatchObject({ reason: 'COMPLETED', text: 'Before. After the drop. ' });
  });

  it('EC-6: without any content, the explanation says what was attempted', async () => {
    kit.script().always(calling('the same'));
    const told = await kit.ask(user);

    expect(told.reason).toBe('NO_PROGRESS');
    expect(told.text).toMatch(/^There is no answer yet\. Stopped because nothing new came of it/);
    expect(told.text).toContain('vault_search:{"query":"the same"}');
    expect(told.text).toMatch(/Tried: 3 tool calls/);
  });
});

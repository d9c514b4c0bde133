import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { builtInTools } from '../../src/tools/built-in-tools.ts';
import type { TestUser } from '../kit/kit.ts';
import { overSse } from '../kit/live.ts';
import { reply, step } from '../kit/model-replies.ts';
import { createGate } from '../kit/model-server.ts';
import { calling, messagesOf, noticesOf, type OracleKit, searching, startOracleKit } from './kit/oracle-kit.ts';

const allTools = builtInTools.names.length;

const update = `mutation ($input: UpdateAgentConfigInput!) { updateAgentConfig(input: $input) {
  __typename ... on InvalidAgentConfig { problems { field min max } }
} }`;

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit();
});
beforeEach(async () => {
  user = await kit.newUser();
});
afterAll(() => kit.stop());

describe('configure agent behaviour', () => {
  it('FR-001: a query of somebody who configured nothing runs under the defaults', async () => {
    kit.script(reply.text('Hello.'));
    const { run } = await kit.ask(user);

    expect(run.config).toEqual({
      maxIterations: 15,
      softWarningPercent: 70,
      tokenBudget: 50_000,
      tokenWarningPercent: 80,
      timeoutSeconds: 120,
      maxToolCallsPerTurn: 5,
      maxParallelTools: 3,
    });
  });

  it('US1.2, FR-002: configured limits hold for the next query, also from another session', async () => {
    await user.ask(update, { input: { maxIterations: 4, maxToolCallsPerTurn: 1 } });
    const script = kit.script().always(searching);
    const four = await kit.ask(user);
    const turns = script.requests().length;
    const { issueToken } = await user.ask<{ issueToken: { id: string; token: string } }>(
      'mutation { issueToken(input: { name: "another session" }) { ... on IssuedToken { id token } } }',
    );
    const elsewhere = { ...user, ...kit.as(issueToken.token), token: issueToken.token, tokenId: issueToken.id };
    const again = await kit.ask(elsewhere);
    await user.ask(update, { input: { maxIterations: 2 } });
    const two = await kit.ask(user);

    expect(turns).toBe(4);
    for (const told of [four, again]) {
      expect(told.ending).toMatchObject({ reason: 'MAX_ITERATIONS', usedValue: 4, limitValue: 4, turns: 4 });
      expect(told.run.config).toMatchObject({ maxIterations: 4, maxToolCallsPerTurn: 1 });
    }
    expect(two.ending).toMatchObject({ reason: 'MAX_ITERATIONS', usedValue: 2, limitValue: 2 });
  });

  it('US1.2: a change during a query does not touch that query', async () => {
    const gate = createGate();
    const script = kit.script(reply.stream([step.wait(gate.opened), ...calling('first').slice(1)])).always(searching);
    const stream = kit.open(user, { config: { maxIterations: 3 } });
    await script.request(1);
    await user.ask(update, { input: { maxIterations: 1 } });
    gate.open();

    expect((await kit.settle(user, stream)).ending).toMatchObject({ reason: 'MAX_ITERATIONS', limitValue: 3 });
  });

  it('US1.3, FR-003: what is out of bounds is refused with its bounds, and the old limits stay', async () => {
    await user.ask(update, { input: { maxIterations: 2 } });
    const refused = await user.ask(update, { input: { maxIterations: 0 } });
    kit.script().always(searching);
    const { ending } = await kit.ask(user);

    expect(refused).toEqual({
      updateAgentConfig: {
        __typename: 'InvalidAgentConfig',
        problems: [{ field: 'maxIterations', min: 1, max: 50 }],
      },
    });
    expect(ending).toMatchObject({ reason: 'MAX_ITERATIONS', limitValue: 2 });
  });

  it('takes limits for one query, which the next one does not have', async () => {
    kit.script().always(searching);
    const { ending, run } = await kit.ask(user, { config: { maxIterations: 2, maxParallelTools: 1 } });
    kit.script(reply.text('Done.'));
    const next = await kit.ask(user);

    expect(ending).toMatchObject({ reason: 'MAX_ITERATIONS', limitValue: 2 });
    expect(run.config).toMatchObject({ maxIterations: 2, maxParallelTools: 1, tokenBudget: 50_000 });
    expect(next.run.config).toMatchObject({ maxIterations: 15, maxParallelTools: 3 });
  });
});

describe('graceful limit notifications', () => {
  it('US2.1, FR-009, FR-011, SC-003: after 7 of 10 turns the person is warned and the model gets a hint, once', async () => {
    const script = kit.script().always(searching);
    const told = await kit.ask(user, { config: { maxIterations: 10 } });
    const [warning, ...more] = told.system('LIMIT_WARNING');
    const hinted = script.requests().map((request) => noticesOf(request).some((it) => it.includes('Approaching')));
    const calls = told.of('ToolCallChunk').filter(({ status }) => status === 'PENDING');

    expect(warning).toMatchObject({
      severity: 'WARNING',
      message: 'Approaching iteration limit (7/10)',
      limitType: 'ITERATIONS',
      currentValue: 7,
      limitValue: 10,
      advice: expect.stringContaining('wrapped up'),
    });
    expect(more).toEqual([]);
    expect(calls.filter(({ seq }) => seq < (warning?.seq ?? 0))).toHaveLength(7);
    expect(hinted).toEqual([...Array(7).fill(false), true, false, false]);
  });

  it('FR-009: hints are part of one request, never of the conversation', async () => {
    const script = kit.script().always(searching);
    const limited = await kit.ask(user, { config: { maxIterations: 3 } });
    const noticed = script.requests().map((request) => noticesOf(request).length);
    const next = kit.script(reply.text('Yes.'));
    const told = await kit.ask(user, { conversationId: limited.conversationId });
    const [request] = next.requests();

    expect(noticed).toEqual([0, 1, 1]);
    expect(request && noticesOf(request)).toEqual([]);
    expect(request?.text).not.toContain('Approaching');
    expect(limited.exchange.answer).not.toContain('Approaching');
    expect(told.reason).toBe('COMPLETED');
  });

  it('US2.2, FR-011: at 80 % of the token budget the person is told how much is used, once', async () => {
    const dear = { usage: { input: 3_000, output: 1_000 } };
    const script = kit.script(calling('one', dear), calling('two', dear), reply.text('Enough.', dear));
    const told = await kit.ask(user, { config: { tokenBudget: 13_000 } });
    const warnings = told.system('LIMIT_WARNING');

    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({ severity: 'WARNING', limitType: 'TOKENS', limitValue: 13_000 });
    expect(warnings[0]?.message).toMatch(/^Approaching token budget \([\d, ]+\/13[, ]?000\)$/);
    expect(warnings[0]?.currentValue).toBeGreaterThanOrEqual(13_000 * 0.8);
    expect(warnings[0]?.currentValue).toBeLessThan(13_000);
    expect(script.requests().map((request) => noticesOf(request).join().includes('token budget'))).toEqual([
      false,
      false,
      true,
    ]);
    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'Enough.' });
    expect(told.ending.usage).toMatchObject({ inputTokens: 9_000, outputTokens: 3_000, estimated: false });
  });

  it('US2.3, FR-005, FR-007: at the iteration limit the answer closes with an explanation and is saved', async () => {
    kit.script(
      calling('one', { text: 'First I look. ' }),
      calling('two', { text: 'Then again. ' }),
      calling('three', { text: 'And again. ' }),
    );
    const told = await kit.ask(user, { config: { maxIterations: 3 } });
    const [reached] = told.system('LIMIT_REACHED');

    expect(told.ending).toMatchObject({
      reason: 'MAX_ITERATIONS',
      limitType: 'ITERATIONS',
      usedValue: 3,
      limitValue: 3,
    });
    expect(reached).toMatchObject({ severity: 'ERROR', limitType: 'ITERATIONS', currentValue: 3, limitValue: 3 });
    expect(told.exchange.answer).toMatch(/^First I look\. Then again\. And again\. \n\n/);
    expect(told.exchange.answer).toContain('3 of 3 turns used');
    expect(told.exchange.answer).toContain('vault_search');
    expect(told.ending.nextActions.map(({ action }) => action)).toContain('CONTINUE');
    expect(told.ending.saved).toMatchObject({ toolCalls: 3 });
  });

  it('the last allowed turn is for the answer: the model is told, and no tools are offered', async () => {
    const script = kit.script(calling('one'), calling('two'), reply.text('In short: nothing.'));
    const told = await kit.ask(user, { config: { maxIterations: 3 } });
    const requests = script.requests();

    expect(requests.map(({ body }) => body.tools?.length ?? 0)).toEqual([allTools, allTools, 0]);
    expect(requests.map(({ body }) => body.tool_choice)).toEqual(['auto', 'auto', undefined]);
    expect(requests.map((request) => noticesOf(request).join().includes('last turn'))).toEqual([false, false, true]);
    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'In short: nothing.' });
  });

  it('the last call that the token budget holds is for the answer as well', async () => {
    const script = kit.script(calling('one', { usage: { input: 4_000, output: 500 } }), reply.text('So be it.'));
    const told = await kit.ask(user, { config: { tokenBudget: 10_000 } });

    expect(script.requests().map(({ body }) => body.tools?.length ?? 0)).toEqual([allTools, 0]);
    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'So be it.' });
  });

  it('calls past the limit of a turn are answered "not run", and the person is told', async () => {
    const calls = ['a', 'b', 'c'].map((letter, index) => ({
      id: `call-${letter}`,
      name: 'vault_search',
      arguments: { query: `topic ${index}` },
    }));
    const script = kit.script(calling(calls), reply.text('Fine.'));
    const told = await kit.ask(user, { config: { maxToolCallsPerTurn: 2 } });
    const [limit] = told.system('TOOL_LIMIT');
    const answers = script.requests()[1]?.body.messages.filter(({ role }) => role === 'tool');

    expect(limit).toMatchObject({ severity: 'WARNING', limitType: 'TOOL_CALLS', currentValue: 3, limitValue: 2 });
    expect(told.of('ToolResultChunk').map(({ callId, ok }) => [callId, ok])).toEqual([
      ['call-a', true],
      ['call-b', true],
    ]);
    expect(told.of('ToolCallChunk').find(({ status }) => status === 'NOT_RUN')).toMatchObject({ callId: 'call-c' });
    expect(answers?.map((answer) => answer.tool_call_id)).toEqual(['call-a', 'call-b', 'call-c']);
    expect(answers?.[2]?.content).toMatch(/^Not run: at most 2 tool calls per turn/);
  });

  it('US5.1, FR-008: system messages are chunks of their own, over server-sent events too', async () => {
    kit.script().always(searching);
    const told = await kit.ask(user, { config: { maxIterations: 3 } }, overSse);

    expect(told.of('SystemChunk').map(({ systemType, severity }) => [systemType, severity])).toEqual([
      ['LIMIT_WARNING', 'WARNING'],
      ['LIMIT_REACHED', 'ERROR'],
    ]);
  });

  it('US5.2: all system messages of a run are there when it is viewed again, in their places', async () => {
    kit.script().always(searching);
    const told = await kit.ask(user, { config: { maxIterations: 3, tokenBudget: 5_000, tokenWarningPercent: 50 } });
    const again = await kit.follow(user, told.runId).toEnd();
    const system = again.filter((chunk) => chunk.__typename === 'SystemChunk');

    expect(system).toEqual(told.of('SystemChunk'));
    expect(system.length).toBeGreaterThanOrEqual(2);
  });
});

describe('what the model is sent', () => {
  it('is the instructions and the question, then each turn with its results', async () => {
    const script = kit.script(calling('welcome', { text: 'Let me look.' }), reply.text('There.'));
    await kit.ask(user, { question: 'Who is there?' });
    const [first, second] = script.requests();

    expect(first && messagesOf(first)).toEqual([
      ['system', expect.stringContaining('Oracle')],
      ['user', 'Who is there?'],
    ]);
    expect(second && messagesOf(second)).toEqual([
      ['system', expect.any(String)],
      ['user', 'Who is there?'],
      ['assistant', 'Let me look.'],
      ['tool', expect.any(String)],
    ]);
  });
});

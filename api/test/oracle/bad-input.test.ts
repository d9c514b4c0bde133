import { randomUUID } from 'node:crypto';
import { estimateTokenCount } from 'tokenx';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { builtInTools } from '../../src/tools/built-in-tools.ts';
import { codesOf } from '../kit/client.ts';
import type { Answer, TestUser } from '../kit/kit.ts';
import { type Transport, transports } from '../kit/live.ts';
import { reply } from '../kit/model-replies.ts';
import { oracleQuery, oracleRun } from './kit/chunks.ts';
import { messagesOf, type OracleKit, startOracleKit } from './kit/oracle-kit.ts';
import type { Asked } from './kit/stream.ts';

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit();
});
beforeEach(async () => {
  user = await kit.newUser();
});
afterAll(() => kit.stop());

const nul = String.fromCharCode(0);
const half = String.fromCharCode(0xd83d);

/** What a question that should be refused is answered with. */
async function refusal(
  asked: Asked,
  transport: Transport = transports[0][1],
  token = user.token,
): Promise<Answer<unknown>> {
  const live = transport({ url: kit.url, token }, oracleQuery, { input: { question: 'Anybody there?', ...asked } });
  const answer = await live.next();
  await live.stop();
  if (!answer?.errors) throw new Error(`Not refused: ${JSON.stringify(answer)}`);
  return answer;
}

async function runsOf(person: TestUser): Promise<number> {
  return (await person.ask<{ runs: { totalCount: number } }>('{ runs { totalCount } }')).runs.totalCount;
}

describe.each(transports)('a question, over %s,', (_name, transport) => {
  it.each([
    ['empty', ''],
    ['blank', ' \n\t '],
    ['nothing but NULs', nul.repeat(3)],
    ['32 001 characters long', 'a'.repeat(32_001)],
  ])('that is %s is refused before a run exists', async (_kind, question) => {
    const answer = await refusal({ question }, transport);

    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
    expect(answer.errors?.[0]?.message).toMatch(/empty|at most 32000 characters/);
    expect(await runsOf(user)).toBe(0);
  });

  it('of 32 000 characters is answered', async () => {
    const question = 'é'.repeat(32_000);
    const script = kit.script(reply.text('Long.'));
    const told = await kit.ask(user, { question }, transport);

    expect(told).toMatchObject({ reason: 'COMPLETED', run: { question } });
    expect(script.requests()[0]?.body.messages.at(-1)?.content).toBe(question);
  });

  it('with NUL and half a surrogate pair is mended, saved and answered', async () => {
    const script = kit.script(reply.text('Mended.'));
    const told = await kit.ask(user, { question: `What${nul} is ${half} this 😀?` }, transport);

    expect(told).toMatchObject({ reason: 'COMPLETED', run: { question: 'What is \ufffd this 😀?' } });
    expect(script.requests()[0]?.body.messages.at(-1)?.content).toBe('What is \ufffd this 😀?');
  });
});

describe('what does not exist', () => {
  it.each<[string, Asked, string]>([
    ['model', { model: 'nothing/like-it' }, 'BAD_USER_INPUT'],
    ['provider that is not switched on', { model: 'anthropic/claude' }, 'BAD_USER_INPUT'],
    ['model whose id holds a NUL', { model: `openai/scripted${nul}` }, 'BAD_USER_INPUT'],
    ['model whose id is not well formed', { model: `openai/${half}` }, 'BAD_USER_INPUT'],
    ['model whose id is endless', { model: `openai/${'x'.repeat(10_000)}` }, 'BAD_USER_INPUT'],
    ['decision tree', { decisionTree: 'nothing-like-it' }, 'BAD_USER_INPUT'],
    ['conversation', { conversationId: randomUUID() }, 'NOT_FOUND'],
    ['conversation that is no id', { conversationId: "x' or true --" }, 'NOT_FOUND'],
    ['project', { projectId: randomUUID() }, 'NOT_FOUND'],
    ['project that is no id', { projectId: '42' }, 'NOT_FOUND'],
    ['node', { nodeId: randomUUID() }, 'NOT_FOUND'],
    ['node that is no id', { nodeId: '42' }, 'NOT_FOUND'],
  ])('an unknown %s is refused before a run exists', async (_what, asked, code) => {
    const script = kit.script();

    expect(codesOf(await refusal(asked))).toEqual([code]);
    expect(await runsOf(user)).toBe(0);
    expect(script.requests()).toEqual([]);
  });

  it('an unknown model or tree is told which there are', async () => {
    const [model, tree] = await Promise.all([refusal({ model: 'gpt-9' }), refusal({ decisionTree: 'oak' })]);

    expect(model.errors?.[0]?.message).toMatch(/"gpt-9".*offline.*simulated\/answer/);
    expect(tree.errors?.[0]?.message).toMatch(/"oak".*default.*research/);
  });

  it('a node of another conversation is no node of this one', async () => {
    kit.script().always(reply.text('Yes.'));
    const one = await kit.ask(user);
    const other = await kit.ask(user);

    expect(codesOf(await refusal({ conversationId: one.conversationId, nodeId: other.nodeId }))).toEqual(['NOT_FOUND']);
  });

  it('what belongs to somebody else is refused with the very same words as what does not exist', async () => {
    kit.script(reply.text('Mine.'));
    const { runId, conversationId, nodeId } = await kit.ask(user);
    const { projects } = await user.ask<{ projects: { id: string }[] }>('{ projects { id } }');
    const stranger = await kit.newUser();
    const asStranger = (asked: Asked) => refusal(asked, transports[0][1], stranger.token);
    const follow = async (id: string) => {
      const live = transports[0][1]({ url: kit.url, token: stranger.token }, oracleRun, { runId: id });
      const answer = await live.next();
      await live.stop();
      return answer;
    };
    const cancel = (id: string) => stranger.query('mutation ($id: ID!) { cancelRun(runId: $id) }', { id });
    const look = (query: string, id: string) =>
      stranger.query(`query ($id: ID!) { it: ${query}(id: $id) { id } }`, { id });
    const nobody = randomUUID();

    expect(projects).toHaveLength(1);
    expect(await asStranger({ conversationId })).toEqual(await asStranger({ conversationId: nobody }));
    expect(await asStranger({ nodeId })).toEqual(await asStranger({ nodeId: nobody }));
    expect(await asStranger({ projectId: projects[0]?.id ?? '' })).toEqual(await asStranger({ projectId: nobody }));
    expect(await follow(runId)).toEqual(await follow(nobody));
    expect(await cancel(runId)).toEqual(await cancel(nobody));
    expect(codesOf(await cancel(runId))).toEqual(['NOT_FOUND']);
    expect(await look('run', runId)).toEqual({ data: { it: null } });
    expect(await look('conversation', conversationId)).toEqual({ data: { it: null } });
    expect(await runsOf(stranger)).toBe(0);
  });
});

describe('limits for one query', () => {
  it('FR-003: are refused with every bad field, its value and its bounds', async () => {
    const answer = await refusal({
      config: {
        maxIterations: 0,
        softWarningPercent: 91,
        tokenBudget: 999,
        tokenWarningPercent: 96,
        timeoutSeconds: 601,
        maxToolCallsPerTurn: 21,
        maxParallelTools: 11,
      },
    });

    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
    expect(answer.errors?.[0]?.extensions?.problems).toMatchObject([
      { field: 'maxIterations', value: 0, min: 1, max: 50 },
      { field: 'softWarningPercent', value: 91, min: 50, max: 90 },
      { field: 'tokenBudget', value: 999, min: 1_000, max: 200_000 },
      { field: 'tokenWarningPercent', value: 96, min: 50, max: 95 },
      { field: 'timeoutSeconds', value: 601, min: 10, max: 600 },
      { field: 'maxToolCallsPerTurn', value: 21, min: 1, max: 20 },
      { field: 'maxParallelTools', value: 11, min: 1, max: 10 },
    ]);
    expect(await runsOf(user)).toBe(0);
  });

  it('never exceed a ceiling of the organisation', async () => {
    const ceiling = (maxIterations: number | null) =>
      kit.admin.ask(
        'mutation ($input: UpdateOrganisationConfigInput!) { updateOrganisationConfig(input: $input) { __typename } }',
        { input: { ceilings: { maxIterations } } },
      );
    await ceiling(2);
    kit.script(reply.text('Short.'));
    const told = await kit.ask(user, { config: { maxIterations: 40 } });
    await ceiling(null);

    expect(told.run.config.maxIterations).toBe(2);
  });
});

describe('the fixed part of the prompt', () => {
  it('instructions and all built-in tools together take less than 1 500 tokens', async () => {
    const script = kit.script(reply.text('Cheap.'));
    await kit.ask(user, { question: '?' });
    const [request] = script.requests();
    const instructions = request ? messagesOf(request).filter(([role]) => role === 'system') : [];
    const tools = request?.body.tools ?? [];

    expect(instructions).toHaveLength(1);
    expect(tools).toHaveLength(builtInTools.names.length);
    expect(estimateTokenCount(JSON.stringify({ instructions, tools }))).toBeLessThan(1_500);
  });

  it('leaves room for a short answer even in the smallest budget', async () => {
    kit.script(reply.text('Yes.', { usage: { input: 700, output: 2 } }));

    expect(await kit.ask(user, { question: 'Is it so?', config: { tokenBudget: 1_000 } })).toMatchObject({
      reason: 'COMPLETED',
      text: 'Yes.',
    });
  });
});

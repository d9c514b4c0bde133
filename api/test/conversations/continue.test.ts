import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { overWebSocket, transports } from '../kit/live.ts';
import { reply, step } from '../kit/model-replies.ts';
import { calling, type OracleKit, searching, startOracleKit } from '../oracle/kit/oracle-kit.ts';
import { readConversation, type Told } from '../oracle/kit/told.ts';
import { asks, does, type ExchangeView } from './conversation-kit.ts';
import { callIdsIn, type GoingOn, goOn, toldTo } from './go-on-kit.ts';

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit();
});
beforeEach(async () => {
  user = await kit.newUser();
});
afterAll(() => kit.stop());

type How = 'continueRun' | 'answerNow';
const begin = (how: How, input: GoingOn, transport = overWebSocket) =>
  goOn(how, { url: kit.url, user, transport }, input);
const going = async (how: How, input: GoingOn, transport = overWebSocket) =>
  kit.settle(user, begin(how, input, transport));
const refusalOf = (how: How, input: GoingOn) => begin(how, input).next().catch(String);

const searched = (query: string) => `vault_search ${JSON.stringify({ query })}`;
const notice = ['user', expect.stringMatching(/^<notice>.*Go on from there.*<\/notice>$/s)];

/** Two searches with a few words before each, a third that is no longer allowed, and then the limit. */
async function limited(question = 'one', from: { conversationId?: string } = {}): Promise<Told> {
  kit.script(calling('alpha', { text: 'First, ' }), calling('beta', { text: 'then ' })).always(searching);
  return kit.ask(user, { question, ...from, config: { maxIterations: 3 } });
}

const found = [
  ['user', 'one'],
  ['assistant', 'First, ', searched('alpha')],
  ['tool', expect.stringContaining('hits')],
  ['assistant', 'then ', searched('beta')],
  ['tool', expect.stringContaining('hits')],
];

describe('continuing a run that a limit ended', () => {
  it.each(transports)('goes on with what it wrote and found, over %s', async (_name, transport) => {
    const first = await limited();
    const script = kit.script(calling('gamma', { text: 'Lastly, ' }), reply.text('done.'));
    const told = await going('continueRun', { runId: first.runId }, transport);
    const [request, second] = script.requests();
    const exchange = await does<ExchangeView>(user, 'exchange', { id: told.nodeId });

    expect(first).toMatchObject({ reason: 'MAX_ITERATIONS', text: expect.stringContaining('3 of 3 turns used') });
    expect(request && toldTo(request)).toEqual([...found, notice]);
    expect(request?.body.tools).not.toHaveLength(0);
    expect(second && toldTo(second).slice(6)).toEqual([
      ['assistant', 'Lastly, ', searched('gamma')],
      ['tool', expect.any(String)],
    ]);
    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'Lastly, done.', conversationId: first.conversationId });
    expect(told.run).toMatchObject({ question: 'one', decisionTree: 'default', config: { maxIterations: 10 } });
    expect(exchange).toMatchObject({ parentId: first.nodeId, kind: 'CONTINUE', question: 'one' });
  });

  it('is one question with one answer to whoever asks next', async () => {
    const before = await asks(kit, user, 'zero');
    const { runId, conversationId } = await limited('one', { conversationId: before.conversationId });
    kit.script(reply.text('found it.'));
    await going('continueRun', { runId });
    const script = kit.script(reply.text('Fine.'));
    await kit.ask(user, { question: 'two', conversationId });
    const [request] = script.requests();

    expect(request && toldTo(request)).toEqual([
      ['user', 'zero'],
      ['assistant', 'Answer to zero'],
      ['user', 'one'],
      ['assistant', 'First, then \n\nfound it.'],
      ['user', 'two'],
    ]);
  });

  it('can be done again and again: everything found on the way is there, each call with its result', async () => {
    const first = await limited();
    kit.script(calling('gamma'), calling('delta')).always(searching);
    const second = await going('continueRun', { runId: first.runId, turns: 2 });
    const script = kit.script(calling('epsilon'), reply.text('At last.'));
    const third = await going('continueRun', { runId: second.runId });
    const [request, last] = script.requests();
    const { path } = await readConversation(user, first.conversationId);

    expect(second).toMatchObject({ reason: 'MAX_ITERATIONS', run: { config: { maxIterations: 2 } } });
    expect(request && toldTo(request)).toEqual([
      ...found,
      ['assistant', '', searched('gamma')],
      ['tool', expect.any(String)],
      notice,
    ]);
    for (const sent of [request, last]) {
      const { calls, results } = sent ? callIdsIn(sent) : { calls: [], results: [] };
      expect(results).toEqual(calls);
      expect(new Set(calls).size).toBe(calls.length);
    }
    expect(third).toMatchObject({ reason: 'COMPLETED', text: 'At last.' });
    expect(path.map(({ id }) => id)).toEqual([first, second, third].map(({ nodeId }) => nodeId));
  });

  it('twice from the same place makes two branches', async () => {
    const { runId, nodeId } = await limited();
    kit.script(reply.text('This way.'));
    const one = await going('continueRun', { runId });
    const script = kit.script(reply.text('That way.'));
    const other = await going('continueRun', { runId });
    const [request] = script.requests();

    expect([one.exchange.parentId, other.exchange.parentId]).toEqual([nodeId, nodeId]);
    expect(request && toldTo(request)).toEqual([...found, notice]);
  });

  it('from an exchange that is no longer HEAD makes a branch there', async () => {
    const { runId, nodeId, conversationId } = await limited();
    const next = await asks(kit, user, 'something else', { conversationId });
    const script = kit.script(reply.text('Back to it.'));
    const told = await going('continueRun', { runId });
    const [request] = script.requests();

    expect(next.exchange.parentId).toBe(nodeId);
    expect(told.exchange.parentId).toBe(nodeId);
    expect(request && toldTo(request)).toEqual([...found, notice]);
  });

  it('keeps the model, the tree and the project of the run, unless told otherwise', async () => {
    kit.script().always(searching);
    const first = await kit.ask(user, { decisionTree: 'research', config: { maxIterations: 2 } });
    kit.script(reply.text('Same.'));
    const same = await going('continueRun', { runId: first.runId, turns: 7, config: { timeoutSeconds: 33 } });
    const other = await going('continueRun', { runId: first.runId, model: 'simulated/answer' });

    expect(same.run).toMatchObject({
      ...{ model: 'openai/scripted', decisionTree: 'research' },
      config: { maxIterations: 7, timeoutSeconds: 33 },
    });
    expect(other.run.model).toBe('simulated/answer');
  });

  it('is joined by the same key, and waits for or replaces what is under way', async () => {
    const { runId } = await limited();
    kit.script(reply.stream([step.text('On it. '), step.hang()]));
    const stream = begin('continueRun', { runId, idempotencyKey: 'once' });
    const { runId: started } = await stream.until((chunk) => chunk.__typename === 'ContentChunk');
    const joined = await begin('continueRun', { runId, idempotencyKey: 'once' }).next();
    const busy = await refusalOf('continueRun', { runId });
    kit.script(reply.text('Instead.'));
    const instead = await going('continueRun', { runId, whenBusy: 'CANCEL_PREVIOUS' });
    const end = (await stream.toEnd()).at(-1);

    expect(joined?.runId).toBe(started);
    expect(busy).toContain('CONVERSATION_BUSY');
    expect(busy).toContain(started);
    expect(end).toMatchObject({ __typename: 'DoneChunk', terminationReason: 'CANCELLED' });
    expect(instead).toMatchObject({ reason: 'COMPLETED', text: 'Instead.' });
  });

  it('stays below the organisation’s ceiling, as any question', async () => {
    const set = (limit: number | null) =>
      kit.admin.ask(
        `mutation ($input: UpdateOrganisationConfigInput!) { updateOrganisationConfig(input: $input) { __typename } }`,
        { input: { ceilings: { maxIterations: limit } } },
      );
    const { runId } = await limited();
    await set(4);
    kit.script(reply.text('Capped.'));
    const told = await going('continueRun', { runId, turns: 20 }).finally(() => set(null));

    expect(told.run.config.maxIterations).toBe(4);
  });
});

describe('answering now', () => {
  it.each(transports)('answers in one turn, without tools, from all that was found, over %s', async (_n, transport) => {
    const first = await limited();
    kit.script(calling('gamma')).always(searching);
    const second = await going('continueRun', { runId: first.runId, turns: 1 });
    const script = kit.script(reply.text('In short: nothing.'));
    const told = await going('answerNow', { runId: second.runId }, transport);
    const [request] = script.requests();
    const exchange = await does<ExchangeView>(user, 'exchange', { id: told.nodeId });

    expect(request && toldTo(request).slice(0, -1)).toEqual([
      ...found,
      ['assistant', '', searched('gamma')],
      ['tool', expect.any(String)],
      ['user', expect.stringMatching(/^<notice>.*Answer the question now.*<\/notice>$/s)],
    ]);
    expect(request?.body.tools ?? []).toEqual([]);
    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'In short: nothing.', ending: { turns: 1 } });
    expect(told.run).toMatchObject({ decisionTree: 'answer-now', config: { maxIterations: 1 } });
    expect(exchange).toMatchObject({ kind: 'ANSWER_NOW', parentId: second.nodeId, question: 'one' });
  });

  it('gives an answer that stands for itself to whoever asks next', async () => {
    const { runId, conversationId } = await limited();
    kit.script(reply.text('In short: nothing.'));
    await going('answerNow', { runId });
    const script = kit.script(reply.text('Fine.'));
    await kit.ask(user, { question: 'two', conversationId });
    const [request] = script.requests();

    expect(request && toldTo(request)).toEqual([
      ['user', 'one'],
      ['assistant', 'In short: nothing.'],
      ['user', 'two'],
    ]);
  });

  it('that fails can be continued, with tools again', async () => {
    const { runId } = await limited();
    kit.script(calling('gamma'));
    const failed = await going('answerNow', { runId });
    const script = kit.script(reply.text('Better.'));
    const told = await going('continueRun', { runId: failed.runId });

    expect(failed).toMatchObject({ reason: 'MAX_ITERATIONS', run: { decisionTree: 'answer-now' } });
    expect(script.requests()[0]?.body.tools).not.toHaveLength(0);
    expect(told).toMatchObject({ reason: 'COMPLETED', run: { decisionTree: 'default' } });
  });

  it('works without a language model too: offline quotes what was found before', async () => {
    const question = 'What did we decide about caching?';
    const first = await kit.ask(user, { question, model: 'offline', config: { maxIterations: 1 } });
    const told = await going('answerNow', { runId: first.runId });

    expect(first.reason).toBe('MAX_ITERATIONS');
    expect(told).toMatchObject({ reason: 'COMPLETED', run: { model: 'offline' } });
    expect(told.text).toContain('Sources:');
    expect(told.of('ToolCallChunk')).toEqual([]);
  });
});

describe('the next actions of an ending', () => {
  it('name the run and the turns: what a client needs to take them', async () => {
    const { ending, runId } = await limited();
    const { run } = await user.ask<{ run: { ending: { nextActions: unknown } } }>(
      'query ($id: ID!) { run(id: $id) { ending { nextActions { action runId turns } } } }',
      { id: runId },
    );

    expect(ending.nextActions.map(({ action }) => action)).toEqual(['CONTINUE', 'ANSWER_NOW', 'BRANCH']);
    expect(run.ending.nextActions).toEqual([
      { action: 'CONTINUE', runId, turns: 10 },
      { action: 'ANSWER_NOW', runId, turns: 1 },
      { action: 'BRANCH', runId, turns: null },
    ]);
  });
});

describe('a run that cannot be gone on with', () => {
  it.each(['continueRun', 'answerNow'] as const)('is refused by %s, with a sentence that says why', async (how) => {
    const whole = await asks(kit, user, 'one');
    kit.script(reply.stream([step.text('Busy. '), step.hang()]));
    const stream = kit.open(user, { question: 'two' });
    const { runId: running } = await stream.until((chunk) => chunk.__typename === 'ContentChunk');
    const completed = await refusalOf(how, { runId: whole.runId });
    const busy = await refusalOf(how, { runId: running, whenBusy: 'CANCEL_PREVIOUS' });
    await kit.cancel(user, running);

    expect(completed).toContain('BAD_USER_INPUT');
    expect(completed).toContain('completed');
    expect(busy).toContain('CONVERSATION_BUSY');
    await stream.stop();
  });

  it.each(['continueRun', 'answerNow'] as const)('belongs to somebody else, or is missing, to %s', async (how) => {
    const { runId } = await limited();
    const other = await kit.newUser();
    const as = (who: TestUser, id: string) =>
      goOn(how, { url: kit.url, user: who }, { runId: id }).next().catch(String);
    const answers = await Promise.all([
      ...[as(other, runId), as(kit.admin, runId)],
      ...[as(user, randomUUID()), as(user, 'x'), as(user, '')],
    ]);

    expect(answers[0]).toContain('NOT_FOUND');
    expect(new Set(answers).size).toBe(1);
  });

  it('is refused with bad limits, all of them named', async () => {
    const { runId } = await limited();
    const refusal = await refusalOf('continueRun', { runId, turns: 51, config: { tokenBudget: 1 } });
    const none = await refusalOf('continueRun', { runId, turns: 0 });
    const model = await refusalOf('continueRun', { runId, model: 'nobody/knows' });

    expect(refusal).toContain('"field":"turns"');
    expect(refusal).toContain('"field":"tokenBudget"');
    expect(none).toContain('"field":"turns"');
    expect(model).toContain('BAD_USER_INPUT');
  });
});

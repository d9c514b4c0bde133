import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  content,
  conversationOf,
  decisionAt,
  endingWith,
  exchangesOf,
  newRun,
  type RunKit,
  type RunServer,
  startRun,
  startRunKit,
} from './run-kit.ts';

let kit: RunKit;
let server: RunServer;

beforeAll(async () => {
  kit = await startRunKit();
  server = await kit.newServer();
});
afterAll(() => kit.stop());

/** A run with an answer, from beginning to end. */
async function answered(userId: string, answer: string, more: Parameters<typeof startRun>[2] = {}) {
  const run = await startRun(server, userId, more);
  const writer = server.log.open(run);
  writer.append(content(answer));
  await writer.finish(endingWith('COMPLETED'));
  return run;
}

describe('a new run', () => {
  it('starts a conversation with one exchange and no HEAD yet', async () => {
    const run = await startRun(server, await kit.newUser(), { question: 'Why is the sky blue?\nIn short.' });

    expect(run.parentId).toBeNull();
    expect(await conversationOf(kit, run.conversationId)).toMatchObject({
      title: 'Why is the sky blue?',
      headId: null,
    });
    expect(await exchangesOf(server, run.conversationId)).toMatchObject([
      { id: run.nodeId, runId: run.runId, parentId: null, answer: '', partial: true, ending: null },
    ]);
    expect(await server.store.find(run.runId)).toMatchObject({ status: 'RUNNING', reason: null, ending: null });
  });

  it('starts when another one of the same moment is refused by the database', async () => {
    const people = [await kit.newUser(), randomUUID(), await kit.newUser()];
    const started = await Promise.allSettled(people.map((userId) => server.store.create(newRun(userId))));

    expect(started.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('continues from HEAD, and from any earlier exchange when asked to', async () => {
    const userId = await kit.newUser();
    const first = await answered(userId, 'one');
    const { conversationId } = first;
    const second = await answered(userId, 'two', { conversationId });
    const branch = await answered(userId, 'other', { nodeId: first.nodeId });

    expect([second.parentId, branch.parentId]).toEqual([first.nodeId, first.nodeId]);
    expect(branch.conversationId).toBe(conversationId);
    expect(await conversationOf(kit, conversationId)).toMatchObject({ headId: branch.nodeId });
  });

  it("inherits the conversation's project", async () => {
    const userId = await kit.newUser();
    const projectId = randomUUID();
    const { conversationId } = await answered(userId, '', { projectId });

    expect((await startRun(server, userId, { conversationId })).projectId).toBe(projectId);
  });

  it('cannot be put into a conversation or behind an exchange of somebody else, or of nobody', async () => {
    const userId = await kit.newUser();
    const own = await answered(userId, '');
    const foreign = await answered(await kit.newUser(), '');
    const tries = [
      { conversationId: foreign.conversationId },
      { conversationId: randomUUID() },
      { conversationId: 'x' },
      { nodeId: foreign.nodeId },
      { nodeId: 'x' },
      { conversationId: own.conversationId, nodeId: foreign.nodeId },
    ];
    const outcomes = await Promise.all(tries.map((more) => server.store.create(newRun(userId, more))));

    expect(outcomes.map((outcome) => outcome.type === 'not-found' && outcome.what)).toEqual([
      ...['conversation', 'conversation', 'conversation', 'node', 'node', 'node'],
    ]);
  });

  it('keeps a question with NUL and lone surrogates exactly as it was asked', async () => {
    const question = 'a\0b \ud800 c \udc00 \u0001 é 🦉';
    const run = await startRun(server, await kit.newUser(), { question, idempotencyKey: question });

    expect((await server.store.find(run.runId))?.question).toBe(question);
    expect((await conversationOf(kit, run.conversationId))?.title).toBe(question);
  });
});

describe('starting at the same time', () => {
  it('joins requests with the same key into one run', async () => {
    const userId = await kit.newUser();
    const asked = newRun(userId, { idempotencyKey: 'k', mostAtOnce: 1 });
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => server.store.create(asked)));

    expect(outcomes.map(({ type }) => type).sort()).toEqual([...Array(7).fill('joined'), 'started']);
    expect(new Set(outcomes.map((outcome) => 'runId' in outcome && outcome.runId)).size).toBe(1);
    expect(await server.store.create({ ...asked, userId: await kit.newUser() })).toMatchObject({ type: 'started' });
  });

  it('lets one run into a conversation and names it to the others', async () => {
    const userId = await kit.newUser();
    const { conversationId } = await answered(userId, '');
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => server.store.create(newRun(userId, { conversationId }))),
    );

    const started = outcomes.filter((outcome) => outcome.type === 'started');
    expect(started).toHaveLength(1);
    const runId = started[0]?.runId;
    expect(outcomes.filter(({ type }) => type === 'busy')).toEqual(Array(7).fill({ type: 'busy', runId }));
  });

  it('never exceeds the cap, which is free again when a run has ended', async () => {
    const userId = await kit.newUser();
    const asked = newRun(userId, { mostAtOnce: 3 });
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => server.store.create(asked)));
    const [run] = outcomes.filter((outcome) => outcome.type === 'started');
    if (run) await server.log.open(run).finish(endingWith('COMPLETED'));

    expect(outcomes.filter(({ type }) => type === 'started')).toHaveLength(3);
    expect(outcomes.filter(({ type }) => type === 'too-many')).toEqual(Array(5).fill({ type: 'too-many', limit: 3 }));
    expect(await server.store.create(asked)).toMatchObject({ type: 'started' });
  });
});

describe('the end of a run', () => {
  it('fills the exchange from what was appended, ends the run and moves HEAD', async () => {
    const run = await startRun(server, await kit.newUser());
    const writer = server.log.open(run);
    const source = { kind: 'VAULT', path: 'a.md', snippet: 'nul \0' } as const;
    writer.append(content('one '));
    writer.append({
      type: 'ToolCallChunk',
      callId: 'c',
      name: 'read',
      arguments: { p: '\ud800' },
      turn: 1,
      status: 'RUNNING',
    });
    writer.append({ type: 'ToolResultChunk', callId: 'c', name: 'read', ok: true, result: '\0', durationMs: 3 });
    writer.append({ type: 'SourceChunk', ...source });
    writer.append(content('two\0'));
    const ending = endingWith('TIMEOUT');
    const ended = await writer.finish(ending);

    expect(ended).toBe(true);
    expect(await exchangesOf(server, run.conversationId)).toMatchObject([
      {
        answer: 'one two\0',
        partial: true,
        ending: { reason: 'TIMEOUT' },
        sources: [source],
        toolCalls: [{ callId: 'c', fate: 'succeeded', arguments: { p: '\ud800' }, result: '\0', answerLength: 4 }],
      },
    ]);
    const found = await server.store.find(run.runId);
    expect(found).toMatchObject({ status: 'ENDED', reason: 'TIMEOUT', ending, turns: 1, lastSeq: 6 });
    expect(await conversationOf(kit, run.conversationId)).toMatchObject({ headId: run.nodeId });
    expect(await writer.finish(ending)).toBe(false);
  });

  it('leaves a complete answer that is not partial', async () => {
    const { conversationId } = await answered(await kit.newUser(), 'done');

    expect(await exchangesOf(server, conversationId)).toMatchObject([{ answer: 'done', partial: false }]);
  });
});

describe('while a run is under way', () => {
  it('its answer, tool calls and reach are readable', async () => {
    const run = await startRun(server, await kit.newUser());
    const writer = server.log.open(run);
    writer.append(content('half an '));
    writer.append({ type: 'ThinkingChunk', text: 'hm' });
    writer.append(content('answer'));
    writer.append({ type: 'ToolCallChunk', callId: 'c', name: 'read', arguments: {}, turn: 1, status: 'RUNNING' });
    await writer.drained();

    expect(await server.store.answerSoFar(run.runId)).toBe('half an answer');
    expect(await server.store.lastSeqs([run.runId, randomUUID()])).toEqual(new Map([[run.runId, 4]]));
    expect(await exchangesOf(server, run.conversationId)).toMatchObject([
      { answer: 'half an answer', partial: true, toolCalls: [{ callId: 'c', fate: 'unknown' }] },
    ]);
  });

  it('its decisions are recorded in order', async () => {
    const run = await startRun(server, await kit.newUser());
    const writer = server.log.open(run);
    const decisions = [decisionAt(0), decisionAt(1), decisionAt(1, false)];
    for (const decision of decisions) writer.recordDecision(decision);
    await writer.drained();

    expect(await server.store.decisions(run.runId)).toMatchObject(decisions);
  });
});

describe('history', () => {
  it('is the path from the root, without other branches, at most the newest few', async () => {
    const userId = await kit.newUser();
    const first = await answered(userId, '1');
    const { conversationId } = first;
    await answered(userId, '2, left behind', { conversationId });
    await answered(userId, '2', { nodeId: first.nodeId });
    const last = await answered(userId, '3', { conversationId });
    const path = async (limit: number) =>
      (await server.store.exchanges.path(last.nodeId, limit)).map(({ answer }) => answer);

    expect(await path(10)).toEqual(['1', '2', '3']);
    expect(await path(2)).toEqual(['2', '3']);
    expect(await path(0)).toEqual([]);
  });
});

describe('the list of runs', () => {
  it('is newest first, in pages, by person, conversation, reason and status', async () => {
    const userId = await kit.newUser();
    const one = await answered(userId, '');
    const two = await answered(userId, '', { conversationId: one.conversationId });
    const three = await startRun(server, userId);
    const ids = async (filter: object, first = 20, after?: string) => {
      const page = await server.store.list({ filter: { userId, ...filter }, first, after });
      return page.edges.map(({ node }) => node.id);
    };
    const firstPage = await server.store.list({ filter: { userId }, first: 2 });

    expect(new Set(await ids({}))).toEqual(new Set([one.runId, two.runId, three.runId]));
    const { totalCount } = firstPage;
    expect(typeof totalCount === 'function' ? await totalCount() : totalCount).toBe(3);
    expect(firstPage.pageInfo.hasNextPage).toBe(true);
    expect(await ids({}, 2, firstPage.pageInfo.endCursor ?? '')).toHaveLength(1);
    expect(await ids({ conversationId: three.conversationId })).toEqual([three.runId]);
    expect(await ids({ reason: ['COMPLETED', 'TIMEOUT'] })).toHaveLength(2);
    expect(await ids({ reason: ['TIMEOUT'] })).toEqual([]);
    expect(await ids({ status: 'RUNNING' })).toEqual([three.runId]);
    expect(await ids({ conversationId: 'not an id' })).toEqual([]);
  });
});

describe('deleting', () => {
  it('a person takes along conversations, exchanges, runs and their logs', async () => {
    const userId = await kit.newUser();
    const { runId } = await answered(userId, 'x');
    await kit.database.query('delete from users where id = $1', [userId]);
    const [left] = await kit.database.query(
      `select (select count(*) from run_chunks where run_id = $1)::int as chunks,
        (select count(*) from runs where id = $1)::int as runs,
        (select count(*) from exchanges where run_id = $1)::int as exchanges`,
      [runId],
    );

    expect(left).toEqual({ chunks: 0, runs: 0, exchanges: 0 });
  });
});

import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codesOf } from '../kit/client.ts';
import type { TestUser } from '../kit/kit.ts';
import { closing, reply, step } from '../kit/model-replies.ts';
import { createGate } from '../kit/model-server.ts';
import { messagesOf, type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';
import { readConversation } from '../oracle/kit/told.ts';
import { asks, type ConversationView, does, type ExchangeView, type PrunedView } from './conversation-kit.ts';
import { line, type PlantedNode, plant } from './plant.ts';

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit();
});
beforeEach(async () => {
  user = await kit.newUser();
});
afterAll(() => kit.stop());

const planted = (nodes: readonly PlantedNode[], head: number) => plant(kit.database, { userId: user.id }, nodes, head);
const idsLeft = async (conversationId: string) =>
  (await readConversation(user, conversationId)).nodes.map(({ id }) => id);

describe('pruning', () => {
  it('tells first which exchanges would go, and then takes just those', async () => {
    const root = await asks(kit, user, 'root');
    const { conversationId } = root;
    const kept = await asks(kit, user, 'kept', { conversationId });
    const gone = await asks(kit, user, 'gone', { conversationId, nodeId: root.nodeId });
    const goneToo = await asks(kit, user, 'gone too', { conversationId });
    const head = await asks(kit, user, 'head', { conversationId, nodeId: root.nodeId });
    await does(user, 'checkpoint', { id: kept.nodeId });
    await does(user, 'label', { input: { exchangeId: gone.nodeId, label: 'A label protects nothing' } });
    const preview = await does<PrunedView>(user, 'prune', { id: conversationId, preview: true });
    const before = await idsLeft(conversationId);
    const pruned = await does<PrunedView>(user, 'prune', { id: conversationId });
    const again = await does<PrunedView>(user, 'prune', { id: conversationId });
    const { runs } = await user.ask<{ runs: { edges: { node: { id: string } }[] } }>(
      '{ runs { edges { node { id } } } }',
    );

    expect(preview).toMatchObject({ preview: true, count: 2, conversation: { exchangeCount: 5 } });
    expect(preview.exchanges).toEqual([
      { id: gone.nodeId, question: 'gone', label: 'A label protects nothing' },
      { id: goneToo.nodeId, question: 'gone too', label: null },
    ]);
    expect(before).toHaveLength(5);
    expect(pruned).toMatchObject({
      preview: false,
      exchangeIds: preview.exchangeIds,
      conversation: { exchangeCount: 3 },
    });
    expect(await idsLeft(conversationId)).toEqual([root, kept, head].map(({ nodeId }) => nodeId));
    expect(runs.edges.map(({ node }) => node.id)).not.toContain(gone.runId);
    expect(again.count).toBe(0);
  });

  it('never takes a root, a checkpoint, HEAD or an ancestor of one, in trees of any shape', async () => {
    const trees = fc.array(fc.record({ parent: fc.option(fc.nat(), { freq: 6 }), checkpoint: fc.nat(4) }), {
      ...{ minLength: 1, maxLength: 25 },
    });
    await fc.assert(
      fc.asyncProperty(trees, fc.nat(), async (drawn, place) => {
        const nodes = drawn.map(({ parent, checkpoint }, index) => ({
          parent: parent === null || index === 0 ? null : parent % index,
          checkpoint: checkpoint === 0,
        }));
        const head = place % nodes.length;
        const { conversationId, ids } = await planted(nodes, head);
        const kept = new Set<number>();
        for (const [index, { parent, checkpoint }] of nodes.entries()) {
          if (parent !== null && !checkpoint && index !== head) continue;
          for (let up: number | null = index; up !== null; up = nodes[up]?.parent ?? null) kept.add(up);
        }
        await does(user, 'prune', { id: conversationId });

        expect(await idsLeft(conversationId)).toEqual(ids.filter((_, index) => kept.has(index)));
      }),
      { numRuns: 25 },
    );
  });

  it('leaves the exchange that is being written, with all before it', async () => {
    const root = await asks(kit, user, 'root');
    const { conversationId } = root;
    const branch = await asks(kit, user, 'branch', { conversationId });
    const head = await asks(kit, user, 'head', { conversationId, nodeId: root.nodeId });
    const gate = createGate();
    kit.script(reply.stream([step.text('Writing '), step.wait(gate.opened), step.text('on.'), ...closing('stop')]));
    const stream = kit.open(user, { question: 'slow', conversationId, nodeId: branch.nodeId });
    await stream.until((chunk) => chunk.__typename === 'ContentChunk');
    const pruned = await does<PrunedView>(user, 'prune', { id: conversationId });
    gate.open();
    const told = await kit.settle(user, stream);

    expect(pruned.count).toBe(0);
    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'Writing on.' });
    expect(await does<PrunedView>(user, 'prune', { id: conversationId })).toMatchObject({ exchangeIds: [head.nodeId] });
  });
});

describe('checking out an exchange while a run is under way', () => {
  it('holds: HEAD stays there when the run ends, and moves on with the next one', async () => {
    const root = await asks(kit, user, 'root');
    const { conversationId } = root;
    const gate = createGate();
    kit.script(reply.stream([step.text('Slow '), step.wait(gate.opened), step.text('one.'), ...closing('stop')]));
    const stream = kit.open(user, { question: 'slow', conversationId });
    await stream.until((chunk) => chunk.__typename === 'ContentChunk');
    await does(user, 'checkout', { id: root.nodeId });
    gate.open();
    const end = (await stream.toEnd()).at(-1);
    const after = await does<ConversationView>(user, 'find', { id: conversationId });
    const next = await asks(kit, user, 'next', { conversationId });

    expect(end).toMatchObject({ __typename: 'DoneChunk', terminationReason: 'COMPLETED' });
    expect(after.headId).toBe(root.nodeId);
    expect(next.exchange.parentId).toBe(root.nodeId);
    expect((await does<ConversationView>(user, 'find', { id: conversationId })).headId).toBe(next.nodeId);
  });
});

describe('branching by an exchange alone', () => {
  it('stays in the project of the conversation', async () => {
    const [project] = await kit.database.query<{ id: string }>(
      `insert into projects (id, user_id, name) values (gen_random_uuid(), $1, 'Other') returning id`,
      [user.id],
    );
    kit.script(reply.text('Here.'));
    const first = await kit.ask(user, { question: 'one', projectId: project?.id ?? '' });
    const next = await asks(kit, user, 'two', { nodeId: first.nodeId });
    const [row] = await kit.database.query<{ project_id: string }>('select project_id from runs where id = $1', [
      next.runId,
    ]);

    expect(next.conversationId).toBe(first.conversationId);
    expect(row?.project_id).toBe(project?.id);
  });
});

describe('a conversation of ten thousand exchanges', () => {
  const pathQuery = `query ($id: ID!, $last: Int, $before: ID) { conversation(id: $id) {
    path(last: $last, before: $before) { id question } } }`;
  const nodesQuery = `query ($id: ID!, $first: Int, $after: ID) { conversation(id: $id) {
    nodes(first: $first, after: $after) { id } } }`;
  let id: string;
  let ids: readonly string[];
  beforeEach(async () => {
    ({ conversationId: id, ids } = await planted([...line(10_000), ...Array(50).fill({ parent: 0 })], 9_999));
  });

  it('shows the end of its path and the beginning of its tree, and all of it part by part', async () => {
    const path = async (variables: object) =>
      (
        await user.ask<{ conversation: { path: { id: string }[] } }>(pathQuery, { id, ...variables })
      ).conversation.path.map((exchange) => exchange.id);
    const nodes = async (variables: object) =>
      (
        await user.ask<{ conversation: { nodes: { id: string }[] } }>(nodesQuery, { id, ...variables })
      ).conversation.nodes.map((exchange) => exchange.id);
    const seen: string[] = [];
    for (
      let page = await nodes({ first: 1_000 });
      page.length > 0;
      page = await nodes({ first: 1_000, after: seen.at(-1) })
    ) {
      seen.push(...page);
    }

    expect(await path({})).toEqual(ids.slice(9_800, 10_000));
    expect(await path({ last: 3 })).toEqual(ids.slice(9_997, 10_000));
    expect(await path({ last: 2, before: ids[9_997] })).toEqual(ids.slice(9_995, 9_997));
    expect(await path({ before: ids[1] })).toEqual(ids.slice(0, 1));
    expect(await path({ before: ids[0] })).toEqual([]);
    expect(await nodes({})).toEqual(ids.slice(0, 200));
    expect(seen).toEqual(ids);
    for (const bad of [0, -1, 1_001]) {
      expect(codesOf(await user.query(pathQuery, { id, last: bad }))).toEqual(['BAD_USER_INPUT']);
      expect(codesOf(await user.query(nodesQuery, { id, first: bad }))).toEqual(['BAD_USER_INPUT']);
    }
  });

  it('tells the model its newest part, and is pruned and deleted in one go', async () => {
    const script = kit.script(reply.text('Still here.'));
    const stream = kit.open(user, { question: 'And now?', conversationId: id });
    await stream.toEnd();
    const [request] = script.requests();
    // Its exchanges are old: that it goes on after a while is a notice, no part of the conversation.
    const sent = request ? messagesOf(request).filter(([, text]) => !text?.startsWith('<notice>')) : [];
    const root = await does<ExchangeView>(user, 'exchange', { id: ids[0] });
    const pruned = await does<PrunedView>(user, 'prune', { id });
    const deleted = await does(user, 'delete', { id });

    expect(sent.slice(1, 3)).toEqual([
      ['user', 'Question 9970'],
      ['assistant', 'Answer 9970'],
    ]);
    expect(sent).toHaveLength(1 + 2 * 30 + 1);
    expect(root.childCount).toBe(51);
    expect(pruned).toMatchObject({ count: 50, conversation: { exchangeCount: 10_001 } });
    expect(deleted).toMatchObject({ id, exchangeCount: 10_001, cancelledRunId: null });
    expect(await kit.database.query('select 1 from exchanges where conversation_id = $1', [id])).toEqual([]);
  });
});

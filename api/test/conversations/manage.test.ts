import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codesOf } from '../kit/client.ts';
import type { TestUser } from '../kit/kit.ts';
import { type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';
import { asks, type ConversationView, does, type ExchangeView, operations } from './conversation-kit.ts';

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit();
});
beforeEach(async () => {
  user = await kit.newUser();
});
afterAll(() => kit.stop());

interface List {
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly edges: readonly { readonly node: ConversationView }[];
}

const titles = async (variables: Record<string, unknown> = {}) =>
  (await does<List>(user, 'list', variables)).edges.map(({ node }) => node.title);

describe('a new conversation', () => {
  it('is empty, in the default project, and takes the title of its first question', async () => {
    const made = await does<ConversationView>(user, 'create', { input: {} });
    const told = await asks(kit, user, 'Why is the sky blue?\nIn short.', { conversationId: made.id });
    const after = await does<ConversationView>(user, 'find', { id: made.id });

    expect(made).toMatchObject({ title: 'New conversation', headId: null, exchangeCount: 0, active: false });
    expect(made.projectId).toEqual(expect.any(String));
    expect(told).toMatchObject({ conversationId: made.id, exchange: { parentId: null } });
    expect(after).toMatchObject({ title: 'Why is the sky blue?', headId: told.nodeId, exchangeCount: 1 });
  });

  it('keeps the title that it was given, also one given later', async () => {
    const named = await does<ConversationView>(user, 'create', { input: { title: '  Plans ' } });
    const renamed = await does<ConversationView>(user, 'create', { input: {} });
    await does(user, 'rename', { input: { conversationId: renamed.id, title: 'Garden' } });
    await asks(kit, user, 'one', { conversationId: named.id });
    await asks(kit, user, 'two', { conversationId: renamed.id });

    expect(await titles()).toEqual(['Garden', 'Plans']);
  });

  it('is not made, nor renamed, with a bad title, and says what is wrong with it', async () => {
    const { id } = await does<ConversationView>(user, 'create', { input: { title: 'Kept' } });
    const bad = ['', '   ', 'x'.repeat(201), 'a\nb'];
    const answers = await Promise.all(
      bad.flatMap((title) => [
        does(user, 'create', { input: { title } }),
        does(user, 'rename', { input: { conversationId: id, title } }),
      ]),
    );

    for (const answer of answers) {
      expect(answer).toMatchObject({ __typename: 'InvalidInput', problems: [{ field: 'title' }] });
    }
    expect(await titles()).toEqual(['Kept']);
  });
});

describe('the list of conversations', () => {
  it('is by last activity, in pages', async () => {
    const first = await asks(kit, user, 'first');
    await asks(kit, user, 'second');
    await asks(kit, user, 'third');
    await asks(kit, user, 'again', { conversationId: first.conversationId });
    const page = await does<List>(user, 'list', { first: 2 });
    const next = await titles({ first: 2, after: page.pageInfo.endCursor });

    expect(page.edges.map(({ node }) => node.title)).toEqual(['first', 'third']);
    expect(page).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
    expect(next).toEqual(['second']);
  });

  it('finds the beginnings of words in titles and questions, in any case, and only all of them together', async () => {
    const talk = await asks(kit, user, 'What did we decide about Caching-strategies?');
    await asks(kit, user, 'and the Überraschung in config.yaml', { conversationId: talk.conversationId });
    await asks(kit, user, 'Who waters the plants?');
    const found = (search: string) => titles({ search });
    const [caching, plants] = ['What did we decide about Caching-strategies?', 'Who waters the plants?'];

    expect(await found('cach')).toEqual([caching]);
    expect(await found('caching-strat')).toEqual([caching]);
    expect(await found('überr config')).toEqual([caching]);
    expect(await found('W')).toEqual([plants, caching]);
    expect(await found('water PLANT')).toEqual([plants]);
    expect(await found('water cach')).toEqual([]);
    expect(await found('aching')).toEqual([]);
    expect(await found('  ')).toEqual([plants, caching]);
    for (const odd of ["'", '\\', ':*', '& | !', "o'x' <->", '\0', '???', '%', 'x'.repeat(5_000), '( q']) {
      expect(await found(odd), odd).toEqual([]);
    }
  });

  it('shows nobody else’s, whatever is searched for, except to an administrator who names the person', async () => {
    await asks(kit, user, 'secret matters');
    const other = await kit.newUser();
    const listed = await does<List>(other, 'list', { search: 'secret' });
    const trick = await does<List>(other, 'list', { search: `of ${user.id}` });
    const foreign = await other.query(operations.list, { userId: user.id });
    const missing = await other.query(operations.list, { userId: randomUUID() });
    const byAdmin = await does<List>(kit.admin, 'list', { userId: user.id, search: 'secret' });

    expect([listed.totalCount, trick.totalCount]).toEqual([0, 0]);
    expect(codesOf(foreign)).toEqual(['NOT_FOUND']);
    expect(foreign).toEqual(missing);
    expect(byAdmin.totalCount).toBe(1);
  });

  it('can be that of a project', async () => {
    const { conversationId } = await asks(kit, user, 'here');
    const { projectId } = await does<ConversationView>(user, 'find', { id: conversationId });

    expect(await titles({ projectId })).toEqual(['here']);
    expect(await titles({ projectId: randomUUID() })).toEqual([]);
    expect(await titles({ projectId: 'x' })).toEqual([]);
  });
});

describe('the active conversation', () => {
  it('is none at first, then the one activated last, until it is deleted', async () => {
    const active = async () => (await does<ConversationView | null>(user, 'active'))?.id;
    const one = await does<ConversationView>(user, 'create', { input: { title: 'One' } });
    const two = await does<ConversationView>(user, 'create', { input: { title: 'Two' } });
    const atFirst = await active();
    const activated = await does<ConversationView>(user, 'activate', { id: one.id });
    const first = await active();
    await Promise.all([one, two, one, two].map(({ id }) => does(user, 'activate', { id })));
    await does(user, 'activate', { id: two.id });
    const second = await active();
    await does(user, 'delete', { id: two.id });

    expect(atFirst).toBeUndefined();
    expect(activated.active).toBe(true);
    expect([first, second]).toEqual([one.id, two.id]);
    expect(await active()).toBeUndefined();
    expect((await does<ConversationView>(user, 'find', { id: one.id })).active).toBe(false);
  });
});

describe('an exchange', () => {
  it('can be labelled and marked as a checkpoint, and back', async () => {
    const { nodeId } = await asks(kit, user, 'one');
    const labelled = await does<ExchangeView>(user, 'label', { input: { exchangeId: nodeId, label: ' The idea ' } });
    const marked = await does<ExchangeView>(user, 'checkpoint', { id: nodeId });
    const bad = await does(user, 'label', { input: { exchangeId: nodeId, label: 'x'.repeat(101) } });
    const unmarked = await does<ExchangeView>(user, 'checkpoint', { id: nodeId, checkpoint: false });
    const unlabelled = await does<ExchangeView>(user, 'label', { input: { exchangeId: nodeId, label: null } });

    expect(labelled).toMatchObject({ label: 'The idea', checkpoint: false });
    expect(marked).toMatchObject({ label: 'The idea', checkpoint: true });
    expect(bad).toMatchObject({ __typename: 'InvalidInput', problems: [{ field: 'label', max: 100 }] });
    expect(unmarked).toMatchObject({ label: 'The idea', checkpoint: false });
    expect(unlabelled.label).toBeNull();
  });

  it('can be checked out: the next question follows it, and the tree shows the branch', async () => {
    const one = await asks(kit, user, 'one');
    const { conversationId } = one;
    const two = await asks(kit, user, 'two', { conversationId });
    const moved = await does<ConversationView>(user, 'checkout', { id: one.nodeId });
    const branch = await asks(kit, user, 'other two', { conversationId });
    const root = await does<ExchangeView>(user, 'exchange', { id: one.nodeId });

    expect(moved).toMatchObject({ id: conversationId, headId: one.nodeId });
    expect(branch.exchange.parentId).toBe(one.nodeId);
    expect(root).toMatchObject({ childCount: 2, conversationId, kind: 'ASK' });
    expect(await does<ExchangeView>(user, 'exchange', { id: two.nodeId })).toMatchObject({ childCount: 0 });
  });

  it('tells its tool calls and sources', async () => {
    const { nodeId } = await kit.ask(user, { question: 'Who decides on releases?', model: 'offline' });
    const { exchange } = await user.ask<{ exchange: { toolCalls: unknown[]; sources: unknown[] } }>(
      `query ($id: ID!) { exchange(id: $id) {
        toolCalls { callId name arguments turn fate result error durationMs answerLength }
        sources { kind path title line snippet score } } }`,
      { id: nodeId },
    );

    expect(exchange.toolCalls[0]).toMatchObject({
      ...{ name: 'vault_search', turn: 1, fate: 'SUCCEEDED', error: null, answerLength: 0 },
      ...{ arguments: { query: expect.any(String) }, result: { hits: expect.any(Array) } },
    });
    expect(exchange.sources[0]).toMatchObject({ kind: 'VAULT', path: expect.stringContaining('.md') });
  });
});

describe('what belongs to somebody else', () => {
  it('answers like what is missing, and is not changed', async () => {
    const { conversationId, nodeId } = await asks(kit, user, 'mine');
    const before = await does(user, 'find', { id: conversationId });
    const other = await kit.newUser();
    const own = await asks(kit, other, 'own');
    const tries = (conversation: string, exchange: string) =>
      Promise.all([
        other.query(operations.rename, { input: { conversationId: conversation, title: '' } }),
        other.query(operations.activate, { id: conversation }),
        other.query(operations.delete, { id: conversation }),
        other.query(operations.prune, { id: conversation }),
        other.query(operations.checkout, { id: exchange }),
        other.query(operations.label, { input: { exchangeId: exchange, label: '' } }),
        other.query(operations.checkpoint, { id: exchange }),
        other.query(operations.exchange, { id: exchange }),
        other.query('query ($own: ID!, $id: ID!) { conversation(id: $own) { path(before: $id) { id } } }', {
          own: own.conversationId,
          id: exchange,
        }),
        other.query('query ($own: ID!, $id: ID!) { conversation(id: $own) { nodes(after: $id) { id } } }', {
          own: own.conversationId,
          id: exchange,
        }),
      ]);
    const foreign = await tries(conversationId, nodeId);
    const missing = await tries(randomUUID(), randomUUID());

    expect(foreign).toEqual(missing);
    expect(foreign.flatMap(codesOf)).toEqual(Array(9).fill('NOT_FOUND'));
    expect(await does(user, 'find', { id: conversationId })).toEqual(before);
  });
});

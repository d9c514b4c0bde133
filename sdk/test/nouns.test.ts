import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../api/test/kit/kit.ts';
import { AgentConfigFieldsDocument, SettingsChangedDocument } from '../src/documents.ts';
import type { OracleClient } from '../src/index.ts';
import { codeOf, settingsAndPeople, type TriedSdk, take, trySdk } from './nouns-kit.ts';

let sdk: TriedSdk;
let client: OracleClient;
let admin: OracleClient;
let user: TestUser;
beforeAll(async () => {
  sdk = await trySdk();
  ({ client, admin, user } = sdk);
});
afterAll(() => sdk.stop());

describe('the SDK against the server: what people ask and keep', () => {
  it('asks, and finds what was asked', async () => {
    const run = client.ask({ question: 'What did we decide about caching?', config: { maxIterations: 10 } });
    const { runId, conversationId, nodeId, text } = await run.result();

    expect(await client.runs.get(runId)).toMatchObject({ id: runId, status: 'ENDED', config: { maxIterations: 10 } });
    expect(await client.runs.get(randomUUID())).toBeNull();
    expect((await client.runs.list({ filter: { conversationId } })).edges.map(({ node }) => node.id)).toEqual([runId]);
    expect(await take(client.runs.all({ first: 1 }), 2)).toHaveLength(1);
    expect((await client.runs.decisions(runId))?.at(-1)).toMatchObject({ continued: false, reason: 'COMPLETED' });
    expect((await client.runs.decisionTrees()).map(({ name }) => name)).toContain('default');
    expect(await client.runs.cancel(runId)).toBe(false);
    expect(await take(client.follow(runId, { after: 1 }), 1)).toMatchObject([{ seq: 2, runId }]);
    expect((await client.conversations.path({ id: conversationId }))?.map(({ id }) => id)).toEqual([nodeId]);
    expect((await client.conversations.nodes({ id: conversationId }))?.[0]?.answer).toBe(text);
    expect(await client.conversations.exchange(nodeId)).toMatchObject({ runId, conversationId });
    expect(await client.conversations.get(randomUUID())).toBeNull();
    expect((await client.models({ search: 'simulated/loop' })).map(({ id }) => id)).toEqual(['simulated/loop']);
  });

  it('goes on where a run stopped, or answers now', async () => {
    const stopped = client.ask({ question: 'Be busy.', model: 'simulated/busy', config: { maxIterations: 2 } });
    expect((await stopped.result()).ending).toMatchObject({ reason: 'MAX_ITERATIONS' });
    const runId = await stopped.id;

    const further = await (await stopped.continue({ turns: 2 })).result();
    expect(further).toMatchObject({ ending: { reason: 'MAX_ITERATIONS' } });
    const now = await (await stopped.answerNow({ model: 'simulated/answer' })).result();
    expect(now.ending.reason).toBe('COMPLETED');
    expect((await client.continueRun({ runId, model: 'simulated/answer' }).result()).ending.reason).toBe('COMPLETED');
    expect((await client.answerNow({ runId, model: 'simulated/answer' }).result()).ending.reason).toBe('COMPLETED');
  });

  it('keeps conversations', async () => {
    const { conversations } = client;
    const created = await conversations.create({ title: 'Plans' });
    const id = created.__typename === 'Conversation' ? created.id : '';
    const ask = async (question: string) =>
      (await client.ask({ question, model: 'simulated/answer', conversationId: id }).result()).nodeId;
    const [first, second] = [await ask('One?'), await ask('Two?')];

    expect(await conversations.activate(id)).toMatchObject({ id, active: true });
    expect(await conversations.active()).toMatchObject({ id, exchangeCount: 2 });
    expect(await conversations.rename({ conversationId: id, title: 'Bigger plans' })).toMatchObject({
      title: 'Bigger plans',
    });
    expect((await conversations.rename({ conversationId: id, title: '' })).__typename).toBe('InvalidInput');
    expect(await conversations.checkout(first)).toMatchObject({ headId: first });
    expect(await conversations.checkpoint(second)).toMatchObject({ checkpoint: true });
    expect(await conversations.checkpoint(second, false)).toMatchObject({ checkpoint: false });
    expect(await conversations.label({ exchangeId: second, label: 'two' })).toMatchObject({ label: 'two' });
    expect(await conversations.prune({ conversationId: id, preview: true })).toMatchObject({ count: 1, preview: true });
    expect((await conversations.list({ search: 'Bigger' })).totalCount).toBe(1);
    expect((await take(conversations.all({ first: 1 }), 100)).length).toBeGreaterThan(1);
    expect(await conversations.delete(id)).toMatchObject({ id, exchangeCount: 2 });
  });

  it('keeps projects, threads and code', async () => {
    const created = await client.projects.create('Side');
    const projectId = created.__typename === 'Project' ? created.id : '';
    expect((await client.projects.rename({ id: projectId, name: 'Aside' })).__typename).toBe('Project');
    expect(await client.projects.get(projectId)).toMatchObject({ name: 'Aside', isDefault: false });

    const { threads, code } = client;
    const entry = await threads.append({ projectId, title: 'Ideas', kind: 'THOUGHT', text: 'Caching helps.' });
    const id = entry.__typename === 'ThreadEntry' ? entry.threadId : '';
    expect(await threads.get(id)).toMatchObject({ title: 'Ideas', entryCount: 1 });
    expect((await threads.list({ projectId })).totalCount).toBe(1);
    expect(await take(threads.all({ projectId, first: 1 }), 5)).toHaveLength(1);
    expect((await threads.entries({ id, first: 5 }))?.edges[0]?.node.text).toBe('Caching helps.');
    expect((await threads.seek({ query: 'caching', projectId }))[0]?.thread.id).toBe(id);
    expect(await threads.rename({ id, title: 'Thoughts' })).toMatchObject({ title: 'Thoughts' });
    expect((await threads.archive(id)).archived).toBe(true);
    expect((await threads.unarchive(id)).archived).toBe(false);
    expect(await threads.delete(id)).toBe(true);

    const files = [{ path: 'src/cache.ts', text: 'export function makeCache() {}\nmakeCache();\n' }];
    expect(await code.save({ projectId, files })).toMatchObject({ created: 1 });
    expect(await code.get({ projectId, path: 'src/cache.ts' })).toMatchObject({ symbols: [{ name: 'makeCache' }] });
    expect((await code.list({ projectId })).totalCount).toBe(1);
    expect(await take(code.all({ projectId }), 5)).toHaveLength(1);
    expect((await code.search({ projectId, query: 'makeCache' }))[0]?.path).toBe('src/cache.ts');
    expect((await code.definitions({ projectId, name: 'makeCache' })).totalCount).toBe(1);
    expect((await code.references({ projectId, name: 'makeCache' })).totalCount).toBeGreaterThan(0);
    expect((await code.map({ projectId })).text).toContain('makeCache');
    expect(await code.delete({ projectId, paths: ['src/cache.ts'] })).toMatchObject({ deleted: 1 });
    expect((await client.projects.delete(projectId)).__typename).toBe('DeletedProject');
  });

  it('configures MCP servers', async () => {
    const { mcpServers } = admin;
    const added = await mcpServers.add({
      name: 'nothing',
      transport: 'HTTP',
      url: 'http://127.0.0.1:1/',
      enabled: false,
    });
    const id = added.__typename === 'McpServer' ? added.id : '';
    expect((await mcpServers.add({ name: '', transport: 'HTTP' })).__typename).toBe('InvalidInput');

    expect(await mcpServers.get(id)).toMatchObject({ name: 'nothing', status: 'DISABLED' });
    expect((await mcpServers.list()).totalCount).toBe(1);
    expect(await take(mcpServers.all({ first: 1 }), 5)).toHaveLength(1);
    expect(await mcpServers.update({ id, name: 'nobody' })).toMatchObject({ name: 'nobody' });
    expect(await mcpServers.setAccess({ serverId: id, userIds: [user.id] })).toMatchObject({
      users: [{ id: user.id }],
    });
    expect((await mcpServers.approveTools({ serverId: id, tools: [{ name: 'x' }] })).__typename).toBe('InvalidInput');
    expect(await codeOf(mcpServers.revokeTools({ serverId: id, names: ['x'] }))).toBeTypeOf('string');
    expect(await mcpServers.remove(id)).toBe(true);
  });

  it('writes, finds and reads notes', async () => {
    const [project] = await client.projects.list();
    const saved = await client.notes.save({ path: 'plans/sdk.md', body: '# The SDK' });
    expect(saved.__typename === 'Note' && saved.title).toBe('The SDK');
    expect((await client.notes.save({ path: '../up.md', body: '' })).__typename).toBe('InvalidInput');

    expect(await client.notes.get({ path: 'plans/sdk.md' })).toMatchObject({ body: '# The SDK' });
    expect(await client.notes.get({ path: 'nowhere.md' })).toBeNull();
    expect((await client.notes.list({ search: 'SDK', projectId: project?.id })).totalCount).toBeGreaterThan(0);
    expect((await client.notes.search({ query: 'SDK' })).map(({ path }) => path)).toContain('plans/sdk.md');
    expect(await client.notes.links({ path: 'plans/sdk.md' })).toMatchObject({ links: [] });
    expect(await client.notes.move({ path: 'plans/sdk.md', newPath: 'sdk.md' })).toMatchObject({
      from: 'plans/sdk.md',
    });
    expect(await client.notes.delete({ path: 'sdk.md' })).toBe(true);
    expect((await take(client.notes.all({ first: 3 }), 100)).map(({ path }) => path)).not.toContain('sdk.md');
  });

  it('sends any typed document', async () => {
    expect((await client.request(AgentConfigFieldsDocument)).agentConfigFields).toHaveLength(7);
    const [event] = await take(client.subscribe(SettingsChangedDocument, {}), 1);
    expect(event?.settingsChanged.id).toBe(user.id);
  });

  it('was tried with every function that it has', () => {
    client.close();
    expect(sdk.untried((noun) => !settingsAndPeople.has(noun))).toEqual([]);
  });
});

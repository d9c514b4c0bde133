import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {} from '../../api/test/kit/global-setup.ts';
import { type Kit, startKit, type TestUser } from '../../api/test/kit/kit.ts';
import { AgentConfigFieldsDocument, SettingsChangedDocument } from '../src/documents.ts';
import { createOracleClient, type OracleClient, OracleError } from '../src/index.ts';

let kit: Kit;
let user: TestUser;
let client: OracleClient;
let admin: OracleClient;
const called = new Set<string>();

beforeAll(async () => {
  kit = await startKit();
  user = await kit.newUser({ name: 'Ada' });
  client = recording(createOracleClient({ url: kit.url, token: user.token }), called);
  admin = recording(createOracleClient({ url: `${kit.url}/graphql`, token: async () => kit.admin.token }), called);
});
afterAll(async () => {
  client.close();
  admin.close();
  await kit.stop();
});

/** The same object; remembers which of its functions were asked for. */
function recording<Target extends object>(target: Target, names: Set<string>, prefix = ''): Target {
  return new Proxy(target, {
    get(object, key) {
      const value: unknown = Reflect.get(object, key);
      if (typeof value === 'function') names.add(`${prefix}${String(key)}`);
      return typeof value === 'object' && value !== null ? recording(value, names, `${prefix}${String(key)}.`) : value;
    },
  });
}

function functionsOf(value: object, prefix = ''): readonly string[] {
  return Object.entries(value).flatMap(([key, entry]: [string, unknown]) =>
    typeof entry === 'object' && entry !== null ? functionsOf(entry, `${prefix}${key}.`) : `${prefix}${key}`,
  );
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof OracleError) return error.code;
    throw error;
  }
  return 'no error';
}

async function take<Item>(items: AsyncIterable<Item>, count: number): Promise<Item[]> {
  const taken: Item[] = [];
  for await (const item of items) if (taken.push(item) >= count) break;
  return taken;
}

describe('the SDK against the server', () => {
  it('tells who is asking', async () => {
    expect(await client.viewer()).toMatchObject({ id: user.id, name: 'Ada', role: 'USER' });
  });

  it('reads, changes and resets limits, every outcome told apart by its type', async () => {
    expect(await client.agentConfig.get()).toMatchObject({ maxIterations: 15, version: 1 });
    expect(await client.agentConfig.fields()).toHaveLength(7);

    const saved = await client.agentConfig.update({ maxIterations: 20, expectedVersion: 1 });
    expect(saved.__typename === 'AgentConfig' && saved.maxIterations).toBe(20);
    const invalid = await client.agentConfig.update({ maxIterations: 0 });
    expect(invalid.__typename === 'InvalidAgentConfig' && invalid.problems.map(({ field }) => field)).toEqual([
      'maxIterations',
    ]);
    const conflict = await client.agentConfig.update({ maxIterations: 21, expectedVersion: 1 });
    expect(conflict.__typename === 'AgentConfigConflict' && conflict.current.maxIterations).toBe(20);

    const effective = await admin.agentConfig.effective(user.id);
    expect(effective.find(({ field }) => field === 'maxIterations')).toMatchObject({ value: 20, layer: 'USER' });
    expect(await client.agentConfig.reset({ fields: ['maxIterations'] })).toMatchObject({ maxIterations: 15 });
  });

  it('reads, changes and resets model settings', async () => {
    expect(await client.modelSettings.get()).toMatchObject({ oracleModel: 'offline' });
    expect(await client.modelSettings.fields()).toHaveLength(5);

    const saved = await client.modelSettings.update({ thinkingEnabled: true });
    expect(saved.__typename === 'ModelSettings' && saved.thinkingEnabled).toBe(true);
    const invalid = await client.modelSettings.update({ oracleModel: 'two words' });
    expect(invalid.__typename).toBe('InvalidInput');
    const conflict = await client.modelSettings.update({ thinkingEnabled: false, expectedVersion: 1 });
    expect(conflict.__typename).toBe('ModelSettingsConflict');

    const effective = await client.modelSettings.effective();
    expect(effective.find(({ field }) => field === 'thinkingEnabled')).toMatchObject({ value: true, layer: 'USER' });
    expect(await client.modelSettings.reset()).toMatchObject({ thinkingEnabled: false, version: 3 });
  });

  it('adds and finds people', async () => {
    const created = await admin.users.create({ email: 'grace@example.com', name: 'Grace' });
    const id = created.__typename === 'User' ? created.id : '';
    expect((await admin.users.create({ email: 'grace@example.com', name: 'Grace' })).__typename).toBe('InvalidInput');

    expect(await admin.users.get(id)).toMatchObject({ email: 'grace@example.com' });
    expect(await client.users.get(id)).toBeNull();
    expect((await admin.users.list({ search: 'grace' })).totalCount).toBe(1);
    const everybody = await take(admin.users.all({ first: 2 }), 100);
    expect(everybody.map(({ name }) => name)).toEqual(['Ada', 'Administrator', 'Grace']);
  });

  it('issues, lists and revokes tokens', async () => {
    const issued = await client.tokens.issue({ name: 'a script' });
    const { id, token } = issued.__typename === 'IssuedToken' ? issued : { id: '', token: '' };
    expect((await client.tokens.issue({ name: '' })).__typename).toBe('InvalidInput');
    const script = createOracleClient({ url: kit.url, token });
    expect(await script.viewer()).toMatchObject({ id: user.id });

    expect((await client.tokens.list()).map(({ name }) => name)).toEqual(['a script', 'test']);
    expect(await admin.tokens.list(user.id)).toHaveLength(2);
    expect([await client.tokens.revoke(id), await client.tokens.revoke(id)]).toEqual([true, false]);
    expect(await codeOf(script.viewer())).toBe('UNAUTHENTICATED');
  });

  it('reads and changes what the organisation decided', async () => {
    const { version } = await admin.organisation.get();
    const saved = await admin.organisation.update({ ceilings: { maxIterations: 30 }, expectedVersion: version });
    expect(saved.__typename === 'OrganisationConfig' && saved.version).toBe(version + 1);
    const conflict = await admin.organisation.update({ ceilings: { maxIterations: null }, expectedVersion: version });
    expect(conflict.__typename).toBe('OrganisationConfigConflict');
    expect((await admin.organisation.update({ defaults: { maxIterations: 99 } })).__typename).toBe('InvalidInput');
  });

  it('walks through the audit log', async () => {
    const { totalCount, edges } = await client.settings.changes.list({ first: 1 });
    expect(edges).toHaveLength(1);

    expect(await take(admin.settings.changes.all({ userId: user.id, first: 2 }), 100)).toHaveLength(totalCount);
  });

  it('reads all settings at once', async () => {
    const { agentConfig, agentConfigFields, effectiveModelSettings } = await client.settings.get();

    expect(agentConfigFields.map(({ name }) => name)).toContain('maxIterations');
    expect([agentConfig.maxIterations, effectiveModelSettings.fields.length]).toEqual([15, 5]);
    expect((await admin.settings.changes.list({ organisation: true })).totalCount).toBeGreaterThan(0);
  });

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

  it('follows settings as they change', async () => {
    const seen: number[] = [];
    for await (const { agentConfig } of client.settings.watch()) {
      seen.push(agentConfig.maxIterations);
      if (seen.length === 3) break;
      await admin.agentConfig.update({ userId: user.id, maxIterations: 20 + seen.length });
    }
    expect(seen).toEqual([15, 21, 22]);

    const stopped = new AbortController();
    for await (const { id } of admin.settings.watch({ userId: user.id, signal: stopped.signal })) {
      expect(id).toBe(user.id);
      stopped.abort();
    }
  });

  it('sends any typed document', async () => {
    expect((await client.request(AgentConfigFieldsDocument)).agentConfigFields).toHaveLength(7);
    const [event] = await take(client.subscribe(SettingsChangedDocument, {}), 1);
    expect(event?.settingsChanged.id).toBe(user.id);
  });

  it('turns failures of access into codes', async () => {
    const nobody = createOracleClient({ url: kit.url, token: 'wrong' });

    expect(await codeOf(nobody.viewer())).toBe('UNAUTHENTICATED');
    expect(await codeOf(take(nobody.settings.watch(), 1))).toBe('UNAUTHENTICATED');
    expect(await codeOf(client.users.list())).toBe('FORBIDDEN');
    expect(await codeOf(client.agentConfig.get(randomUUID()))).toBe('NOT_FOUND');
    expect(await codeOf(client.tokens.list(kit.admin.id))).toBe('NOT_FOUND');
    expect(await codeOf(admin.users.list({ first: 0 }))).toBe('BAD_USER_INPUT');
    nobody.close();
  });

  it('ends a live subscription with the token that opened it', async () => {
    const issued = await client.tokens.issue({ name: 'brief' });
    const { id, token } = issued.__typename === 'IssuedToken' ? issued : { id: '', token: '' };
    const brief = createOracleClient({ url: kit.url, token });
    const events = brief.settings.watch();
    await events.next();

    await client.tokens.revoke(id);
    expect(await codeOf(events.next())).toBe('UNAUTHENTICATED');
    brief.close();
  });

  it('was tried with every function that it has', () => {
    client.close();
    expect(functionsOf(createOracleClient({ url: kit.url, token: 'x' })).filter((name) => !called.has(name))).toEqual(
      [],
    );
  });
});

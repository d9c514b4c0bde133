import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../api/test/kit/kit.ts';
import { createOracleClient, type OracleClient } from '../src/index.ts';
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

describe('the SDK against the server: settings and people', () => {
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
    const script = createOracleClient({ url: sdk.kit.url, token });
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

  it('turns failures of access into codes', async () => {
    const nobody = createOracleClient({ url: sdk.kit.url, token: 'wrong' });

    expect(await codeOf(nobody.viewer())).toBe('UNAUTHENTICATED');
    expect(await codeOf(take(nobody.settings.watch(), 1))).toBe('UNAUTHENTICATED');
    expect(await codeOf(client.users.list())).toBe('FORBIDDEN');
    expect(await codeOf(client.agentConfig.get(randomUUID()))).toBe('NOT_FOUND');
    expect(await codeOf(client.tokens.list(sdk.kit.admin.id))).toBe('NOT_FOUND');
    expect(await codeOf(admin.users.list({ first: 0 }))).toBe('BAD_USER_INPUT');
    nobody.close();
  });

  it('ends a live subscription with the token that opened it', async () => {
    const issued = await client.tokens.issue({ name: 'brief' });
    const { id, token } = issued.__typename === 'IssuedToken' ? issued : { id: '', token: '' };
    const brief = createOracleClient({ url: sdk.kit.url, token });
    const events = brief.settings.watch();
    await events.next();

    await client.tokens.revoke(id);
    expect(await codeOf(events.next())).toBe('UNAUTHENTICATED');
    brief.close();
  });

  it('was tried with every function that it has', () => {
    expect(sdk.untried((noun) => settingsAndPeople.has(noun))).toEqual([]);
  });
});

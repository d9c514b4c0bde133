import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit/kit.ts';
import { update } from './update.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.stop());

describe('the audit log', () => {
  it('tells who changed whose setting, on which layer, from what to what, in pages', async () => {
    const user = await kit.newUser({ name: 'Ada' });
    await user.ask(update, { input: { maxIterations: 10 } });
    await kit.admin.ask(update, { input: { userId: user.id, maxIterations: 12, tokenBudget: 9_000 } });
    await kit.admin.ask('mutation ($id: ID!) { resetAgentConfig(userId: $id, fields: [maxIterations]) { version } }', {
      id: user.id,
    });

    const page = `query ($after: String) { settingChanges(first: 3, after: $after) {
      totalCount pageInfo { hasNextPage endCursor }
      edges { node { actor { name } user { id } group layer field title oldValue newValue version } } } }`;
    interface Log {
      settingChanges: {
        totalCount: number;
        pageInfo: { hasNextPage: boolean; endCursor: string };
        edges: { node: object }[];
      };
    }
    const first = (await user.ask<Log>(page)).settingChanges;
    const rest = (await user.ask<Log>(page, { after: first.pageInfo.endCursor })).settingChanges;

    const common = { user: { id: user.id }, group: 'AGENT_CONFIG', layer: 'USER' };
    const turns = { ...common, field: 'maxIterations', title: 'Max iterations' };
    expect(first).toMatchObject({ totalCount: 4, pageInfo: { hasNextPage: true } });
    expect([...first.edges, ...rest.edges].map((edge) => edge.node)).toEqual([
      { ...turns, actor: { name: 'Administrator' }, oldValue: 12, newValue: null, version: 4 },
      {
        ...common,
        field: 'tokenBudget',
        title: 'Token budget',
        actor: { name: 'Administrator' },
        oldValue: null,
        newValue: 9_000,
        version: 3,
      },
      { ...turns, actor: { name: 'Administrator' }, oldValue: 10, newValue: 12, version: 3 },
      { ...turns, actor: { name: 'Ada' }, oldValue: null, newValue: 10, version: 2 },
    ]);
  });

  it('keeps what was refused out', async () => {
    const user = await kit.newUser();
    await user.ask(update, { input: { maxIterations: 0 } });
    await user.ask(update, { input: { maxIterations: 5, expectedVersion: 7 } });
    expect(await user.ask('{ settingChanges { totalCount } }')).toEqual({ settingChanges: { totalCount: 0 } });
  });
});

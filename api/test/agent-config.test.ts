import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentConfigGroup } from '../src/settings/setting-group.ts';
import { codesOf } from './kit/client.ts';
import { type Kit, startKit } from './kit/kit.ts';

const update = `mutation ($input: UpdateAgentConfigInput!) {
  updateAgentConfig(input: $input) {
    __typename
    ... on AgentConfig { maxIterations tokenBudget version }
    ... on InvalidAgentConfig { message problems { field message value min max } }
    ... on AgentConfigConflict { message current { maxIterations version } }
  }
}`;
const updateOrganisation = `mutation ($input: UpdateOrganisationConfigInput!) {
  updateOrganisationConfig(input: $input) {
    __typename
    ... on OrganisationConfig { version agentConfig { field default ceiling } }
    ... on InvalidInput { problems { field message } }
    ... on OrganisationConfigConflict { current { version } }
  }
}`;

interface Updated {
  readonly updateAgentConfig: Record<string, unknown> & { readonly problems: Record<string, unknown>[] };
}
interface Effective {
  readonly effectiveConfig: { readonly fields: readonly Record<string, unknown>[] };
}

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.stop());

async function effectiveField(userToken: string, field: string) {
  const { effectiveConfig } = await kit
    .as(userToken)
    .ask<Effective>('{ effectiveConfig { fields { field value layer own fallback fallbackLayer ceiling } } }');
  return effectiveConfig.fields.find((entry) => entry['field'] === field);
}

describe('reading and changing one’s own limits', () => {
  it('starts from the built-in defaults', async () => {
    const user = await kit.newUser();

    const names = agentConfigGroup.fields.map((field) => field.name);
    const { agentConfig } = await user.ask<{ agentConfig: object }>(`{ agentConfig { ${names.join(' ')} version } }`);
    expect(agentConfig).toEqual({
      maxIterations: 15,
      softWarningPercent: 70,
      tokenBudget: 50_000,
      tokenWarningPercent: 80,
      timeoutSeconds: 120,
      maxToolCallsPerTurn: 5,
      maxParallelTools: 3,
      version: 1,
    });
  });

  it('serves names, titles, units, defaults and bounds to clients', async () => {
    const { agentConfigFields } = await kit.admin.ask<{ agentConfigFields: object[] }>(
      '{ agentConfigFields { name title help unit default min max } }',
    );
    expect(agentConfigFields).toHaveLength(7);
    expect(agentConfigFields[0]).toMatchObject({
      name: 'maxIterations',
      title: 'Max iterations',
      unit: 'turns',
      default: 15,
      min: 1,
      max: 50,
    });
  });

  it('changes only the fields sent, and keeps them', async () => {
    const user = await kit.newUser();
    const first = await user.ask<Updated>(update, { input: { maxIterations: 10 } });
    const second = await user.ask<Updated>(update, { input: { tokenBudget: 2_000 } });

    expect(first.updateAgentConfig).toMatchObject({ maxIterations: 10, tokenBudget: 50_000, version: 2 });
    expect(second.updateAgentConfig).toMatchObject({ maxIterations: 10, tokenBudget: 2_000, version: 3 });
    expect(await user.ask('{ agentConfig { maxIterations version } }')).toEqual({
      agentConfig: { maxIterations: 10, version: 3 },
    });
  });

  it('reports every bad field at once, with value and bounds, and changes nothing', async () => {
    const user = await kit.newUser();
    const { updateAgentConfig } = await user.ask<Updated>(update, {
      input: { maxIterations: 0, softWarningPercent: 60, tokenBudget: 200_001, timeoutSeconds: null },
    });

    expect(updateAgentConfig['__typename']).toBe('InvalidAgentConfig');
    expect(updateAgentConfig.problems).toEqual([
      {
        field: 'maxIterations',
        value: 0,
        min: 1,
        max: 50,
        message: 'Max iterations must be between 1 and 50; you sent 0.',
      },
      {
        field: 'tokenBudget',
        value: 200_001,
        min: 1_000,
        max: 200_000,
        message: 'Token budget must be between 1,000 and 200,000; you sent 200,001.',
      },
      {
        field: 'timeoutSeconds',
        value: null,
        min: 10,
        max: 600,
        message: 'Timeout must be a whole number between 10 and 600; you sent null.',
      },
    ]);
    expect(await user.ask('{ agentConfig { softWarningPercent version } }')).toEqual({
      agentConfig: { softWarningPercent: 70, version: 1 },
    });
  });

  it.each([
    ['a fraction', { maxIterations: 1.5 }, /maxIterations.*1\.5/],
    ['a text', { maxIterations: '10' }, /maxIterations.*"10"/],
    ['an unknown field', { maxIteration: 10 }, /maxIteration/],
    ['a number beyond 32 bits', { tokenBudget: 1e12 }, /tokenBudget/],
  ])('refuses %s with a clear error and changes nothing', async (_case, input, message) => {
    const user = await kit.newUser();
    const answer = await user.query(update, { input });

    expect(answer.errors?.[0]?.message).toMatch(message);
    expect(codesOf(answer)).toContain('BAD_USER_INPUT');
    expect(await user.ask('{ agentConfig { version } }')).toEqual({ agentConfig: { version: 1 } });
  });

  it('changes nothing when nothing is sent', async () => {
    const user = await kit.newUser();
    expect((await user.ask<Updated>(update, { input: {} })).updateAgentConfig).toMatchObject({ version: 1 });
  });

  it('answers a stale version with what stands now', async () => {
    const user = await kit.newUser();
    await user.ask(update, { input: { maxIterations: 20, expectedVersion: 1 } });
    const { updateAgentConfig } = await user.ask<Updated>(update, { input: { maxIterations: 30, expectedVersion: 1 } });

    expect(updateAgentConfig).toMatchObject({
      __typename: 'AgentConfigConflict',
      current: { maxIterations: 20, version: 2 },
    });
  });

  it('resets one field, or all', async () => {
    const user = await kit.newUser();
    await user.ask(update, { input: { maxIterations: 20, tokenBudget: 2_000 } });

    const reset =
      'mutation ($fields: [AgentConfigFieldName!]) { resetAgentConfig(fields: $fields) { maxIterations tokenBudget version } }';
    expect(await user.ask(reset, { fields: ['maxIterations'] })).toEqual({
      resetAgentConfig: { maxIterations: 15, tokenBudget: 2_000, version: 3 },
    });
    expect(await user.ask(reset)).toEqual({ resetAgentConfig: { maxIterations: 15, tokenBudget: 50_000, version: 4 } });
    expect(await user.ask(reset)).toEqual({ resetAgentConfig: { maxIterations: 15, tokenBudget: 50_000, version: 4 } });
  });

  it('counts versions without a gap through 200 concurrent updates, losing none', async () => {
    const user = await kit.newUser();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        user.ask<Updated>(update, { input: { maxIterations: 1 + (index % 50) } }),
      ),
    );

    const versions = answers.map((answer) => Number(answer.updateAgentConfig['version'])).toSorted((a, b) => a - b);
    expect(versions).toEqual(Array.from({ length: 200 }, (_, index) => index + 2));
    const last = answers.find((answer) => answer.updateAgentConfig['version'] === 201);
    expect(await user.ask('{ agentConfig { maxIterations version } }')).toEqual({
      agentConfig: { maxIterations: last?.updateAgentConfig['maxIterations'], version: 201 },
    });
  });

  it('lets exactly one of many updates based on the same version through', async () => {
    const user = await kit.newUser();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        user.ask<Updated>(update, { input: { maxIterations: index + 1, expectedVersion: 1 } }),
      ),
    );

    const types = answers.map((answer) => answer.updateAgentConfig['__typename']);
    expect(types.filter((type) => type === 'AgentConfig')).toHaveLength(1);
    expect(types.filter((type) => type === 'AgentConfigConflict')).toHaveLength(49);
  });
});

describe('old and damaged rows', () => {
  it.each([
    ['missing fields', '{"maxIterations": 9}', { maxIterations: 9, tokenBudget: 50_000 }],
    [
      'values out of today’s bounds',
      '{"maxIterations": 400, "tokenBudget": -3}',
      { maxIterations: 50, tokenBudget: 1_000 },
    ],
    [
      'values of the wrong kind',
      '{"maxIterations": "many", "tokenBudget": null}',
      { maxIterations: 15, tokenBudget: 50_000 },
    ],
    ['fractions', '{"maxIterations": 9.6}', { maxIterations: 10, tokenBudget: 50_000 }],
    ['no object at all', '"lost"', { maxIterations: 15, tokenBudget: 50_000 }],
    ['a list', '[1, 2]', { maxIterations: 15, tokenBudget: 50_000 }],
  ])('reads %s as sensible values, and can be changed', async (_case, stored, expected) => {
    const user = await kit.newUser();
    await user.ask(update, { input: { maxParallelTools: 2 } });
    await kit.database.query('update user_settings set agent_config = $1 where user_id = $2', [stored, user.id]);

    expect(await user.ask('{ agentConfig { maxIterations tokenBudget } }')).toEqual({ agentConfig: expected });
    const { updateAgentConfig } = await user.ask<Updated>(update, { input: { maxIterations: 7 } });
    expect(updateAgentConfig).toMatchObject({ maxIterations: 7, tokenBudget: expected.tokenBudget });
  });
});

describe('layers', () => {
  it('names the layer of every value, and ceilings clamp at once', async () => {
    const user = await kit.newUser();
    await user.ask(update, { input: { maxIterations: 40 } });
    expect(await effectiveField(user.token, 'maxIterations')).toMatchObject({
      value: 40,
      layer: 'USER',
      own: 40,
      fallback: 15,
    });

    await kit.admin.ask(updateOrganisation, {
      input: { ceilings: { maxIterations: 20 }, defaults: { timeoutSeconds: 60 } },
    });
    expect(await effectiveField(user.token, 'maxIterations')).toMatchObject({
      value: 20,
      layer: 'CEILING',
      own: 40,
      ceiling: 20,
    });
    expect(await effectiveField(user.token, 'timeoutSeconds')).toMatchObject({
      value: 60,
      layer: 'ORGANISATION',
      own: null,
    });
    expect(await effectiveField(user.token, 'tokenBudget')).toMatchObject({ value: 50_000, layer: 'BUILT_IN' });
    expect(await user.ask('{ agentConfig { maxIterations } }')).toEqual({ agentConfig: { maxIterations: 20 } });

    const { updateAgentConfig } = await user.ask<Updated>(update, { input: { maxIterations: 21 } });
    expect(updateAgentConfig.problems).toEqual([
      {
        field: 'maxIterations',
        value: 21,
        min: 1,
        max: 20,
        message: "Max iterations must be between 1 and 20, your organisation's ceiling; you sent 21.",
      },
    ]);

    await kit.admin.ask(updateOrganisation, {
      input: { ceilings: { maxIterations: null }, defaults: { timeoutSeconds: null } },
    });
    expect(await effectiveField(user.token, 'maxIterations')).toMatchObject({
      value: 40,
      layer: 'USER',
      ceiling: null,
    });
    expect(await effectiveField(user.token, 'timeoutSeconds')).toMatchObject({ value: 120, layer: 'BUILT_IN' });
  });

  it('reports every bad organisation value by its path', async () => {
    const { updateOrganisationConfig } = await kit.admin.ask<{
      updateOrganisationConfig: { problems: { field: string }[] };
    }>(updateOrganisation, { input: { defaults: { maxIterations: 99 }, ceilings: { tokenBudget: 1 } } });
    expect(updateOrganisationConfig.problems.map((problem) => problem.field)).toEqual([
      'defaults.maxIterations',
      'ceilings.tokenBudget',
    ]);
  });

  it('answers a stale organisation version as a conflict', async () => {
    const { organisationConfig } = await kit.admin.ask<{ organisationConfig: { version: number } }>(
      '{ organisationConfig { version } }',
    );
    const input = { expectedVersion: organisationConfig.version - 1, defaults: { maxIterations: 11 } };
    expect(await kit.admin.ask(updateOrganisation, { input })).toMatchObject({
      updateOrganisationConfig: { __typename: 'OrganisationConfigConflict', current: organisationConfig },
    });
  });
});

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

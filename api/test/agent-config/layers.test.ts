import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit/kit.ts';
import { type Updated, update } from './update.ts';

const updateOrganisation = `mutation ($input: UpdateOrganisationConfigInput!) {
  updateOrganisationConfig(input: $input) {
    __typename
    ... on OrganisationConfig { version agentConfig { field default ceiling } }
    ... on InvalidInput { problems { field message } }
    ... on OrganisationConfigConflict { current { version } }
  }
}`;

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

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentConfigGroup } from '../../src/settings/setting-group.ts';
import { codesOf } from '../kit/client.ts';
import { type Kit, startKit } from '../kit/kit.ts';
import { type Updated, update } from './update.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.stop());

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

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit/kit.ts';
import { overSse } from '../kit/live.ts';

const update = `mutation ($input: UpdateOrganisationConfigInput!) { updateOrganisationConfig(input: $input) {
  __typename ... on OrganisationConfig { allowedModels version } ... on InvalidInput { problems { field message } } } }`;

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.stop());

const allow = async (input: Record<string, unknown>) =>
  (await kit.admin.ask<{ updateOrganisationConfig: Record<string, unknown> }>(update, { input }))
    .updateOrganisationConfig;
beforeEach(async () => void (await allow({ allowedModels: [] })));

async function ask(token: string, model?: string) {
  const query = `subscription ($input: OracleQueryInput!) { oracleQuery(input: $input) { __typename } }`;
  const answer = overSse({ url: kit.url, token }, query, {
    input: { question: 'What is known?', ...(model && { model }) },
  });
  const first = await answer.next();
  await answer.stop();
  return first?.errors?.[0]?.message ?? 'asked';
}

describe('the models that an organisation allows', () => {
  it('are all of them until some are named', async () => {
    const user = await kit.newUser();
    expect(await ask(user.token, 'simulated/answer')).toBe('asked');
  });

  it('are the only ones that can be asked, chosen and made the default; the answer names them', async () => {
    const user = await kit.newUser();
    expect(await allow({ allowedModels: ['offline', 'simulated/lo*'] })).toMatchObject({
      allowedModels: ['offline', 'simulated/lo*'],
    });

    expect(await ask(user.token)).toBe('asked');
    expect(await ask(user.token, 'simulated/loop')).toBe('asked');
    expect(await ask(user.token, 'simulated/answer')).toContain(
      'The model "simulated/answer" is not allowed in your organisation. Allowed: offline, simulated/lo*.',
    );
    const choose = `mutation { updateModelSettings(input: { oracleModel: "simulated/busy" }) { ... on InvalidInput { problems { field message } } } }`;
    expect(await user.ask(choose)).toMatchObject({ updateModelSettings: { problems: [{ field: 'oracleModel' }] } });
    expect(await allow({ modelDefaults: { oracleModel: 'simulated/busy' } })).toMatchObject({
      problems: [{ field: 'modelDefaults.oracleModel' }],
    });
    const { models } = await user.ask<{ models: { id: string; allowed: boolean }[] }>('{ models { id allowed } }');
    expect(models.filter(({ allowed }) => allowed).map(({ id }) => id)).toEqual(
      expect.arrayContaining(['offline', 'simulated/loop']),
    );
    expect(models.find(({ id }) => id === 'simulated/busy')?.allowed).toBe(false);
  });

  it('hold for those who chose another one before', async () => {
    const user = await kit.newUser();
    await user.ask('mutation { updateModelSettings(input: { oracleModel: "simulated/answer" }) { __typename } }');
    await allow({ allowedModels: ['offline'] });

    expect(await ask(user.token)).toContain('choose another one there');
  });

  it('must include the default, and be names', async () => {
    expect(await allow({ allowedModels: ['simulated/*'] })).toMatchObject({
      problems: [{ field: 'allowedModels' }, {}],
    });
    expect(await allow({ allowedModels: ['offline', 'two words'] })).toMatchObject({
      problems: [{ field: 'allowedModels' }],
    });
  });

  it('are in the audit log, and put back with the rest', async () => {
    const before = await allow({ allowedModels: ['offline'] });
    await allow({ allowedModels: ['offline', 'simulated/*'] });
    const back = await kit.admin.ask(
      `mutation { revertOrganisationConfig(to: ${String(before.version)}) { ... on SettingsRevert { differences { field from to } } } }`,
    );

    expect(back).toEqual({
      revertOrganisationConfig: {
        differences: [{ field: 'allowedModels', from: ['offline', 'simulated/*'], to: ['offline'] }],
      },
    });
    expect(await kit.admin.ask('{ organisationConfig { allowedModels } }')).toEqual({
      organisationConfig: { allowedModels: ['offline'] },
    });
  });
});

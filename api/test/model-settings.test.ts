import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codesOf } from './kit/client.ts';
import { type Kit, startKit } from './kit/kit.ts';

const all = 'oracleModel subagentModel thinkingEnabled librarianTimeout maxContextNodes version';
const read = `{ modelSettings { ${all} } }`;
const update = `mutation ($input: UpdateModelSettingsInput!) {
  updateModelSettings(input: $input) {
    __typename
    ... on ModelSettings { ${all} }
    ... on InvalidInput { message problems { field message value min max } }
    ... on ModelSettingsConflict { message current { ${all} } }
  }
}`;
const reset = `mutation ($userId: ID, $fields: [ModelSettingsFieldName!]) { resetModelSettings(userId: $userId, fields: $fields) { ${all} } }`;
const updateOrganisation = `mutation ($input: UpdateOrganisationConfigInput!) {
  updateOrganisationConfig(input: $input) {
    __typename ... on OrganisationConfig { modelSettings { field default ceiling } } ... on InvalidInput { problems { field message } }
  }
}`;

interface Updated {
  readonly updateModelSettings: Record<string, unknown> & { readonly problems: readonly Record<string, unknown>[] };
}
interface Effective {
  readonly effectiveModelSettings: { readonly fields: readonly Record<string, unknown>[] };
}

const defaults = {
  oracleModel: 'openrouter/vendor/default',
  subagentModel: 'openrouter/vendor/default',
  thinkingEnabled: false,
  librarianTimeout: 1_200,
  maxContextNodes: 30,
  version: 1,
};

let kit: Kit;
beforeAll(async () => {
  kit = await startKit({ defaultModel: 'openrouter/vendor/default' });
});
afterAll(() => kit.stop());

async function inForce(token: string, field: string) {
  const { effectiveModelSettings } = await kit
    .as(token)
    .ask<Effective>('{ effectiveModelSettings { fields { field value layer own fallback fallbackLayer ceiling } } }');
  return effectiveModelSettings.fields.find((entry) => entry.field === field);
}

describe('reading and changing one’s own model settings', () => {
  it('starts from the built-in defaults, the model being the one the server was started with', async () => {
    const user = await kit.newUser();

    expect(await user.ask(read)).toEqual({ modelSettings: defaults });
    expect(await inForce(user.token, 'oracleModel')).toMatchObject({ layer: 'BUILT_IN', own: null });
  });

  it('serves what a client needs to draw each, whatever its kind', async () => {
    const { modelSettingsFields } = await kit.admin.ask<{ modelSettingsFields: object[] }>(
      '{ modelSettingsFields { name kind unit default min max title help } }',
    );
    expect(modelSettingsFields).toMatchObject([
      { name: 'oracleModel', kind: 'TEXT', min: 1, max: 200, unit: '' },
      { name: 'subagentModel', kind: 'TEXT' },
      { name: 'thinkingEnabled', kind: 'SWITCH', default: false, min: null, max: null },
      { name: 'librarianTimeout', kind: 'WHOLE_NUMBER', default: 1_200, min: 60, max: 3_600, unit: 'seconds' },
      { name: 'maxContextNodes', kind: 'WHOLE_NUMBER', default: 30, min: 5, max: 100 },
    ]);
  });

  it('changes only the fields sent, apart from the limits, and keeps them', async () => {
    const user = await kit.newUser();
    await user.ask(update, { input: { oracleModel: 'simulated/loop', thinkingEnabled: true } });
    await user.ask(update, { input: { maxContextNodes: 5 } });

    const changed = { oracleModel: 'simulated/loop', thinkingEnabled: true, maxContextNodes: 5, version: 3 };
    expect(await user.ask(`{ modelSettings { ${all} } agentConfig { version } }`)).toEqual({
      modelSettings: { ...defaults, ...changed },
      agentConfig: { version: 1 },
    });
  });

  it('reports every bad field at once, in sentences, and changes nothing', async () => {
    const user = await kit.newUser();
    const { updateModelSettings } = await user.ask<Updated>(update, {
      input: {
        oracleModel: 'two words',
        subagentModel: '',
        thinkingEnabled: null,
        librarianTimeout: 59,
        maxContextNodes: 101,
      },
    });

    const text = (name: string, sent: string) =>
      `${name} must be 1 to 200 printable characters without spaces; you sent ${sent}.`;
    expect(updateModelSettings.__typename).toBe('InvalidInput');
    expect(updateModelSettings.problems).toEqual([
      { field: 'oracleModel', value: 'two words', min: 1, max: 200, message: text('Model', '"two words"') },
      { field: 'subagentModel', value: '', min: 1, max: 200, message: text('Sub-agent model', '""') },
      {
        field: 'thinkingEnabled',
        value: null,
        min: null,
        max: null,
        message: 'Thinking must be on or off; you sent null.',
      },
      {
        field: 'librarianTimeout',
        value: 59,
        min: 60,
        max: 3_600,
        message: 'Librarian timeout must be between 60 and 3,600; you sent 59.',
      },
      {
        field: 'maxContextNodes',
        value: 101,
        min: 5,
        max: 100,
        message: 'Remembered exchanges must be between 5 and 100; you sent 101.',
      },
    ]);
    expect(await user.ask(read)).toEqual({ modelSettings: defaults });
  });

  it.each([
    ['a NUL', 'a\0b'],
    ['a line break', 'a\nb'],
    ['half a character', '\ud83d'],
    ['a name too long', 'x'.repeat(201)],
  ])('refuses %s in the name of a model', async (_case, oracleModel) => {
    const user = await kit.newUser();
    expect((await user.ask<Updated>(update, { input: { oracleModel } })).updateModelSettings).toMatchObject({
      __typename: 'InvalidInput',
      problems: [{ field: 'oracleModel' }],
    });
  });

  it.each([
    ['that is not there, with what is meant', 'simulated/lop', 'There is no model "simulated/lop". Did you mean'],
    ['of a provider that is not switched on', 'anthropic/some', 'the server needs ANTHROPIC_API_KEY'],
  ])('refuses a model %s, as a person’s own and as everybody’s', async (_case, model, words) => {
    const user = await kit.newUser();
    const problem = (field: string) => ({ field, message: expect.stringContaining(words) });

    expect(
      await user.ask(update, { input: { oracleModel: model, subagentModel: model, maxContextNodes: 1 } }),
    ).toMatchObject({
      updateModelSettings: {
        problems: [{ field: 'maxContextNodes' }, problem('oracleModel'), problem('subagentModel')],
      },
    });
    expect(await user.ask(read)).toEqual({ modelSettings: defaults });
    expect(
      await kit.admin.ask(updateOrganisation, { input: { modelDefaults: { subagentModel: model } } }),
    ).toMatchObject({ updateOrganisationConfig: { problems: [problem('modelDefaults.subagentModel')] } });
  });

  it.each([
    ['a number for a text', { oracleModel: 7 }],
    ['a text for a switch', { thinkingEnabled: 'yes' }],
    ['a fraction', { maxContextNodes: 7.5 }],
    ['an unknown field', { model: 'offline' }],
  ])('refuses %s with a clear error', async (_case, input) => {
    const user = await kit.newUser();
    expect(codesOf(await user.query(update, { input }))).toContain('BAD_USER_INPUT');
  });

  it('answers a stale version with what stands now', async () => {
    const user = await kit.newUser();
    await user.ask(update, { input: { maxContextNodes: 10, expectedVersion: 1 } });

    expect(await user.ask<Updated>(update, { input: { maxContextNodes: 20, expectedVersion: 1 } })).toMatchObject({
      updateModelSettings: { __typename: 'ModelSettingsConflict', current: { maxContextNodes: 10, version: 2 } },
    });
  });

  it('resets one field, or all', async () => {
    const user = await kit.newUser();
    await user.ask(update, { input: { oracleModel: 'offline', thinkingEnabled: true } });

    expect(await user.ask(reset, { fields: ['oracleModel'] })).toMatchObject({
      resetModelSettings: { oracleModel: defaults.oracleModel, thinkingEnabled: true, version: 3 },
    });
    expect(await user.ask(reset)).toEqual({ resetModelSettings: { ...defaults, version: 4 } });
  });
});

describe('layers of model settings', () => {
  it('go from the server’s default over the organisation’s to the person’s, under the ceiling', async () => {
    const user = await kit.newUser();
    await user.ask(update, { input: { librarianTimeout: 3_000 } });
    const organisation = {
      modelDefaults: { oracleModel: 'offline', thinkingEnabled: true },
      modelCeilings: { librarianTimeout: 600 },
    };
    await kit.admin.ask(updateOrganisation, { input: organisation });

    expect(await inForce(user.token, 'oracleModel')).toMatchObject({ value: 'offline', layer: 'ORGANISATION' });
    expect(await inForce(user.token, 'thinkingEnabled')).toMatchObject({ value: true, layer: 'ORGANISATION' });
    expect(await inForce(user.token, 'librarianTimeout')).toMatchObject({ value: 600, layer: 'CEILING', own: 3_000 });
    await user.ask(update, { input: { oracleModel: 'simulated/slow', thinkingEnabled: false } });
    expect(await inForce(user.token, 'oracleModel')).toMatchObject({
      value: 'simulated/slow',
      layer: 'USER',
      fallback: 'offline',
      fallbackLayer: 'ORGANISATION',
    });
    expect(await inForce(user.token, 'thinkingEnabled')).toMatchObject({ value: false, layer: 'USER', fallback: true });
    const { updateModelSettings } = await user.ask<Updated>(update, { input: { librarianTimeout: 601 } });
    expect(updateModelSettings.problems).toMatchObject([{ field: 'librarianTimeout', max: 600 }]);

    const cleared = {
      modelDefaults: { oracleModel: null, thinkingEnabled: null },
      modelCeilings: { librarianTimeout: null },
    };
    await kit.admin.ask(updateOrganisation, { input: cleared });
    expect(await inForce(user.token, 'librarianTimeout')).toMatchObject({ value: 3_000, layer: 'USER', ceiling: null });
  });

  it('report every bad organisation value by its path', async () => {
    const input = { modelDefaults: { oracleModel: ' ' }, modelCeilings: { librarianTimeout: 1 } };
    expect(await kit.admin.ask(updateOrganisation, { input })).toMatchObject({
      updateOrganisationConfig: {
        problems: [{ field: 'modelDefaults.oracleModel' }, { field: 'modelCeilings.librarianTimeout' }],
      },
    });
  });
});

describe('the audit log of model settings', () => {
  it('tells who changed what, texts and switches included', async () => {
    const user = await kit.newUser({ name: 'Grace' });
    await user.ask(update, { input: { oracleModel: 'offline' } });
    await kit.admin.ask(update, { input: { userId: user.id, thinkingEnabled: true } });
    await kit.admin.ask(reset, { userId: user.id, fields: ['oracleModel'] });

    const log = await user.ask<{ settingChanges: { edges: { node: object }[] } }>(
      '{ settingChanges { edges { node { actor { name } group layer field oldValue newValue version } } } }',
    );
    const common = { group: 'MODEL_SETTINGS', layer: 'USER' };
    const byAdmin = { ...common, actor: { name: 'Administrator' } };
    expect(log.settingChanges.edges.map(({ node }) => node)).toEqual([
      { ...byAdmin, field: 'oracleModel', oldValue: 'offline', newValue: null, version: 4 },
      { ...byAdmin, field: 'thinkingEnabled', oldValue: null, newValue: true, version: 3 },
      { ...common, actor: { name: 'Grace' }, field: 'oracleModel', oldValue: null, newValue: 'offline', version: 2 },
    ]);
  });
});

describe('old and damaged model settings', () => {
  it.each([
    ['missing fields', '{"thinkingEnabled": true}', { thinkingEnabled: true }],
    [
      'values out of today’s bounds',
      '{"librarianTimeout": 1, "maxContextNodes": 1e9}',
      { librarianTimeout: 60, maxContextNodes: 100 },
    ],
    ['values of the wrong kind', '{"oracleModel": 7, "thinkingEnabled": "yes", "maxContextNodes": [1]}', {}],
    ['names that are none', '{"oracleModel": "two words", "subagentModel": ""}', {}],
    ['no object at all', '17', {}],
    ['null', 'null', {}],
  ])('read %s as sensible values, and can be changed', async (_case, stored, expected) => {
    const user = await kit.newUser();
    await user.ask(update, { input: { thinkingEnabled: false } });
    await kit.database.query('update user_settings set model_settings = $1 where user_id = $2', [stored, user.id]);

    expect(await user.ask(read)).toEqual({ modelSettings: { ...defaults, ...expected, version: 2 } });
    expect(await user.ask(update, { input: { oracleModel: 'offline' } })).toMatchObject({
      updateModelSettings: { ...defaults, ...expected, oracleModel: 'offline', version: 3 },
    });
  });
});

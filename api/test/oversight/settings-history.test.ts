import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codesOf } from '../kit/client.ts';
import { type Kit, startKit, type TestUser } from '../kit/kit.ts';

const result = `__typename
  ... on SettingsRevert { applied version differences { layer field title from to } }
  ... on InvalidInput { problems { field message } }
  ... on SettingsRevertConflict { message version }`;
const revert = `mutation ($userId: ID, $group: SettingGroup!, $to: Int!, $expectedVersion: Int, $dryRun: Boolean) {
  revertSettings(userId: $userId, group: $group, to: $to, expectedVersion: $expectedVersion, dryRun: $dryRun) { ${result} }
}`;
const revertOrganisation = `mutation ($to: Int!, $expectedVersion: Int, $dryRun: Boolean) {
  revertOrganisationConfig(to: $to, expectedVersion: $expectedVersion, dryRun: $dryRun) { ${result} }
}`;

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.stop());

type Values = Record<string, unknown>;

async function set(user: TestUser, values: Values): Promise<void> {
  await user.ask('mutation ($input: UpdateAgentConfigInput!) { updateAgentConfig(input: $input) { __typename } }', {
    input: values,
  });
}
async function setOrganisation(input: Values): Promise<void> {
  await kit.admin.ask(
    'mutation ($input: UpdateOrganisationConfigInput!) { updateOrganisationConfig(input: $input) { __typename } }',
    { input },
  );
}
const send = async (by: TestUser, variables: Values) =>
  (await by.ask<{ revertSettings: Values }>(revert, { group: 'AGENT_CONFIG', ...variables })).revertSettings;
const limits = async (user: TestUser) =>
  (await user.ask<{ agentConfig: Values }>('{ agentConfig { maxIterations tokenBudget timeoutSeconds version } }'))
    .agentConfig;

/** Version 2: turns 10; version 3: turns 20, tokens 9,000; version 4: tokens forgotten. */
async function withHistory(): Promise<TestUser> {
  const user = await kit.newUser();
  await set(user, { maxIterations: 10 });
  await set(user, { maxIterations: 20, tokenBudget: 9_000 });
  await user.ask('mutation { resetAgentConfig(fields: [tokenBudget]) { version } }');
  return user;
}

describe('comparing two points of a history', () => {
  it('tells what differs, in the direction asked for, and passes over what came and went', async () => {
    const user = await withHistory();
    const compare = async (from: number, to: number) =>
      (
        await user.ask<{ viewer: { settingDifferences: Values[] } }>(
          `query ($from: Int!, $to: Int!) { viewer { settingDifferences(group: AGENT_CONFIG, from: $from, to: $to) { title from to } } }`,
          { from, to },
        )
      ).viewer.settingDifferences;

    expect(await compare(1, 4)).toEqual([{ title: 'Max iterations', from: null, to: 20 }]);
    expect(await compare(3, 2)).toEqual([
      { title: 'Max iterations', from: 20, to: 10 },
      { title: 'Token budget', from: 9_000, to: null },
    ]);
    expect(await compare(3, 3)).toEqual([]);
  });
});

describe('putting a person’s settings back', () => {
  it('is previewed without a change, then done as an update of its own in the log', async () => {
    const user = await withHistory();

    const preview = await send(user, { to: 3, dryRun: true });
    expect(preview).toEqual({
      __typename: 'SettingsRevert',
      applied: false,
      version: 4,
      differences: [{ layer: 'USER', field: 'tokenBudget', title: 'Token budget', from: null, to: 9_000 }],
    });
    expect(await limits(user)).toMatchObject({ tokenBudget: 50_000, version: 4 });

    expect(await send(kit.admin, { userId: user.id, to: 2, expectedVersion: 4 })).toMatchObject({
      applied: true,
      version: 5,
    });
    expect(await limits(user)).toMatchObject({ maxIterations: 10, tokenBudget: 50_000, version: 5 });
    const { settingChanges } = await user.ask<{ settingChanges: { edges: { node: object }[] } }>(
      '{ settingChanges(first: 1) { edges { node { actor { id } field oldValue newValue version } } } }',
    );
    expect(settingChanges.edges[0]?.node).toEqual({
      actor: { id: kit.admin.id },
      field: 'maxIterations',
      oldValue: 20,
      newValue: 10,
      version: 5,
    });
  });

  it('sets and forgets in one step', async () => {
    const user = await withHistory();
    await set(user, { timeoutSeconds: 60 });

    expect(await send(user, { to: 3 })).toMatchObject({ applied: true, version: 6 });
    expect(await limits(user)).toMatchObject({ maxIterations: 20, tokenBudget: 9_000, timeoutSeconds: 120 });
  });

  it('changes nothing when somebody was faster', async () => {
    const user = await withHistory();
    await set(user, { maxIterations: 33 });

    expect(await send(user, { to: 2, expectedVersion: 4 })).toEqual({
      __typename: 'SettingsRevertConflict',
      message: 'These settings were changed meanwhile; they are at version 5 now.',
      version: 5,
    });
    expect(await limits(user)).toMatchObject({ maxIterations: 33, version: 5 });
  });

  it('refuses what a ceiling has since forbidden, in the preview as well, and versions that never were', async () => {
    const user = await kit.newUser();
    await set(user, { maxToolCallsPerTurn: 15 });
    await set(user, { maxToolCallsPerTurn: 4 });
    await setOrganisation({ ceilings: { maxToolCallsPerTurn: 8 } });

    const [preview, done] = [await send(user, { to: 2, dryRun: true }), await send(user, { to: 2 })];
    await setOrganisation({ ceilings: { maxToolCallsPerTurn: null } });

    expect(preview).toMatchObject({ __typename: 'InvalidInput', problems: [{ field: 'maxToolCallsPerTurn' }] });
    expect(done).toEqual(preview);
    expect(await send(user, { to: 0 })).toMatchObject({ problems: [{ field: 'to' }] });
    expect(await send(user, { to: 9 })).toMatchObject({ problems: [{ field: 'to' }] });
  });

  it('works for model settings, and is nobody else’s business', async () => {
    const [user, other] = [await withHistory(), await kit.newUser()];
    await user.ask('mutation { updateModelSettings(input: { thinkingEnabled: true }) { __typename } }');

    expect(await send(user, { group: 'MODEL_SETTINGS', to: 1 })).toMatchObject({
      applied: true,
      differences: [{ title: 'Thinking', from: true, to: null }],
    });
    expect(await send(user, { group: 'MCP_SERVERS', to: 1 })).toMatchObject({ problems: [{ field: 'group' }] });
    const foreign = await other.query(revert, { userId: user.id, group: 'AGENT_CONFIG', to: 1 });
    expect(codesOf(foreign)).toEqual(['NOT_FOUND']);
  });
});

describe('putting the organisation’s settings back', () => {
  it('takes defaults and ceilings back together, with a preview and a check of the version', async () => {
    const read =
      '{ organisationConfig { version agentConfig { field default ceiling } settingDifferences(from: 1, to: 2) { field } } }';
    const organisation = async () =>
      (await kit.admin.ask<{ organisationConfig: { version: number; agentConfig: Values[] } }>(read))
        .organisationConfig;
    const before = await organisation();
    await setOrganisation({ defaults: { maxIterations: 9 }, ceilings: { tokenBudget: 70_000 } });
    const send = async (variables: Values) =>
      (await kit.admin.ask<{ revertOrganisationConfig: Values }>(revertOrganisation, variables))
        .revertOrganisationConfig;

    const preview = await send({ to: before.version, dryRun: true });
    const stale = await send({ to: before.version, expectedVersion: before.version });
    const done = await send({ to: before.version, expectedVersion: before.version + 1 });

    expect(preview).toMatchObject({
      applied: false,
      differences: [
        { layer: 'ORGANISATION', field: 'maxIterations', from: 9, to: null },
        { layer: 'CEILING', field: 'tokenBudget', from: 70_000, to: null },
      ],
    });
    expect(stale).toMatchObject({ __typename: 'SettingsRevertConflict', version: before.version + 1 });
    expect(done).toMatchObject({ applied: true, version: before.version + 2 });
    expect((await organisation()).agentConfig).toEqual(before.agentConfig);
  });
});

describe('forgetting limits', () => {
  it('is refused with a conflict when the version it was based on no longer stands', async () => {
    const user = await withHistory();
    const reset = 'mutation ($version: Int) { resetAgentConfig(expectedVersion: $version) { version maxIterations } }';

    const stale = await user.query(reset, { version: 3 });
    expect(codesOf(stale)).toEqual(['CONFLICT']);
    expect(stale.errors?.[0]?.extensions).toMatchObject({ version: 4 });
    expect(await limits(user)).toMatchObject({ maxIterations: 20, version: 4 });
    expect(await user.ask(reset, { version: 4 })).toEqual({ resetAgentConfig: { version: 5, maxIterations: 15 } });
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codesOf } from '../kit/client.ts';
import { type Kit, startKit, type TestUser } from '../kit/kit.ts';

const change = `mutation ($input: UpdateAgentConfigsInput!) {
  updateAgentConfigs(input: $input) {
    __typename
    ... on AgentConfigsUpdate {
      applied changed unchanged refused
      people {
        userId status config { version maxIterations timeoutSeconds } user { name }
        changes { field from to before after layer } problems { field message value min max }
      }
    }
    ... on InvalidAgentConfig { problems { field message } }
  }
}`;

interface Changed {
  readonly updateAgentConfigs: {
    readonly __typename: string;
    readonly applied: boolean;
    readonly changed: number;
    readonly unchanged: number;
    readonly refused: number;
    readonly problems: readonly { field: string; message: string }[];
    readonly people: readonly {
      readonly userId: string;
      readonly status: string;
      readonly config: { readonly version: number; readonly maxIterations: number };
      readonly changes: readonly Record<string, unknown>[];
      readonly problems: readonly Record<string, unknown>[];
    }[];
  };
}

let kit: Kit;
let people: readonly [TestUser, TestUser, TestUser];
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.stop());

async function three(): Promise<typeof people> {
  return [await kit.newUser(), await kit.newUser(), await kit.newUser()];
}

const send = async (input: object, by: Pick<TestUser, 'ask'> = kit.admin) =>
  (await by.ask<Changed>(change, { input })).updateAgentConfigs;
const named = (users: readonly TestUser[]) => users.map(({ id }) => ({ userId: id }));
const limitsOf = async (user: TestUser) =>
  (
    await user.ask<{ agentConfig: { maxIterations: number; version: number } }>(
      '{ agentConfig { maxIterations timeoutSeconds version } }',
    )
  ).agentConfig;

describe('changing the limits of many', () => {
  it('tells what it would do to each, and does nothing, in a dry run', async () => {
    const [one, two, three_] = await three();
    await send({ people: named([two]), changes: { maxIterations: 30 } });
    const before = await Promise.all([one, two, three_].map(limitsOf));

    const preview = await send({ people: named([one, two, three_]), changes: { maxIterations: 30 }, dryRun: true });

    expect(preview).toMatchObject({ applied: false, changed: 2, unchanged: 1, refused: 0 });
    expect(preview.people[0]).toMatchObject({
      userId: one.id,
      status: 'CHANGED',
      config: { version: 1 },
      changes: [{ field: 'maxIterations', from: null, to: 30, before: 15, after: 30, layer: 'USER' }],
    });
    expect(preview.people[1]).toMatchObject({ status: 'UNCHANGED', changes: [], config: { version: 2 } });
    expect(await Promise.all([one, two, three_].map(limitsOf))).toEqual(before);
  });

  it('does what the preview said, with an entry in the audit log for each, and leaves the unchanged alone', async () => {
    const [one, two] = await three();
    await send({ people: named([two]), changes: { maxIterations: 12 } });
    const preview = await send({ people: named([one, two]), changes: { maxIterations: 12 }, dryRun: true });

    const done = await send({
      people: preview.people.map(({ userId, config }) => ({ userId, expectedVersion: config.version })),
      changes: { maxIterations: 12 },
    });

    expect(done).toMatchObject({ applied: true, changed: 1, unchanged: 1 });
    expect(done.people.map(({ changes }) => changes)).toEqual(preview.people.map(({ changes }) => changes));
    expect(await limitsOf(one)).toMatchObject({ maxIterations: 12, version: 2 });
    expect(await limitsOf(two)).toMatchObject({ maxIterations: 12, version: 2 });
    const { settingChanges } = await one.ask<{ settingChanges: { edges: { node: object }[] } }>(
      '{ settingChanges { edges { node { actor { id } field oldValue newValue version } } } }',
    );
    expect(settingChanges.edges.map(({ node }) => node)).toEqual([
      { actor: { id: kit.admin.id }, field: 'maxIterations', oldValue: null, newValue: 12, version: 2 },
    ]);
  });

  it('changes nobody when one person’s limits were changed meanwhile, and tells whose and what stands', async () => {
    const [one, two, three_] = await three();
    const preview = await send({ people: named([one, two, three_]), changes: { timeoutSeconds: 300 }, dryRun: true });
    await send({ people: named([two]), changes: { maxIterations: 44 } });

    const refused = await send({
      people: preview.people.map(({ userId, config }) => ({ userId, expectedVersion: config.version })),
      changes: { timeoutSeconds: 300 },
    });

    expect(refused).toMatchObject({ applied: false, refused: 1 });
    expect(refused.people[1]).toMatchObject({ status: 'CONFLICT', config: { version: 2, maxIterations: 44 } });
    expect(await limitsOf(one)).toMatchObject({ timeoutSeconds: 120, version: 1 });
    expect(await limitsOf(three_)).toMatchObject({ timeoutSeconds: 120, version: 1 });
  });

  it('changes nobody when one of them is gone', async () => {
    const [one] = await three();
    const gone = randomUUID();

    const refused = await send({ people: [{ userId: one.id }, { userId: gone }], changes: { maxIterations: 9 } });
    const previewed = await send({ people: [{ userId: gone }], changes: { maxIterations: 9 }, dryRun: true });

    expect(refused.people.map(({ status }) => status)).toEqual(['CHANGED', 'MISSING']);
    expect(previewed.people.map(({ status }) => status)).toEqual(['MISSING']);
    expect(refused.applied).toBe(false);
    expect(await limitsOf(one)).toMatchObject({ maxIterations: 15, version: 1 });
  });

  it('lists every bad value with its bounds, the ceiling among them, and shows what a default is capped to', async () => {
    const [one] = await three();
    await kit.admin.ask(
      `mutation { updateOrganisationConfig(input: { defaults: { timeoutSeconds: 500 }, ceilings: { timeoutSeconds: 200 } }) { __typename } }`,
    );
    await send({ people: named([one]), changes: { timeoutSeconds: 100 } });

    const bad = await send({ people: named([one]), changes: { timeoutSeconds: 300, maxIterations: 0 }, dryRun: true });
    const back = await send({ people: named([one]), changes: { timeoutSeconds: null }, dryRun: true });
    await kit.admin.ask(
      `mutation { updateOrganisationConfig(input: { defaults: { timeoutSeconds: null }, ceilings: { timeoutSeconds: null } }) { __typename } }`,
    );

    expect(bad.people[0]).toMatchObject({
      status: 'INVALID',
      problems: [
        { field: 'maxIterations', value: 0, min: 1, max: 50 },
        { field: 'timeoutSeconds', value: 300, min: 10, max: 200 },
      ],
    });
    expect(back.people[0]?.changes).toEqual([
      { field: 'timeoutSeconds', from: 100, to: null, before: 100, after: 200, layer: 'CEILING' },
    ]);
  });

  it('is undone by giving everybody their own values back, unless somebody changed one since', async () => {
    const [one, two] = await three();
    await send({ people: named([two]), changes: { maxIterations: 20 } });
    const done = await send({ people: named([one, two]), changes: { maxIterations: 25 } });
    const back = done.people.map(({ userId, config, changes }) => ({
      userId,
      expectedVersion: config.version,
      changes: Object.fromEntries(changes.map(({ field, from }) => [String(field), from])),
    }));

    expect(await send({ people: back })).toMatchObject({ applied: true, changed: 2 });
    expect(await limitsOf(one)).toMatchObject({ maxIterations: 15 });
    expect(await limitsOf(two)).toMatchObject({ maxIterations: 20 });
    expect(await send({ people: back })).toMatchObject({ applied: false, refused: 2 });
  });

  it('finds people by a search, everybody with an empty one', async () => {
    const mark = randomUUID();
    const found = [await kit.newUser({ name: `A ${mark}` }), await kit.newUser({ name: `B ${mark}` })];

    const some = await send({ search: mark, changes: { maxIterations: 11 }, dryRun: true });
    const all = await send({ search: '', changes: { maxIterations: 11 }, dryRun: true });

    expect(some.people.map(({ userId }) => userId)).toEqual(found.map(({ id }) => id));
    expect(all.people.length).toBeGreaterThan(5);
  });

  it.each([
    ['nobody', { people: [], changes: { maxIterations: 3 } }, 'people'],
    ['nothing', { search: '', changes: {} }, 'changes'],
    [
      'people and a search',
      { search: 'x', people: [{ userId: randomUUID() }], changes: { maxIterations: 3 } },
      'search',
    ],
  ])('refuses a request with %s', async (_case, input, field) => {
    const answer = await send(input);
    expect(answer).toMatchObject({ __typename: 'InvalidAgentConfig', problems: [{ field }] });
  });

  it('refuses the same person twice', async () => {
    const [one] = await three();
    const answer = await send({ people: named([one, one]), changes: { maxIterations: 3 } });
    expect(answer.problems).toMatchObject([{ field: 'people', message: 'Somebody is named twice.' }]);
  });

  it('lets a person change themselves and nobody else', async () => {
    const [one, two] = await three();

    expect(await send({ people: named([one]), changes: { maxIterations: 8 } }, one)).toMatchObject({ applied: true });
    const foreign = await one.query(change, { input: { people: named([two]), changes: { maxIterations: 8 } } });
    const search = await one.query(change, { input: { search: '', changes: { maxIterations: 8 } } });
    expect(codesOf(foreign)).toEqual(['NOT_FOUND']);
    expect(codesOf(search)).toEqual(['FORBIDDEN']);
    expect(await limitsOf(two)).toMatchObject({ version: 1 });
  });

  it('never leaves half of two changes of the same people that come at once', async () => {
    const group = await three();
    const versions = group.map(({ id }) => ({ userId: id, expectedVersion: 1 }));

    const outcomes = await Promise.all(
      [21, 22, 23, 24].map((maxIterations, index) =>
        send({ people: index % 2 ? versions : versions.toReversed(), changes: { maxIterations } }),
      ),
    );

    expect(outcomes.filter(({ applied }) => applied)).toHaveLength(1);
    const limits = await Promise.all(group.map(limitsOf));
    expect(new Set(limits.map(({ maxIterations }) => maxIterations)).size).toBe(1);
    expect(limits.map(({ version }) => version)).toEqual([2, 2, 2]);
  });

  it('changes hundreds of people in one request, and tells their open pages', async () => {
    const mark = randomUUID().slice(0, 8);
    await kit.database.query(
      `insert into users (id, email, name) select gen_random_uuid(), '${mark}-' || n || '@example.com', '${mark} ' || n from generate_series(1, 400) n`,
    );

    const done = await send({ search: mark, changes: { tokenBudget: 9_000 } });

    expect(done).toMatchObject({ applied: true, changed: 400 });
  });
});

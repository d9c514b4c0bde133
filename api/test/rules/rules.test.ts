import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codesOf } from '../kit/client.ts';
import { type Kit, startKit, type TestUser } from '../kit/kit.ts';

let kit: Kit;
let other: Kit;
let user: TestUser;
let folder: string;

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'oracle-rules-'));
  folder = join(dataDir, 'rules');
  kit = await startKit({ dataDir });
  other = await startKit({ database: kit.database, dataDir });
  user = await kit.newUser();
});
afterAll(async () => {
  await other.stop();
  await kit.stop();
  await rm(join(folder, '..'), { recursive: true });
});

const ruleFields =
  'id name trigger priority core origin version enabledByDefault enabledForEverybody enabledForMe lastFiredAt';
const save = `mutation ($input: SaveRuleInput!) { saveRule(input: $input) { __typename
  ... on Rule { ${ruleFields} } ... on InvalidRule { message problems { file line column message } }
  ... on RuleConflict { message current { id version } } } }`;
const switchRule = `mutation ($ruleId: String!, $enabled: Boolean, $forEverybody: Boolean) {
  setRuleEnabled(ruleId: $ruleId, enabled: $enabled, forEverybody: $forEverybody) { __typename
    ... on Rule { ${ruleFields} } ... on InvalidInput { message } } }`;
const one = `query ($id: String!) { rule(id: $id) { ${ruleFields} text versions { version text by { name } } } }`;

function text(id: string, changes: Readonly<Record<string, string | number | boolean>> = {}): string {
  const keys = { id, name: `Rule ${id}`, trigger: 'TURN_START', condition: 'turn > 3', ...changes };
  const lines = Object.entries(keys).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return `${lines.join('\n')}\n[action.hint]\nmessage = "Turn {{ turn }}."\n`;
}

type Seen = Record<string, unknown> & { readonly __typename: string };
const saved = async (input: object) => (await kit.admin.ask<{ saveRule: Seen }>(save, { input })).saveRule;
const find = async (id: string, who: { ask: TestUser['ask'] } = kit.admin) =>
  (await who.ask<{ rule: Seen | null }>(one, { id })).rule;

describe('rules', () => {
  it('are listed with where they come from and whether they count', async () => {
    const { rules } = await user.ask<{ rules: { totalCount: number; edges: { node: Seen }[] } }>(
      `{ rules { totalCount edges { node { ${ruleFields} } } } }`,
    );

    expect(rules.edges.map(({ node }) => node.id)).toEqual(
      expect.arrayContaining(['budget-advice', 'context-pressure', 'long-result', 'query-log', 'repeated-failures']),
    );
    expect(rules.edges.find(({ node }) => node.id === 'query-log')?.node).toMatchObject({
      origin: 'BUILT_IN',
      core: true,
      enabledForMe: true,
      enabledForEverybody: null,
      version: null,
    });
  });

  it('come in pages', async () => {
    const page = `query ($after: String) { rules(first: 2, after: $after) { totalCount edges { node { id } } pageInfo { hasNextPage endCursor } } }`;
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const {
        rules,
      }: { rules: { edges: { node: { id: string } }[]; pageInfo: { hasNextPage: boolean; endCursor: string } } } =
        await user.ask(page, { after });
      seen.push(...rules.edges.map(({ node }) => node.id));
      after = rules.pageInfo.hasNextPage ? rules.pageInfo.endCursor : null;
    } while (after !== null);

    expect(seen).toEqual(seen.toSorted());
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(5);
  });
});

describe('an organisation’s rule', () => {
  it('is saved with its versions, on all servers, and deleted', async () => {
    expect(await saved({ text: text('patience') })).toMatchObject({
      __typename: 'Rule',
      version: 1,
      origin: 'ORGANISATION',
    });
    await expect.poll(() => find('patience', other.admin)).toMatchObject({ version: 1 });

    expect(await saved({ id: 'patience', expectedVersion: 1, text: text('patience', { priority: 7 }) })).toMatchObject({
      priority: 7,
      version: 2,
    });
    await expect.poll(() => find('patience', other.admin)).toMatchObject({ version: 2, priority: 7 });
    expect((await find('patience'))?.versions).toMatchObject([
      { version: 2, by: { name: expect.any(String) } },
      { version: 1, text: text('patience') },
    ]);

    await kit.admin.ask('mutation { deleteRule(id: "patience") }');
    expect(await find('patience')).toBeNull();
    await expect.poll(() => find('patience', other.admin)).toBeNull();
    expect(codesOf(await kit.admin.query('mutation { deleteRule(id: "patience") }'))).toEqual(['NOT_FOUND']);
    expect(await saved({ text: text('patience') })).toMatchObject({ version: 4 });
  });

  it('that is wrong is refused, with every problem and its place', async () => {
    const wrong = await saved({ text: text('wrong', { condition: 'trn > 3', priority: 2000 }) });

    expect(wrong).toMatchObject({
      __typename: 'InvalidRule',
      problems: [
        { line: 4, column: 14, message: 'There is no "trn" here. Did you mean turn?' },
        { line: 5, column: 1, message: '"priority" is at most 1000.' },
      ],
    });
    expect(await find('wrong')).toBeNull();
  });

  it('that is broken, as one of an earlier version may be, can be mended or deleted', async () => {
    const spoil = async (id: string) => {
      await saved({ text: text(id) });
      await kit.database.query('update organisation_rules set text = $2 where rule_id = $1', [
        id,
        text(id, { condition: 'trn > 3' }),
      ]);
    };
    await spoil('spoilt');
    await spoil('hopeless');
    await saved({ text: text('another') }); // the rules are read again
    const { ruleProblems } = await kit.admin.ask<{ ruleProblems: { file: string }[] }>('{ ruleProblems { file } }');

    expect(ruleProblems.map(({ file }) => file)).toEqual(expect.arrayContaining(['spoilt', 'hopeless']));
    expect(await saved({ text: text('spoilt') })).toMatchObject({ message: expect.stringContaining('is taken') });
    expect(await saved({ id: 'spoilt', text: text('spoilt') })).toMatchObject({ version: 2 });
    expect(await kit.admin.ask('mutation { deleteRule(id: "hopeless") }')).toEqual({ deleteRule: true });
    expect(await kit.admin.ask('{ ruleProblems { file } }')).toEqual({ ruleProblems: [] });
  });

  it('that somebody else changed meanwhile is a conflict', async () => {
    await saved({ text: text('shared') });
    await saved({ id: 'shared', expectedVersion: 1, text: text('shared', { priority: 2 }) });

    expect(await saved({ id: 'shared', expectedVersion: 1, text: text('shared', { priority: 3 }) })).toMatchObject({
      __typename: 'RuleConflict',
      current: { id: 'shared', version: 2 },
    });
    expect(await find('shared')).toMatchObject({ priority: 2 });
  });

  it('cannot take the id of another one', async () => {
    expect(await saved({ text: text('query-log') })).toMatchObject({
      message: expect.stringContaining('built-in rule'),
    });
    expect(await saved({ id: 'shared', text: text('renamed') })).toMatchObject({
      message: expect.stringContaining('The id stays "shared"'),
    });
    expect(await saved({ text: text('shared') })).toMatchObject({ message: expect.stringContaining('is taken') });
  });

  it('is not a user’s to write, check or delete', async () => {
    for (const document of [
      `mutation { saveRule(input: { text: "" }) { __typename } }`,
      'mutation { deleteRule(id: "shared") }',
      '{ checkRule(text: "") { valid } }',
      '{ ruleProblems { message } }',
      `mutation { setRuleEnabled(ruleId: "shared", enabled: false, forEverybody: true) { __typename } }`,
      `{ testRule(input: { text: "id = 3" }) { __typename } }`,
    ])
      expect([document, codesOf(await user.query(document))]).toEqual([document, ['FORBIDDEN']]);
  });
});

describe('files of rules', () => {
  it('are taken, changed and removed while the server runs; a bad one is reported and the rest works', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'mine.toml'), text('from-file'));
    await writeFile(join(folder, 'bad.toml'), 'id = "bad"\nname = \n');
    await writeFile(join(folder, 'odd.toml'), text('odd').replace('"TURN_START"', '{}'));
    await writeFile(join(folder, 'twice.toml'), text('query-log'));

    for (const server of [kit, other])
      await expect.poll(() => find('from-file', server.admin)).toMatchObject({ origin: 'FILE' });
    const problems = async () =>
      (await kit.admin.ask<{ ruleProblems: object[] }>('{ ruleProblems { file line message } }')).ruleProblems;
    await expect.poll(problems).toEqual([
      { file: 'bad.toml', line: 2, message: expect.any(String) },
      { file: 'odd.toml', line: 3, message: expect.stringContaining('"trigger" cannot be {}.') },
      { file: 'twice.toml', line: 1, message: 'The id "query-log" is taken by a built-in rule.' },
    ]);

    await writeFile(join(folder, 'mine.toml'), text('from-file', { priority: 9 }));
    await expect.poll(() => find('from-file')).toMatchObject({ priority: 9 });
    await rm(join(folder, 'mine.toml'));
    await expect.poll(() => find('from-file')).toBeNull();
  });
});

describe('a switch', () => {
  const set = async (who: { ask: TestUser['ask'] }, ruleId: string, enabled: boolean | null, forEverybody = false) =>
    (await who.ask<{ setRuleEnabled: Seen }>(switchRule, { ruleId, enabled, forEverybody })).setRuleEnabled;

  it('is each person’s own', async () => {
    const neighbour = await kit.newUser();

    expect(await set(user, 'long-result', false)).toMatchObject({ enabledForMe: false, enabledForEverybody: null });
    expect(await find('long-result', neighbour)).toMatchObject({ enabledForMe: true });
    expect(await set(user, 'long-result', null)).toMatchObject({ enabledForMe: true });
  });

  it('of an administrator counts for everybody, on all servers, and cannot be overruled', async () => {
    expect(await set(user, 'long-result', true)).toMatchObject({ enabledForMe: true });
    expect(await set(kit.admin, 'long-result', false, true)).toMatchObject({ enabledForMe: false });
    expect(await find('long-result', user)).toMatchObject({ enabledForMe: false });
    await expect.poll(() => find('long-result', other.admin)).toMatchObject({ enabledForEverybody: false });
    expect(await set(user, 'long-result', true)).toMatchObject({ __typename: 'InvalidInput' });

    expect(await set(kit.admin, 'long-result', null, true)).toMatchObject({ enabledForMe: true });
    await set(user, 'long-result', null);
  });

  it('of an administrator switches on for everybody what is off by itself, and each may switch it off again', async () => {
    await saved({ text: text('shy', { enabled: false }) });
    const neighbour = await kit.newUser();

    expect(await find('shy', user)).toMatchObject({ enabledByDefault: false, enabledForMe: false });
    expect(await set(kit.admin, 'shy', true, true)).toMatchObject({ enabledForMe: true });
    expect(await set(user, 'shy', false)).toMatchObject({ enabledForEverybody: true, enabledForMe: false });
    expect(await find('shy', neighbour)).toMatchObject({ enabledForMe: true });
  });

  it('of a core rule is the administrators’ alone', async () => {
    expect(await set(user, 'query-log', false)).toMatchObject({
      __typename: 'InvalidInput',
      message: 'This rule is core: only administrators can switch it.',
    });
    expect(await set(kit.admin, 'query-log', false, true)).toMatchObject({ enabledForMe: false });
    await set(kit.admin, 'query-log', null, true);
  });

  it('of a rule that there is not is refused', async () => {
    const found = await user.ask(
      '{ ruleFirings(ruleId: "no\\u0000thing") { totalCount } rule(id: "no\\u0000thing") { id } }',
    );

    expect(found).toEqual({ ruleFirings: { totalCount: 0 }, rule: null });
    expect(codesOf(await user.query(switchRule, { ruleId: 'nothing', enabled: true }))).toEqual(['NOT_FOUND']);
  });
});

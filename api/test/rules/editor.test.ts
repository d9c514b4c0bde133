import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codesOf } from '../kit/client.ts';
import { type Kit, startKit, type TestUser } from '../kit/kit.ts';
import { ruleText } from './rule-kit.ts';

let kit: Kit;
let user: TestUser;

beforeAll(async () => {
  kit = await startKit();
  user = await kit.newUser();
});
afterAll(() => kit.stop());

const text = (id: string, changes: Parameters<typeof ruleText>[1] = {}) =>
  ruleText(id, { condition: 'turn > 3', ...changes });

type Seen = Record<string, unknown> & { readonly __typename: string };

describe('what a rule remembers', () => {
  const set = `mutation ($input: SetRuleStateInput!) { setRuleState(input: $input) { __typename
    ... on RuleState { values } ... on InvalidInput { problems { field message } } } }`;
  const read =
    'query ($projectId: ID) { ruleState(ruleId: "long-result", projectId: $projectId) { values projectId } }';

  it('is set, read and forgotten, for one person in one project', async () => {
    const neighbour = await kit.newUser();
    const value = (of: string, key: string, it: unknown) => ({ input: { ruleId: of, key, value: it } });

    expect(await user.ask(set, value('long-result', 'count', 3))).toMatchObject({
      setRuleState: { values: { count: 3 } },
    });
    expect(await user.ask(set, value('long-result', 'mood', 'calm'))).toMatchObject({
      setRuleState: { values: { count: 3, mood: 'calm' } },
    });
    expect(await user.ask(set, value('long-result', 'count', null))).toMatchObject({
      setRuleState: { values: { mood: 'calm' } },
    });
    expect(await neighbour.ask(read)).toMatchObject({ ruleState: { values: {} } });
    const { ruleState } = await user.ask<{ ruleState: { projectId: string } }>(read);
    expect(await kit.admin.ask(read, { projectId: ruleState.projectId })).toMatchObject({
      ruleState: { values: { mood: 'calm' } },
    });
    expect(await neighbour.ask(read, { projectId: ruleState.projectId })).toEqual({ ruleState: null });
    expect(
      codesOf(
        await neighbour.query(set, { input: { ruleId: 'long-result', key: 'a', projectId: ruleState.projectId } }),
      ),
    ).toEqual(['NOT_FOUND']);
  });

  it('must be named and plain', async () => {
    const problem = async (key: string, value: unknown) =>
      (
        await user.ask<{ setRuleState: { problems?: { field: string }[] } }>(set, {
          input: { ruleId: 'long-result', key, value },
        })
      ).setRuleState.problems?.map(({ field }) => field);

    expect(await problem('not a name', 1)).toEqual(['key']);
    expect(await problem('__proto__', 1)).toEqual(['key']);
    expect(await problem('list', [1])).toEqual(['value']);
    expect(await problem('text', 'x'.repeat(1_001))).toEqual(['value']);
    expect(await problem('text', 'a\0b')).toEqual(['value']);
    const huge =
      'mutation { setRuleState(input: { ruleId: "long-result", key: "huge", value: 1e999 }) { __typename } }';
    expect(await user.ask(huge)).toEqual({ setRuleState: { __typename: 'InvalidInput' } });
  });
});

describe('what a rule remembers at most', () => {
  it('is a hundred things; one more is refused until one is forgotten', async () => {
    const person = await kit.newUser();
    const set = (key: string, value: unknown) =>
      person.ask<{ setRuleState: Seen }>(
        `mutation ($key: String!, $value: JSON) {
          setRuleState(input: { ruleId: "query-log", key: $key, value: $value }) { __typename } }`,
        { key, value },
      );
    for (let number = 0; number < 100; number += 1) await set(`k${number}`, number);

    expect(await set('more', 1)).toEqual({ setRuleState: { __typename: 'InvalidInput' } });
    expect(await set('k7', 'another')).toEqual({ setRuleState: { __typename: 'RuleState' } });
    await set('k8', null);
    expect(await set('more', 1)).toEqual({ setRuleState: { __typename: 'RuleState' } });
  });
});

describe('an editor', () => {
  it('has a text checked', async () => {
    const check = 'query ($text: String!) { checkRule(text: $text) { valid id problems { line column message } } }';

    expect(await kit.admin.ask(check, { text: text('mine') })).toEqual({
      checkRule: { valid: true, id: 'mine', problems: [] },
    });
    expect(await kit.admin.ask(check, { text: text('mine', { condition: 'turn > ' }) })).toMatchObject({
      checkRule: { valid: false, id: 'mine', problems: [{ line: 4, message: 'The expression ends too early.' }] },
    });
  });

  it('is told that an id is taken, unless the rule that has it is the one to be changed', async () => {
    const check = `query ($text: String!, $id: String) { checkRule(text: $text, id: $id) { valid id problems { message } } }`;
    await kit.admin.ask('mutation ($text: String!) { saveRule(input: { text: $text }) { __typename } }', {
      text: text('kept'),
    });

    for (const id of ['kept', 'query-log'])
      expect(await kit.admin.ask(check, { text: text(id) })).toMatchObject({
        checkRule: { valid: false, id, problems: [{ message: expect.stringContaining(`"${id}" is taken by`) }] },
      });
    expect(await kit.admin.ask(check, { text: text('kept'), id: 'kept' })).toMatchObject({
      checkRule: { valid: true },
    });
    expect(await kit.admin.ask(check, { text: text('other'), id: 'kept' })).toMatchObject({
      checkRule: { valid: false, problems: [{ message: expect.stringContaining('The id stays "kept"') }] },
    });
  });

  it('has the words of a trigger', async () => {
    const { ruleWords } = await user.ask<{ ruleWords: { name: string; type: string; help: string }[] }>(
      '{ ruleWords(trigger: TOOL_FAILURE) { name type help } }',
    );

    expect(ruleWords.find(({ name }) => name === 'tokens.share')).toMatchObject({ type: 'double' });
    expect(ruleWords.find(({ name }) => name === 'toolFailed')).toMatchObject({ type: 'toolFailed(string): bool' });
    expect(ruleWords.some(({ name }) => name === 'tool.error')).toBe(true);
    for (const word of ['history.messages', 'context.share', 'messagesAbove'])
      expect(ruleWords.find(({ name }) => name === word)?.help).toContain('under QUERY_START');
    expect(ruleWords.some(({ name }) => name.startsWith('ending'))).toBe(false);
  });

  it('has a rule tried on a sample', async () => {
    const test = `query ($input: TestRuleInput!) { testRule(input: $input) { __typename
      ... on RuleTest { message turns asked firings { turn effect error } }
      ... on InvalidRule { problems { line } } ... on InvalidInput { message } } }`;
    const tried = async (input: object) => (await kit.admin.ask<{ testRule: Seen }>(test, { input })).testRule;

    expect(await tried({ text: text('mine') })).toMatchObject({ message: 'It would not have fired.', asked: 1 });
    expect(await tried({ text: text('mine'), sample: { turn: 9 } })).toMatchObject({
      message: 'It would have fired at turn 9.',
      firings: [{ turn: 9, effect: { type: 'hint', message: 'Turn 9.' }, error: null }],
    });
    expect(await tried({ text: text('mine', { condition: 'state.no > 3' }) })).toMatchObject({
      message: 'It would not have fired. It would have failed once.',
    });
    expect(await tried({ text: 'id = 3' })).toMatchObject({ __typename: 'InvalidRule' });
    expect(await tried({ ruleId: 'nothing' })).toMatchObject({ message: 'There is no such rule.' });
    expect(await tried({ ruleId: 'long-result', sample: { tool: { resultTokens: 5_000 } } })).toMatchObject({
      turns: [3],
    });
    expect(await tried({ text: text('mine'), sample: { tokens: { shar: 1 }, turn: 1.5 } })).toMatchObject({
      message: 'There is no "tokens.shar". Did you mean share? turn must be a whole number below 2,147,483,648.',
    });
    expect(await tried({ text: text('mine'), sample: { turn: 3_000_000_000 } })).toMatchObject({
      message: 'turn must be a whole number below 2,147,483,648.',
    });
  });
});

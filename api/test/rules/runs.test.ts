import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startKit, type TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { calling, noticesOf, type OracleKit, searching, startOracleKit } from '../oracle/kit/oracle-kit.ts';
import { deleteRule, firingsOf, ruleText, saveRule } from './rule-kit.ts';

let kit: OracleKit;
let user: TestUser;
const made: string[] = [];

beforeAll(async () => {
  kit = await startOracleKit();
  user = await kit.newUser();
});
afterEach(async () => {
  for (const id of made.splice(0)) await deleteRule(kit, id);
});
afterAll(() => kit.stop());

async function rule(...given: Parameters<typeof ruleText>): Promise<void> {
  await saveRule(kit, ...given);
  if (!made.includes(given[0])) made.push(given[0]);
}

const notify =
  '[action.notify]\nmessage = "It is turn {{ turn }} of {{ limits.maxIterations }}."\nseverity = "WARNING"';
const answers = [calling('one'), calling('two'), reply.text('Done.')];
const set = (action: string) => `[action.set_state]\n${action}`;

describe('a rule at work', () => {
  it('tells the person and the model what it has to say, at once', async () => {
    await rule('second', { condition: 'turn == 2', action: notify });
    const script = kit.script(...answers);
    const told = await kit.ask(user);

    expect(told.system('NOTIFICATION').map(({ message }) => message)).toEqual(['It is turn 2 of 15.']);
    const notices = script.requests().map((request) => noticesOf(request).join());
    expect(notices[0]).not.toContain('It is turn');
    expect(notices[1]).toContain('It is turn 2 of 15.');
    expect(notices[2]).not.toContain('It is turn');
    expect(await firingsOf(user, 'second')).toMatchObject([
      {
        turn: 2,
        trigger: 'TURN_START',
        effect: { type: 'notify', message: 'It is turn 2 of 15.' },
        run: { id: told.runId },
      },
    ]);
  });

  it('hints to the model alone', async () => {
    await rule('hinting', { trigger: 'TOOL_COMPLETE', condition: 'calls(tool.name) == 1' });
    const script = kit.script(...answers);
    const told = await kit.ask(user);

    expect(told.of('SystemChunk')).toEqual([]);
    expect(noticesOf((await script.request(2)) as never).join()).toContain('Turn 1.');
  });

  it('is asked at each trigger, and sees what happened there', async () => {
    const seen = [
      ['QUERY_START', 'turn == 0 && history.toolCalls == 0 && question.startsWith("Why")'],
      ['TURN_START', 'turn == 1 && context.tokens > 0 && context.share < 1.0 && user.role == "USER"'],
      ['TOOL_CALL', 'tool.name == "vault_search" && tool.arguments.query == "one" && !tool.ok'],
      ['TOOL_COMPLETE', 'tool.ok && tool.result.size() > 0 && tool.resultTokens > 0 && history.toolCalls == 1'],
      ['TOOL_FAILURE', 'tool.name == "no_such_tool" && tool.error.size() > 0 && failures(tool.name) == 1'],
      ['TURN_END', 'turn == 1 && tokens.used == 30 && event.payload.calls == 2 && history.failures == 1'],
      ['SESSION_END', 'ending.reason == "COMPLETED" && ending.turns == 2 && elapsed >= 0.0 && project.name != ""'],
    ] as const;
    for (const [trigger, condition] of seen)
      await rule(`at-${trigger.toLowerCase().replace('_', '-')}`, {
        trigger,
        condition,
        action: set('key = "seen"\nvalue = true'),
      });
    kit.script(
      calling([
        { name: 'vault_search', arguments: { query: 'one' } },
        { id: 'other', name: 'no_such_tool', arguments: {} },
      ]),
      reply.text('Because.'),
    );
    await kit.ask(user, { question: 'Why is this so?' });

    for (const [trigger] of seen) {
      const firings = await firingsOf(user, `at-${trigger.toLowerCase().replace('_', '-')}`);
      expect([trigger, firings.map(({ error }) => error)]).toEqual([trigger, [null]]);
    }
  });

  it('fires with the others in the order of priority, and what one tightened the next reads', async () => {
    await rule('lower', { priority: 10, condition: 'turn == 1 && limits.maxIterations == 4', action: notify });
    await rule('higher', { priority: 900, action: '[action.limit]\nfield = "maxIterations"\nto = 4', once: true });
    kit.script(...answers);
    const told = await kit.ask(user);

    expect(told.system('NOTIFICATION').map(({ message }) => message)).toEqual([
      'Max iterations is now 4 turns instead of 15, by the rule “Rule higher”.',
      'It is turn 1 of 4.',
    ]);
  });

  it('emits events that others may follow, and writes into the log without the words of anybody', async () => {
    await rule('logging', {
      trigger: 'SESSION_END',
      action: '[action.log]\nlevel = "warn"\nmessage = "ended after {{ ending.turns }} turns: {{ ending.reason }}"',
    });
    await rule('emitting', {
      trigger: 'QUERY_START',
      action: '[action.emit_event]\nname = "rule.review.needed"\npayload = { size = "{{ size(question) }}" }',
    });
    kit.script(reply.text('Done.'));
    const told = await kit.ask(user, { question: 'Who knows?' });

    const lines = kit.logs.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.find(({ rule: id }) => id === 'logging')).toMatchObject({
      level: 'warn',
      runId: told.runId,
      msg: 'ended after 1 turns: COMPLETED',
    });
    expect(await firingsOf(user, 'emitting')).toMatchObject([
      { effect: { name: 'rule.review.needed', payload: { size: '10' } } },
    ]);
    expect(lines.find(({ rule: id, runId }) => id === 'query-log' && runId === told.runId)).toBeDefined();
  });
});

describe('a limit that a rule tightens', () => {
  it('ends the run in an answer, and decisions and ending tell it', async () => {
    await rule('fewer', {
      condition: 'turn == 2',
      action: '[action.limit]\nfield = "maxIterations"\nexpression = "turn + 1"',
    });
    const script = kit.script().always(searching);
    const told = await kit.ask(user);

    expect(told.ending).toMatchObject({ reason: 'MAX_ITERATIONS', turns: 3, usedValue: 3, limitValue: 3 });
    expect((await script.request(3)).body.tools).toBeUndefined();
    const { run } = await user.ask<{ run: { decisions: { evaluations: { reason: string; limit: number }[] }[] } }>(
      'query ($id: ID!) { run(id: $id) { decisions { evaluations { reason limit } } } }',
      { id: told.runId },
    );
    const limits = run.decisions.map(
      ({ evaluations }) => evaluations.find(({ reason }) => reason === 'MAX_ITERATIONS')?.limit,
    );
    expect(limits).toEqual([15, 15, 3, 3]);
  });

  it('is never loosened', async () => {
    await rule('looser', { action: '[action.limit]\nfield = "maxIterations"\nto = 50' });
    kit.script().always(searching);
    const told = await kit.ask(user, { config: { maxIterations: 3 } });

    expect(told.ending).toMatchObject({ reason: 'MAX_ITERATIONS', limitValue: 3 });
    expect(told.system('NOTIFICATION')).toEqual([]);
    expect((await firingsOf(user, 'looser'))[0]).toMatchObject({ effect: { changed: false } });
  });

  it('of time stops a model that says nothing', async () => {
    await rule('hurry', { condition: 'turn == 1', action: '[action.limit]\nfield = "timeoutSeconds"\nto = 1' });
    kit.script().always(reply.hang());
    const told = await kit.ask(user);

    expect(told.ending).toMatchObject({ reason: 'TIMEOUT', limitValue: 1 });
    expect(told.ending.durationMs).toBeLessThan(10_000);
    expect(told.system('LIMIT_WARNING')).toHaveLength(1);
  });

  it('of tokens ends the run at its next decision', async () => {
    await rule('cheap', { trigger: 'TURN_END', action: '[action.limit]\nfield = "tokenBudget"\nto = 25' });
    kit.script().always(searching);

    expect((await kit.ask(user)).ending).toMatchObject({ reason: 'TOKEN_BUDGET', turns: 1, limitValue: 25 });
  });

  it('of tool calls counts from the next turn', async () => {
    await rule('one-call', { trigger: 'QUERY_START', action: '[action.limit]\nfield = "maxToolCallsPerTurn"\nto = 1' });
    kit.script(
      calling([
        { id: 'a', name: 'vault_search', arguments: { query: 'a' } },
        { id: 'b', name: 'vault_search', arguments: { query: 'b' } },
      ]),
      reply.text('Done.'),
    );
    const told = await kit.ask(user);

    expect(told.system('TOOL_LIMIT')).toHaveLength(1);
  });
});

describe('the traps of rules', () => {
  it('a rule’s notice is never left undelivered, not even one of the very end', async () => {
    await rule('last', {
      trigger: 'SESSION_END',
      action: '[action.notify]\nmessage = "Ended by {{ ending.reason }}."',
    });
    kit.script(reply.text('Done.'));

    expect((await kit.ask(user)).system('NOTIFICATION').map(({ message }) => message)).toEqual(['Ended by COMPLETED.']);
  });

  it('what a rule remembers is saved: the next run knows it, on another server and after a restart', async () => {
    await rule('counting', {
      trigger: 'QUERY_START',
      action: set('key = "runs"\nexpression = "stateNumber(\'runs\') + 1.0"'),
    });
    await rule('telling', { trigger: 'QUERY_START', condition: 'false' });
    kit.script().always(reply.text('Done.'));
    await kit.ask(user);
    await kit.ask(user);
    const other = await startKit({ database: kit.database, defaultModel: 'simulated/answer' });
    const there = { ...other.as(user.token) };
    const { projects } = await user.ask<{ projects: { id: string }[] }>('{ projects { id } }');
    await there.ask(
      'mutation { setRuleState(input: { ruleId: "counting", key: "seen", value: true }) { __typename } }',
    );
    await kit.ask(user);

    expect(
      await there.ask('query ($projectId: ID) { ruleState(ruleId: "counting", projectId: $projectId) { values } }', {
        projectId: projects[0]?.id,
      }),
    ).toEqual({ ruleState: { values: { runs: 3, seen: true } } });
    await other.stop();
  });

  it('what a rule remembers of one person never reaches another', async () => {
    const neighbour = await kit.newUser();
    await rule('private', {
      trigger: 'QUERY_START',
      condition: 'stateText("name") != ""',
      action: '[action.notify]\nmessage = "I know {{ stateText(\'name\') }}."',
    });
    await user.ask('mutation { setRuleState(input: { ruleId: "private", key: "name", value: "Ada" }) { __typename } }');
    kit.script().always(reply.text('Done.'));
    const [mine, theirs] = await Promise.all([kit.ask(user), kit.ask(neighbour)]);

    expect(mine.system('NOTIFICATION').map(({ message }) => message)).toEqual(['I know Ada.']);
    expect(theirs.system('NOTIFICATION')).toEqual([]);
    expect(await firingsOf(neighbour, 'private')).toEqual([]);
    expect(await firingsOf(kit.admin, 'private')).toHaveLength(1);
  });

  it('a filter is not ignored: a rule for failures is not asked about what worked', async () => {
    await rule('failing', { trigger: 'TOOL_FAILURE', action: notify });
    kit.script(...answers);

    expect((await kit.ask(user)).of('SystemChunk')).toEqual([]);
  });

  it('a switch is not ignored, and counts from the next turn of a run under way', async () => {
    await rule('switched', { action: notify });
    const switchIt = (enabled: boolean | null) =>
      user.ask(
        'mutation ($enabled: Boolean) { setRuleEnabled(ruleId: "switched", enabled: $enabled) { __typename } }',
        { enabled },
      );
    kit.script(
      calling('one'),
      async () => {
        await switchIt(false);
        return calling('two');
      },
      calling('three'),
      reply.text('Done.'),
    );
    const told = await kit.ask(user);
    await switchIt(null);

    const messages = told.system('NOTIFICATION').map(({ message }) => message);
    expect(messages.slice(0, 2)).toEqual(['It is turn 1 of 15.', 'It is turn 2 of 15.']);
    expect(messages).not.toContain('It is turn 4 of 15.');
  });

  it('a rule that is changed is in force at the next turn, and nothing under way is lost', async () => {
    await rule('changing', { action: notify });
    kit.script(async () => {
      await rule('changing', { action: '[action.notify]\nmessage = "Now it says {{ turn }}."' });
      return calling('one');
    }, reply.text('Done.'));
    const told = await kit.ask(user);

    expect(told.system('NOTIFICATION').map(({ message }) => message)).toEqual([
      'It is turn 1 of 15.',
      'Now it says 2.',
    ]);
  });

  it('a rule that fails is shown once and keeps neither the run nor other rules from going on', async () => {
    await rule('broken', { priority: 1000, condition: 'state.never > 3' });
    await rule('sound', { priority: 1, condition: 'turn == 2', action: notify });
    kit.script(...answers);
    const told = await kit.ask(user);

    expect(told.reason).toBe('COMPLETED');
    expect(told.system('NOTIFICATION')).toHaveLength(1);
    expect(await firingsOf(user, 'broken')).toMatchObject([
      { turn: 1, effect: null, error: 'There is nothing called never.' },
    ]);
  });

  it('built-in rules say nothing to the person that the run itself says', async () => {
    kit.script().always(searching);
    const told = await kit.ask(user, { config: { maxIterations: 5 } });

    expect(told.of('SystemChunk').map(({ systemType }) => systemType)).toEqual(['LIMIT_WARNING', 'LIMIT_REACHED']);
  });
});

describe('a rule tried on a past run', () => {
  const test = `query ($input: TestRuleInput!) { testRule(input: $input) { __typename
    ... on RuleTest { message turns asked firings { turn trigger effect error } } ... on InvalidInput { message } } }`;
  const tried = async (input: object, who: TestUser = kit.admin) =>
    (await who.ask<{ testRule: Record<string, unknown> }>(test, { input })).testRule;

  it('tells at which turns it would have fired', async () => {
    kit.script(
      calling('one'),
      calling([{ name: 'no_such_tool', arguments: { a: 1 } }]),
      calling('three'),
      calling([{ name: 'no_such_tool', arguments: { a: 2 } }]),
      reply.text('Done.'),
    );
    const { runId } = await kit.ask(user);
    const on = (given: Parameters<typeof ruleText>[1]) => tried({ runId, text: ruleText('trying', given) });

    expect(await on({ trigger: 'TOOL_FAILURE', condition: 'tool.name == "no_such_tool"' })).toMatchObject({
      message: 'It would have fired at turns 2 and 4.',
      turns: [2, 4],
      asked: 2,
    });
    expect(await on({ condition: 'tokens.used >= 60' })).toMatchObject({ turns: [3, 4, 5] });
    expect(await on({ trigger: 'TURN_END', condition: 'history.failures == 2' })).toMatchObject({ turns: [4, 5] });
    expect(await on({ trigger: 'SESSION_END', condition: 'ending.turns == 5' })).toMatchObject({ turns: [5] });
    expect(await on({ trigger: 'TOOL_COMPLETE', condition: 'tool.arguments.query == "three"' })).toMatchObject({
      turns: [3],
    });
    expect(await on({ once: true, action: set('key = "a"\nvalue = 1') })).toMatchObject({ turns: [1] });
    expect(await on({ condition: 'has(state.a)', action: set('key = "a"\nvalue = 1') })).toMatchObject({
      message: 'It would not have fired.',
      asked: 5,
    });
    expect(await firingsOf(kit.admin, 'trying')).toEqual([]);
  });

  it('agrees with what the rule did', async () => {
    await rule('agreeing', { condition: 'tokens.used >= 30 && context.share > 0.0', action: notify });
    kit.script(...answers);
    const { runId } = await kit.ask(user);
    const fired = (await firingsOf(user, 'agreeing')).map(({ turn }) => turn);

    expect(fired).toEqual([2, 3]);
    expect(await tried({ runId, ruleId: 'agreeing' }, user)).toMatchObject({ turns: fired });
  });

  it('is not for other people’s runs', async () => {
    const neighbour = await kit.newUser();
    kit.script(reply.text('Done.'));
    const { runId } = await kit.ask(user);
    const answer = await neighbour.query(test, { input: { runId, ruleId: 'query-log' } });

    expect(answer.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  });
});

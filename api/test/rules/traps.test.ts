import { describe, expect, it } from 'vitest';
import { deafen } from '../kit/deafen.ts';
import { startKit, type TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { calling, noticesOf, type OracleKit, searching } from '../oracle/kit/oracle-kit.ts';
import { firingsOf, notifyTurn as notify, setState as set, useRulesKit } from './rule-kit.ts';

let kit: OracleKit;
let user: TestUser;
const rule = useRulesKit((started) => {
  ({ kit, user } = started);
});

const answers = [calling('one'), calling('two'), reply.text('Done.')];

describe('the traps of rules', () => {
  it('a rule’s notice is never left undelivered, not even one of the very end', async () => {
    await rule('last', {
      trigger: 'SESSION_END',
      action: '[action.notify]\nmessage = "Ended by {{ ending.reason }}."',
    });
    const person = await kit.newUser();
    const script = kit.script(reply.text('Done.'), reply.text('Next.'));
    const told = await kit.ask(person);
    await kit.ask(person);

    expect(told.system('NOTIFICATION').map(({ message }) => message)).toEqual(['Ended by COMPLETED.']);
    // The model was not asked any more: it is told in its next session.
    expect(noticesOf(await script.request(2)).join()).toContain('Ended by COMPLETED.');
  });

  it('a limit that is told too late for the model says nothing of the next session, in which it does not hold', async () => {
    await rule('tight', {
      trigger: 'TURN_END',
      action: '[action.limit]\nfield = "tokenBudget"\nto = 9000',
      once: true,
    });
    const person = await kit.newUser();
    const script = kit.script(reply.text('Done.'), reply.text('Next.'));
    const told = await kit.ask(person);
    const next = await kit.ask(person);
    const message = 'Token budget is now 9,000 tokens instead of 50,000, by the rule “Rule tight”.';

    expect(told.system('NOTIFICATION').map((notice) => notice.message)).toEqual([message]);
    expect(noticesOf(await script.request(2)).join()).not.toContain('Token budget is now');
    expect(next.system('NOTIFICATION').map((notice) => notice.message)).toEqual([message]);
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

  it('what a rule remembers belongs to a project: another one of the same person knows nothing of it', async () => {
    await rule('counting', {
      trigger: 'QUERY_START',
      action: set('key = "runs"\nexpression = "stateNumber(\'runs\') + 1.0"'),
    });
    const person = await kit.newUser();
    const { createProject } = await person.ask<{ createProject: { id: string } }>(
      'mutation { createProject(name: "Another") { ... on Project { id } } }',
    );
    kit.script().always(reply.text('Done.'));
    await kit.ask(person);
    await kit.ask(person, { projectId: createProject.id });
    await kit.ask(person);
    const values = (await firingsOf(person, 'counting')).map(({ effect }) => effect?.value);

    expect(values).toEqual([1, 1, 2]);
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

  it('what one rule remembers is not known to another', async () => {
    await rule('keeper', { trigger: 'QUERY_START', action: set('key = "name"\nvalue = "Ada"') });
    await rule('listener', { trigger: 'TURN_START', condition: 'stateText("name") != ""', action: notify });
    await user.ask(
      'mutation { setRuleState(input: { ruleId: "listener", key: "mood", value: "calm" }) { __typename } }',
    );
    kit.script().always(reply.text('Done.'));
    await kit.ask(user);

    expect((await kit.ask(user)).system('NOTIFICATION')).toEqual([]);
    expect(await firingsOf(user, 'keeper')).toHaveLength(2);
  });

  it('a filter is not ignored: a rule for failures is not asked about what worked', async () => {
    await rule('failing', { trigger: 'TOOL_FAILURE', action: notify });
    kit.script(...answers);

    expect((await kit.ask(user)).of('SystemChunk')).toEqual([]);
  });

  it('a switch is not ignored, and counts from the next turn of a run under way', async () => {
    const person = await kit.newUser();
    await rule('switched', { action: notify });
    await rule('switched-too', { trigger: 'TURN_END', action: '[action.notify]\nmessage = "Turn {{ turn }} ends."' });
    const switchThem = async (enabled: boolean | null) => {
      for (const ruleId of ['switched', 'switched-too'])
        await person.ask(
          'mutation ($ruleId: String!, $enabled: Boolean) { setRuleEnabled(ruleId: $ruleId, enabled: $enabled) { __typename } }',
          { ruleId, enabled },
        );
    };
    const during = (enabled: boolean | null, topic: string) => async () => {
      await deafen(kit);
      await switchThem(enabled);
      return calling(topic);
    };
    kit.script(calling('one'), during(false, 'two'), calling('three'), during(null, 'four'), reply.text('Done.'));
    const told = await kit.ask(person);

    expect(told.system('NOTIFICATION').map(({ message }) => message)).toEqual([
      'It is turn 1 of 15.',
      'Turn 1 ends.',
      'It is turn 2 of 15.',
      'Turn 2 ends.',
      'It is turn 5 of 15.',
      'Turn 5 ends.',
    ]);
  });

  it('a switch is of no account for a rule that is made core', async () => {
    await rule('growing', { action: notify });
    await user.ask('mutation { setRuleEnabled(ruleId: "growing", enabled: false) { __typename } }');
    kit.script().always(reply.text('Done.'));
    const before = await kit.ask(user);
    await rule('growing', { core: true, action: notify });

    expect(before.system('NOTIFICATION')).toEqual([]);
    expect((await kit.ask(user)).system('NOTIFICATION')).toHaveLength(1);
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
    const lines = kit.logs.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    expect(lines.filter(({ rule: id }) => id === 'broken')).toMatchObject([
      { level: 'warn', runId: told.runId, problem: 'There is nothing called never.', msg: 'a rule failed' },
    ]);
  });

  it('a failure of the rules breaks no run: it goes without them, and the log says so', async () => {
    await rule('absent', { action: notify });
    kit.script(reply.text('The answer.'));
    await kit.database.query('alter table rule_state rename to rule_state_away');
    const told = await kit
      .ask(user)
      .finally(() => kit.database.query('alter table rule_state_away rename to rule_state'));

    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'The answer.' });
    expect(told.of('SystemChunk')).toEqual([]);
    expect(kit.logs.some((line) => line.includes('a run goes without its rules'))).toBe(true);
  });

  it('built-in rules say nothing to the person that the run itself says', async () => {
    kit.script().always(searching);
    const told = await kit.ask(user, { config: { maxIterations: 5 } });

    expect(told.of('SystemChunk').map(({ systemType }) => systemType)).toEqual(['LIMIT_WARNING', 'LIMIT_REACHED']);
  });
});

import { describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { withSilentTool } from '../kit/silent-tool.ts';
import { calling, noticesOf, type OracleKit } from '../oracle/kit/oracle-kit.ts';
import { firingsOf, notifyTurn as notify, setState as set, useRulesKit } from './rule-kit.ts';

let kit: OracleKit;
let user: TestUser;
const rule = useRulesKit(
  (started) => {
    ({ kit, user } = started);
  },
  { tools: withSilentTool },
);

const answers = [calling('one'), calling('two'), reply.text('Done.')];

describe('a rule at work', () => {
  it('that is switched off in its own text says nothing, until somebody switches it on', async () => {
    await rule('off', { enabled: false, condition: 'turn == 1', action: notify });
    const enable = (enabled: boolean | null) =>
      user.ask('mutation ($enabled: Boolean) { setRuleEnabled(ruleId: "off", enabled: $enabled) { __typename } }', {
        enabled,
      });
    kit.script(reply.text('Done.'), reply.text('Done.'));
    const before = await kit.ask(user);
    await enable(true);
    const after = await kit.ask(user);
    await enable(null);

    expect(before.of('SystemChunk')).toEqual([]);
    expect(after.system('NOTIFICATION')).toHaveLength(1);
  });

  it('tells the person and the model what it has to say, at once', async () => {
    await rule('second', { condition: 'turn == 2', action: `${notify}\nadvice = "Look at turn {{ turn }}."` });
    const script = kit.script(...answers);
    const told = await kit.ask(user);

    expect(told.system('NOTIFICATION')).toMatchObject([
      { message: 'It is turn 2 of 15.', severity: 'WARNING', advice: 'Look at turn 2.' },
    ]);
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
      ['QUERY_START', 'turn == 0 && history.messages == 0 && context.tokens == 0 && question.startsWith("Why")'],
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

  it('is asked about a tool whose time is up as about one that failed, and knows how long all of it took', async () => {
    const condition = 'event.name == "tool.call.timeout" && elapsed >= 0.04 && elapsed < 40.0'; // the tool has 0.05 s
    await rule('slow', { trigger: 'TOOL_FAILURE', condition, action: notify });
    kit.script(calling([{ name: 'silent', arguments: {} }]), reply.text('Done.'));
    const told = await kit.ask(user);

    expect(told.system('NOTIFICATION')).toHaveLength(1);
    expect(
      await user.ask(
        'query ($runId: ID!) { testRule(input: { runId: $runId, ruleId: "slow" }) { ... on RuleTest { turns } } }',
        { runId: told.runId },
      ),
    ).toEqual({ testRule: { turns: [1] } });
  });

  it('fires with the others in the order of priority, and what one tightened the next reads', async () => {
    await rule('lower', { priority: 10, condition: 'turn == 1 && limits.maxIterations == 4', action: notify });
    await rule('higher', {
      priority: 900,
      action: '[action.limit]\nfield = "maxIterations"\nexpression = "limits.maxIterations - 11"',
      once: true,
    });
    kit.script(...answers);
    const told = await kit.ask(user);

    expect(told.system('NOTIFICATION').map(({ message }) => message)).toEqual([
      'Max iterations is now 4 turns instead of 15, by the rule “Rule higher”.',
      'It is turn 1 of 4.',
    ]);
  });

  it('knows in the same run what it has remembered', async () => {
    await rule('turns', { action: set('key = "turns"\nexpression = "stateNumber(\'turns\') + 1.0"') });
    kit.script(...answers);
    await kit.ask(user);

    expect((await firingsOf(user, 'turns')).map(({ effect }) => effect?.value)).toEqual([1, 2, 3]);
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

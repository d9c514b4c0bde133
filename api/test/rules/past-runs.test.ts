import { describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { personWithNotes, scriptBoth } from '../librarian/librarian-kit.ts';
import { calling, type OracleKit } from '../oracle/kit/oracle-kit.ts';
import {
  type FiringSeen,
  firingsOf,
  notifyTurn as notify,
  ruleText,
  setState as set,
  useRulesKit,
} from './rule-kit.ts';

let kit: OracleKit;
let user: TestUser;
const rule = useRulesKit((started) => {
  ({ kit, user } = started);
});

const answers = [calling('one'), calling('two'), reply.text('Done.')];

/** Without what came of it, which nobody can know who only tries it. */
function plain(effect: FiringSeen['effect']): object | null {
  if (effect === null) return null;
  const { changed, from, to, ...rest } = effect;
  return effect.type === 'limit' ? { ...rest, to: 9 } : rest;
}

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
    const tighten = '[action.limit]\nfield = "maxIterations"\nto = 9';
    expect(await on({ trigger: 'TOOL_FAILURE', condition: 'limits.maxIterations > 9', action: tighten })).toMatchObject(
      { turns: [2], asked: 2 },
    );
    expect(await firingsOf(kit.admin, 'trying')).toEqual([]);
  });

  /** Everything that a rule can see, as words: where two agree, all facts agree. */
  const seen = {
    standing:
      '{{ tokens.used }} {{ tokens.input }} {{ tokens.output }} {{ tokens.budget }} {{ tokens.left }} {{ tokens.share }} {{ context.tokens }} {{ context.window }} {{ context.share }} {{ elapsed >= 0.0 }}',
    history:
      '{{ history.messages }} {{ history.toolCalls }} {{ history.failures }} {{ history.repeats }} {{ history.errorStreak }} {{ size(history.tools) }} {{ failures("no_such_tool") }} {{ messagesAbove(4) }} {{ turn }}',
    limits:
      '{{ limits.maxIterations }} {{ limits.tokenBudget }} {{ limits.timeoutSeconds }} {{ limits.maxToolCallsPerTurn }} {{ limits.maxParallelTools }} {{ limits.softWarningPercent }}',
    subject:
      '{{ event.name }} {{ event.severity }} {{ size(event.payload) }} {{ size(question) }} {{ run.id }} {{ run.model }} {{ user.id }} {{ user.role }} {{ project.name }}',
  };
  const ofTool =
    '{{ tool.name }} {{ tool.ok }} {{ size(tool.arguments) }} {{ tool.resultTokens }} {{ size(tool.result) }} {{ size(tool.error) }} {{ tool.durationMs }}';
  const ofEnding = '{{ ending.reason }} {{ ending.turns }} {{ ending.tokens }} {{ ending.seconds }}';
  const triggers = [
    ...(['QUERY_START', 'TURN_START', 'TURN_END', 'TOOL_CALL', 'TOOL_COMPLETE', 'TOOL_FAILURE'] as const),
    'SESSION_END',
  ] as const;

  it('is what it was: every rule fires again at the same turns, having seen the same, whatever its trigger', async () => {
    const reader = await personWithNotes(kit, 12);
    const ids = triggers.flatMap((trigger) => {
      const more = trigger.startsWith('TOOL_') ? { tool: ofTool } : trigger === 'SESSION_END' ? { end: ofEnding } : {};
      return Object.entries({ ...seen, ...more }).map(([what, message]) => ({
        id: `${what}-${trigger.toLowerCase().replaceAll('_', '-')}`,
        trigger,
        action: `[action.${trigger === 'SESSION_END' ? 'notify' : 'hint'}]\nmessage = '${message}'`,
      }));
    });
    for (const { id, ...given } of ids) await rule(id, given);
    await rule('tightening', {
      trigger: 'TOOL_FAILURE',
      condition: 'limits.maxIterations > 9',
      action: '[action.limit]\nfield = "maxIterations"\nto = 9',
    });
    scriptBoth(kit, [reply.text('Before.')], []);
    const before = await kit.ask(reader);
    const bad = { id: 'bad', name: 'no_such_tool', arguments: { a: 1 } };
    scriptBoth(
      kit,
      [
        calling([{ id: 'many', name: 'vault_search', arguments: { query: 'heron', limit: 12 } }, bad]),
        calling('again'),
        calling('again'),
        calling([{ ...bad, id: 'again' }]),
        reply.text('Done.'),
      ],
      [reply.text('At dawn.', { usage: { input: 900, output: 40 } })],
    );
    const { runId } = await kit.ask(reader, { conversationId: before.conversationId });

    for (const id of [...ids.map((one) => one.id), 'tightening']) {
      const fired = (await firingsOf(reader, id)).filter(({ run }) => run.id === runId);
      const again = (await tried({ runId, ruleId: id }, reader)) as { readonly firings: readonly object[] };
      const live = fired.map(({ turn, trigger, effect, error }) => ({ turn, trigger, effect: plain(effect), error }));
      expect([id, again.firings]).toEqual([id, live]);
      expect([id, live.length]).not.toEqual([id, 0]);
    }
    expect((await tried({ runId, ruleId: 'tightening' }, reader)) as object).toMatchObject({ turns: [1] });
  });

  it('sees a turn that was broken off as it was seen then', async () => {
    const said =
      '{{ turn }} {{ history.errorStreak }} {{ history.repeats }} {{ tokens.used }} {{ event.payload.complete }}';
    await rule('ending', { trigger: 'TURN_END', action: `[action.hint]\nmessage = '${said}'` });
    const bad = (id: string) => calling([{ id, name: 'no_such_tool', arguments: { id } }]);
    kit.script(bad('a'), bad('b'), reply.error(400, { message: 'No.' }));
    const { runId } = await kit.ask(user);
    const live = (await firingsOf(user, 'ending')).map(({ turn, effect }) => ({ turn, effect }));

    expect(live.map(({ effect }) => effect?.message)).toEqual(['1 1 1 30 true', '2 2 1 60 true', '3 2 1 60 false']);
    expect(await tried({ runId, ruleId: 'ending' }, user)).toMatchObject({ firings: live });
  });

  it('counts the calls of the whole run, then as now, however many came since', async () => {
    const said = "[action.hint]\nmessage = \"{{ calls('vault_search') }} {{ failures('no_such_tool') }}\"";
    const early = 'toolFailed("no_such_tool") && toolCalled("no_such_tool") && failures("no_such_tool") == 1';
    await rule('quickly', { condition: `${early} && calls("vault_search") > 50`, action: said });
    await rule('at-length', { condition: `[1].exists(one, one == 1 && ${early}) && turn == 5`, action: said });
    const many = (turn: number) =>
      calling([...Array(20).keys()].map((call) => ({ name: 'vault_search', arguments: { query: `${turn} ${call}` } })));
    kit.script(
      calling([{ name: 'no_such_tool', arguments: {} }]),
      ...[2, 3, 4].map((turn) => many(turn)),
      reply.text('Done.'),
    );
    const { runId } = await kit.ask(user, { config: { maxToolCallsPerTurn: 20 } });

    for (const id of ['quickly', 'at-length']) {
      const live = (await firingsOf(user, id)).map(({ turn, effect, error }) => ({ turn, effect, error }));
      expect([id, live]).toEqual([id, [{ turn: 5, effect: { type: 'hint', message: '60 1' }, error: null }]]);
      expect(await tried({ runId, ruleId: id }, user)).toMatchObject({ firings: live });
    }
  });

  it('begins with what the rule remembered when the run began', async () => {
    await rule('counting', {
      trigger: 'QUERY_START',
      action: set('key = "runs"\nexpression = "stateNumber(\'runs\') + 1.0"'),
    });
    kit.script().always(reply.text('Done.'));
    const person = await kit.newUser();
    const runs = [await kit.ask(person), await kit.ask(person), await kit.ask(person)];
    const values = await Promise.all(
      runs.map(async ({ runId }) => {
        const { firings } = (await tried({ runId, ruleId: 'counting' }, person)) as {
          firings: { effect: { value: number } }[];
        };
        return firings.map(({ effect }) => effect.value);
      }),
    );

    expect(values).toEqual([[1], [2], [3]]);
  });

  it('says so when the run is too long to be looked at whole, or when too much was remembered to be kept', async () => {
    kit.script(...answers);
    const { runId } = await kit.ask(user);
    const on = (given: Parameters<typeof ruleText>[1]) => tried({ runId, text: ruleText('trying', given) });
    const asking = { condition: 'turn == 1 && stateNumber("seen") == 0.0' };

    expect(await on(asking)).toMatchObject({ message: 'It would have fired at turn 1.' });
    await kit.database.query(
      `insert into run_events (run_id, number, at, turn, name, severity, payload)
       select $1::uuid, number, now(), 1, 'rules.remembered', 'DEBUG', '{"leftOut":"The payload was too long."}'
       from generate_series(1001, 11001) as number`,
      [runId],
    );
    expect(await on(asking)).toMatchObject({
      message:
        'It would have fired at turn 1. Only the first 10,000 events of the run were looked at. What it remembered when the run began is not known: it was tried as if that were nothing.',
    });
    expect(await on({ condition: 'turn == 2', action: set('key = "a"\nvalue = 1') })).toMatchObject({
      message: 'It would have fired at turn 2. Only the first 10,000 events of the run were looked at.',
    });
  });

  it('goes by chunks and decisions where a run of an earlier version has no events', async () => {
    kit.script(calling([{ name: 'no_such_tool', arguments: {} }]), calling('two'), reply.text('Done.'));
    const { runId } = await kit.ask(user);
    await kit.database.query('delete from run_events where run_id = $1', [runId]);
    const on = (given: Parameters<typeof ruleText>[1]) => tried({ runId, text: ruleText('trying', given) });

    expect(await on({ trigger: 'TOOL_FAILURE' })).toMatchObject({ turns: [1], asked: 1 });
    expect(await on({ condition: 'tokens.used >= 60' })).toMatchObject({ turns: [3], asked: 3 });
    expect(await on({ trigger: 'SESSION_END' })).toMatchObject({ turns: [3] });
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

import { describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { calling, type OracleKit, searching } from '../oracle/kit/oracle-kit.ts';
import { firingsOf, useRulesKit } from './rule-kit.ts';

let kit: OracleKit;
let user: TestUser;
const rule = useRulesKit((started) => {
  ({ kit, user } = started);
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

  it('of tool calls that comes while they are run says nothing of those', async () => {
    await rule('one-call', { trigger: 'TOOL_CALL', action: '[action.limit]\nfield = "maxToolCallsPerTurn"\nto = 1' });
    const calls = ['a', 'b', 'c'].map((query) => ({ id: query, name: 'vault_search', arguments: { query } }));
    kit.script(calling(calls), calling(calls), reply.text('Done.'));
    const told = await kit.ask(user, { config: { maxToolCallsPerTurn: 2 } });

    expect(told.system('TOOL_LIMIT').map(({ message }) => message)).toEqual([
      '1 of 3 tool calls were not run: at most 2 are run in a turn.',
      '2 of 3 tool calls were not run: at most 1 are run in a turn.',
    ]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advance } from '../../src/agent/advance.ts';
import { decisionTree } from '../../src/agent/decision-tree.ts';
import { DefaultDecisionTree } from '../../src/agent/default-tree.ts';
import type { AgentState } from '../../src/agent/state.ts';
import type { EventName } from '../../src/events/event.ts';
import { partsOf } from '../../src/events/event-parts.ts';
import type { TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { withSilentTool } from '../kit/silent-tool.ts';
import { calling, noticesOf, type OracleKit, searching, startOracleKit } from '../oracle/kit/oracle-kit.ts';
import { deleteRule, saveRule } from '../rules/rule-kit.ts';
import { logged } from './kit/logged.ts';

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit({ tools: withSilentTool });
  user = await kit.newUser();
});
afterAll(() => kit.stop());

const foreword = {
  systemType: 'NOTIFICATION',
  severity: 'WARNING',
  message: 'The archive is being moved.',
} as const;

@decisionTree('talkative', 'Says something of its own before the first turn.')
export class TalkativeTree extends DefaultDecisionTree {
  override onTurnStart(state: AgentState): AgentState {
    const next = super.onTurnStart(state);
    if (state.turn > 0) return next;
    const told = advance(next, { type: 'notice-attached', notice: foreword });
    return advance(told, { type: 'hint-attached', hint: 'Quote the page.' });
  }
}

const read = (path: string) => calling([{ name: 'vault_read', arguments: { path } }]);

describe('an event is emitted where it happens', () => {
  it('of calls that fail, take too long or are not run', async () => {
    kit.script(
      calling([
        { id: 'slow', name: 'silent', arguments: {} },
        { id: 'bad', name: 'vault_read', arguments: { path: 'none' } },
        { id: 'extra', name: 'vault_search', arguments: { query: 'x' } },
      ]),
      reply.text('Done.'),
    );
    const { runId } = await kit.ask(user, { config: { maxToolCallsPerTurn: 2 } });

    expect((await logged(user, runId, 'tool.*')).toSorted()).toEqual([
      '1 tool.call.failure ERROR',
      '1 tool.call.not_run INFO',
      '1 tool.call.pending DEBUG',
      '1 tool.call.pending DEBUG',
      '1 tool.call.pending DEBUG',
      '1 tool.call.timeout ERROR',
    ]);
    expect(await logged(user, runId, 'budget.*')).toEqual(['1 budget.tool_calls.exceeded WARNING']);
  });

  it('of turns that run out, with the hint of the last', async () => {
    kit.script().always(searching);
    const { runId } = await kit.ask(user, { config: { maxIterations: 4 } });

    expect(await logged(user, runId, 'budget.*')).toEqual([
      '3 budget.iteration.warning WARNING',
      '4 budget.iteration.exceeded ERROR',
    ]);
    expect(await logged(user, runId, 'agent.hint')).toEqual(['4 agent.hint INFO']);
  });

  it('of tokens that run out', async () => {
    const dear = { usage: { input: 3_000, output: 1_000 } };
    kit.script(
      calling('one', dear),
      calling('two', dear),
      calling('three', { usage: { input: 4_000, output: 1_000 } }),
    );
    const told = await kit.ask(user, { config: { tokenBudget: 13_000 } });

    expect(told.reason).toBe('TOKEN_BUDGET');
    expect(told.system('LIMIT_REACHED')).toMatchObject([{ limitType: 'TOKENS' }]);
    expect(await logged(user, told.runId, 'budget.*')).toEqual([
      '3 budget.token.warning WARNING',
      '3 budget.token.exceeded ERROR',
    ]);
  });

  it('of time that runs out', async () => {
    await saveRule(kit, 'hurry', {
      trigger: 'QUERY_START',
      action: '[action.limit]\nfield = "timeoutSeconds"\nto = 1',
    });
    kit.script(reply.hang());
    const { runId, reason } = await kit.ask(user).finally(() => deleteRule(kit, 'hurry'));

    expect(reason).toBe('TIMEOUT');
    expect(await logged(user, runId, 'budget.*')).toEqual([
      '1 budget.timeout.warning WARNING',
      '1 budget.timeout.exceeded ERROR',
    ]);
  });

  it('of a window that fills up', async () => {
    kit.script(calling('a', { usage: { input: 48_000, output: 10 } }), reply.text('Done.'));
    const { runId } = await kit.ask(user, { config: { tokenBudget: 200_000 } });

    expect(await logged(user, runId, 'context.*')).toEqual(['2 context.approaching_limit WARNING']);
  });

  it('of going in circles, of standing still and of nothing that works', async () => {
    const write = (number: number) =>
      calling([{ name: 'vault_write', arguments: { path: 'diary.md', body: `Entry ${number}` } }]);
    const diary = read('diary.md');
    kit.script(write(0), diary, write(1), diary, write(2), diary, write(3), reply.text('Written.'));
    const circling = await kit.ask(user);
    kit.script().always(calling('the same'));
    const standing = await kit.ask(user);
    kit.script(read('x1'), read('x2'), read('x3'));
    const failing = await kit.ask(user);

    expect(await logged(user, circling.runId, 'agent.loop.detected')).toEqual(['7 agent.loop.detected WARNING']);
    expect(await logged(user, standing.runId, 'agent.no_progress')).toEqual(['3 agent.no_progress ERROR']);
    expect(await logged(user, failing.runId, 'agent.error_limit')).toEqual(['3 agent.error_limit ERROR']);
    expect(standing.system('NO_PROGRESS')).toHaveLength(1);
    expect(failing.system('ERROR_LIMIT')).toHaveLength(1);
  });

  it('of a model that fails for good', async () => {
    kit.script(reply.error(400, { message: 'No.' }));
    const { runId, reason } = await kit.ask(user);

    expect(reason).toBe('MODEL_ERROR');
    expect(await logged(user, runId, 'model.*')).toEqual([
      '1 model.call.start DEBUG',
      '1 model.call.failure ERROR',
      '1 model.call.end DEBUG',
    ]);
    expect(await logged(user, runId, 'session.*')).toEqual(['1 session.end INFO']);
  });

  it('of what a decision tree of somebody’s own says, to the person as to the model', async () => {
    const script = kit.script(reply.text('Done.'));
    const told = await kit.ask(user, { decisionTree: 'talkative' });

    expect(await logged(user, told.runId, 'agent.*')).toEqual([
      '1 agent.turn.start DEBUG',
      '1 agent.notice WARNING',
      '1 agent.hint INFO',
      '1 agent.turn.end DEBUG',
    ]);
    expect(told.of('SystemChunk')).toMatchObject([foreword]);
    expect(noticesOf(await script.request(1))).toEqual(['<notice>Quote the page.</notice>']);
  });

  it('of a question that follows another', async () => {
    kit.script(reply.text('One.'), reply.text('Two.'));
    const { runId, conversationId } = await kit.ask(user);
    const next = await kit.ask(user, { conversationId });

    expect(await logged(user, runId, 'session.*')).toEqual(['1 session.end INFO']);
    expect(await logged(user, next.runId, 'session.*')).toEqual(['0 session.resumed DEBUG', '1 session.end INFO']);
  });

  it('with the parts that it is known to carry, and no others', async () => {
    const rows = await kit.database.query<{ name: EventName; part: string }>(
      'select distinct name, json_object_keys(payload::json) as part from run_events',
    );

    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter(({ name, part }) => !(partsOf(name) ?? [part]).includes(part))).toEqual([]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { builtInTools } from '../../src/tools/built-in-tools.ts';
import type { TestUser } from '../kit/kit.ts';
import { reply, type ScriptedCall, step } from '../kit/model-replies.ts';
import { calling, noticesOf, type OracleKit, searching, startOracleKit } from './kit/oracle-kit.ts';

const allTools = builtInTools.names.length;

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit();
});
beforeEach(async () => {
  user = await kit.newUser();
});
afterAll(() => kit.stop());

const same = calling('the same');
const overBudget = { usage: { input: 1_500, output: 900 } };
const missing = (number: number): ScriptedCall => ({ name: 'vault_read', arguments: { path: `missing-${number}.md` } });

describe('intelligent termination', () => {
  it('US3.1: an answer without tool calls ends the run without another iteration', async () => {
    const script = kit.script(reply.text(['It is ', 'done.'], { finish: 'stop' }));
    const told = await kit.ask(user);

    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'It is done.' });
    expect(told.ending).toMatchObject({ turns: 1, limitType: null, unfinishedTools: [] });
    expect(script.requests()).toHaveLength(1);
  });

  it.each(['tool_calls', 'length', 'content_filter', 'something_new', null])(
    'US3.1: what counts is that there are no calls, not the finish reason (%s)',
    async (finish) => {
      const script = kit.script(reply.text('Done.', { finish }));

      expect(await kit.ask(user)).toMatchObject({ reason: 'COMPLETED', text: 'Done.' });
      expect(script.requests()).toHaveLength(1);
    },
  );

  it.each(['stop', 'length', null])('calls are made whatever the finish reason says (%s)', async (finish) => {
    const script = kit.script(calling('welcome', { finish }), reply.text('Found.'));
    const told = await kit.ask(user);

    expect(told.of('ToolResultChunk')).toMatchObject([{ name: 'vault_search', ok: true }]);
    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'Found.' });
    expect(script.requests()).toHaveLength(2);
  });

  it('US3.2: the third identical call in a row ends the run, after its result, and the end is explained', async () => {
    const script = kit.script().always(calling('the same', { text: 'Hm. ' }));
    const told = await kit.ask(user);
    const [notice] = told.system('NO_PROGRESS');
    const lastResult = told.of('ToolResultChunk').at(-1);

    expect(script.requests()).toHaveLength(3);
    expect(told.ending).toMatchObject({ reason: 'NO_PROGRESS', usedValue: 3, limitValue: 3, turns: 3 });
    expect(told.of('ToolResultChunk')).toHaveLength(3);
    expect(notice?.seq).toBeGreaterThan(lastResult?.seq ?? Number.POSITIVE_INFINITY);
    expect(notice).toMatchObject({ severity: 'ERROR', message: expect.stringContaining('3 times in a row') });
    expect(told.text).toMatch(/^Hm\. Hm\. Hm\. \n\nStopped because nothing new came of it/);
    expect(told.text).toContain('vault_search:{"query":"the same"}');
    expect(script.requests().map((request) => noticesOf(request).join().includes('same call 2 times'))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('US3.2: arguments written in another order are the same call', async () => {
    const orders = ['{"query":"a","limit":3}', '{"limit":3,"query":"a"}', '{ "query": "a", "limit": 3 }'];
    kit.script(...orders.map((written) => calling([{ name: 'vault_search', arguments: written }])));

    expect((await kit.ask(user)).reason).toBe('NO_PROGRESS');
  });

  it('US3.2: two identical calls and then another one are no loop', async () => {
    kit.script(same, same, calling('another'), same, same, reply.text('Enough.'));

    expect((await kit.ask(user)).reason).toBe('COMPLETED');
  });

  it('three turns in a row that bring only known results end the run as well', async () => {
    kit.script(calling('a'), calling('b'), calling('a'), calling('b'), calling('a'));
    const told = await kit.ask(user);

    expect(told.ending).toMatchObject({ reason: 'NO_PROGRESS', turns: 5 });
    expect(told.text).toContain('results that were known already');
  });

  it('an action that keeps coming back with new results is only pointed out, once', async () => {
    const read = calling([{ name: 'vault_read', arguments: { path: 'diary.md' } }]);
    const write = (number: number) =>
      calling([{ name: 'vault_write', arguments: { path: 'diary.md', body: `# Diary\n\nEntry ${number}` } }]);
    const script = kit.script(write(0), read, write(1), read, write(2), read, write(3), read, reply.text('Written.'));
    const told = await kit.ask(user);

    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'Written.' });
    expect(told.system('LOOP_DETECTED')).toMatchObject([{ severity: 'WARNING', limitType: null }]);
    expect(script.requests().map((request) => noticesOf(request).join().includes('keeps coming back'))).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((turn) => turn === 7),
    );
  });

  it('US3.3: three turns of nothing but errors end the run with what was said and what went wrong', async () => {
    const script = kit.script().always(({ number }) => calling([missing(number)], { text: 'Trying. ' }));
    const told = await kit.ask(user);

    expect(script.requests()).toHaveLength(3);
    expect(told.ending).toMatchObject({ reason: 'ERROR_LIMIT', usedValue: 3, limitValue: 3, turns: 3 });
    expect(told.system('ERROR_LIMIT')).toMatchObject([{ severity: 'ERROR' }]);
    expect(told.of('ToolResultChunk').map(({ ok }) => ok)).toEqual([false, false, false]);
    expect(told.text).toMatch(/^Trying\. Trying\. Trying\. \n\nStopped because every tool call failed/);
    expect(told.text).toContain('There is no note at');
  });

  it('US3.3: one success among the errors of a turn starts the count anew', async () => {
    const half = calling([missing(7), { name: 'vault_search', arguments: { query: 'welcome' } }]);
    kit.script(
      calling([missing(1)]),
      calling([missing(2)]),
      half,
      calling([missing(3)]),
      calling([missing(4)]),
      reply.text('So.'),
    );

    expect(await kit.ask(user)).toMatchObject({ reason: 'COMPLETED', text: 'So.' });
  });
});

describe('FR-004: of several reasons that hold at once, the first in order wins', () => {
  it('COMPLETED before MAX_ITERATIONS: an answer on the last turn', async () => {
    kit.script(calling('one'), reply.text('Just in time.'));

    expect(await kit.ask(user, { config: { maxIterations: 2 } })).toMatchObject({ reason: 'COMPLETED' });
  });

  it('COMPLETED before TOKEN_BUDGET: an answer that took more than there was', async () => {
    kit.script(reply.text('Dear, but whole.', overBudget));
    const told = await kit.ask(user, { config: { tokenBudget: 2_000 } });

    expect(told).toMatchObject({ reason: 'COMPLETED', ending: { usage: { totalTokens: 2_400 } } });
  });

  it('MAX_ITERATIONS before TOKEN_BUDGET', async () => {
    kit.script(calling('one', overBudget));

    expect(await kit.ask(user, { config: { maxIterations: 1, tokenBudget: 2_000 } })).toMatchObject({
      reason: 'MAX_ITERATIONS',
      ending: { usage: { totalTokens: 2_400 } },
    });
  });

  it('MAX_ITERATIONS before NO_PROGRESS', async () => {
    kit.script(same, same, same);

    expect(await kit.ask(user, { config: { maxIterations: 3 } })).toMatchObject({ reason: 'MAX_ITERATIONS' });
  });

  it('TOKEN_BUDGET before NO_PROGRESS', async () => {
    kit.script(same, same, calling('the same', { usage: { input: 30_000, output: 20_000 } }));

    expect(await kit.ask(user)).toMatchObject({ reason: 'TOKEN_BUDGET', ending: { turns: 3 } });
  });

  it('NO_PROGRESS before ERROR_LIMIT', async () => {
    kit.script().always(calling([missing(1)]));

    expect(await kit.ask(user)).toMatchObject({ reason: 'NO_PROGRESS', ending: { turns: 3 } });
  });

  it('the trace says for every decision how each condition stood', async () => {
    kit.script(same, same, reply.text('Done.'));
    const { runId } = await kit.ask(user, { config: { maxIterations: 9 } });
    const { run } = await user.ask<{
      run: {
        decisions: {
          turn: number;
          continued: boolean;
          reason: string | null;
          evaluations: { reason: string; value: number; limit: number; fired: boolean }[];
        }[];
      };
    }>(
      'query ($runId: ID!) { run(id: $runId) { decisions { turn continued reason evaluations { reason value limit fired } } } }',
      { runId },
    );
    const reasons = run.decisions[2]?.evaluations.map(({ reason }) => reason);
    const stalled = run.decisions.map(({ evaluations }) => evaluations.find(({ reason }) => reason === 'NO_PROGRESS'));

    expect(run.decisions.map(({ turn, continued, reason }) => [turn, continued, reason])).toEqual([
      [0, true, null],
      [1, true, null],
      [2, true, null],
      [3, false, 'COMPLETED'],
    ]);
    expect(reasons?.slice(0, 7)).toEqual([
      'CANCELLED',
      'COMPLETED',
      'MAX_ITERATIONS',
      'TOKEN_BUDGET',
      'TIMEOUT',
      'NO_PROGRESS',
      'ERROR_LIMIT',
    ]);
    expect(stalled[2]).toEqual({ reason: 'NO_PROGRESS', value: 2, limit: 3, fired: false });
  });
});

describe('the clock', () => {
  it('TIMEOUT: warned at 80 %, stopped at the limit, what was said is kept, and the provider is let go of', async () => {
    const script = kit.script(reply.stream([step.text('Half a sentence'), step.hang()]));
    const told = await kit.ask(user, { config: { timeoutSeconds: 10 } });
    await (await script.request(1)).closed;

    expect(told.ending).toMatchObject({ reason: 'TIMEOUT', limitType: 'TIME', limitValue: 10 });
    expect(told.ending.usedValue).toBeGreaterThanOrEqual(10);
    expect(told.system('LIMIT_WARNING')).toMatchObject([{ limitType: 'TIME', limitValue: 10 }]);
    expect(told.system('LIMIT_REACHED')).toMatchObject([{ limitType: 'TIME', limitValue: 10 }]);
    expect(told.text).toMatch(/^Half a sentence\n\nStopped at the time limit/);
  });
});

describe('decision trees', () => {
  it('US4.1, FR-013: without a name, the default tree decides', async () => {
    kit.script(calling('one'), reply.text('One look was enough.'));
    const told = await kit.ask(user);

    expect(told.run.decisionTree).toBe('default');
    expect(told).toMatchObject({ reason: 'COMPLETED', ending: { turns: 2 } });
  });

  it('FR-014: the trees that can be chosen are listed', async () => {
    const { decisionTrees } = await user.ask<{ decisionTrees: { name: string; description: string }[] }>(
      '{ decisionTrees { name description } }',
    );

    expect(decisionTrees.map(({ name }) => name)).toEqual(expect.arrayContaining(['default', 'research']));
    expect(decisionTrees.every(({ description }) => description.length > 10)).toBe(true);
  });

  it('US4.2, US4.3, FR-015: a tree of one’s own keeps its phase in the state, and the limits hold all the same', async () => {
    const script = kit.script().always(searching);
    const told = await kit.ask(user, { decisionTree: 'research', config: { maxIterations: 6 } });
    const offered = script.requests().map(({ body }) => body.tools?.length ?? 0);

    expect(told.run.decisionTree).toBe('research');
    expect(offered).toEqual([allTools, allTools, allTools, 0, 0, 0]);
    expect(script.requests().map((request) => noticesOf(request).join().includes('research is over'))).toEqual(
      offered.map((count) => count === 0),
    );
    expect(told.ending).toMatchObject({ reason: 'MAX_ITERATIONS', turns: 6 });
    expect(told.system('LIMIT_WARNING')).toMatchObject([{ message: 'Approaching iteration limit (4/6)' }]);
  });

  it('calls made although no tools were offered are not run, and the model is told so', async () => {
    const script = kit.script(calling('one'), calling('two'), calling('three'), reply.text('Then without.'));
    const told = await kit.ask(user, { decisionTree: 'research', config: { maxIterations: 4 } });
    const [, , third, fourth] = script.requests();

    expect(third?.body.tools).toBeUndefined();
    expect(told.of('ToolCallChunk').map(({ turn, status }) => [turn, status])).toEqual([
      [1, 'PENDING'],
      [1, 'RUNNING'],
      [2, 'PENDING'],
      [2, 'RUNNING'],
      [3, 'PENDING'],
      [3, 'NOT_RUN'],
    ]);
    expect(told.of('ToolResultChunk')).toHaveLength(2);
    expect(fourth?.body.messages.findLast(({ role }) => role === 'tool')?.content).toMatch(/no tools are offered/);
    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'Then without.' });
  });
});

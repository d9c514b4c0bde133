import { describe, expect, it } from 'vitest';
import { FiringLog } from '../../src/rule-book/firing-log.ts';
import { RuleStore } from '../../src/rule-book/rule-store.ts';
import { openDatabase } from '../../src/store/database.ts';
import { codesOf } from '../kit/client.ts';
import type { TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { calling, type OracleKit } from '../oracle/kit/oracle-kit.ts';
import { firingsOf, setState as set, useRulesKit } from './rule-kit.ts';

let kit: OracleKit;
let user: TestUser;
const rule = useRulesKit((started) => {
  ({ kit, user } = started);
});

interface FiringPage {
  readonly ruleFirings: {
    readonly edges: readonly { readonly node: { readonly turn: number } }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
  };
}

describe('what rules did', () => {
  it('is a firing only where they did not fail: when a rule last fired says nothing of failures', async () => {
    await rule('failing', { condition: 'state.missing == 1' });
    kit.script(reply.text('Done.'));
    await kit.ask(user);
    const { rule: seen } = await user.ask<{ rule: object }>('{ rule(id: "failing") { lastFiredAt } }');

    expect(await firingsOf(user, 'failing')).toMatchObject([{ error: 'There is nothing called missing.' }]);
    expect(seen).toEqual({ lastFiredAt: null });
  });

  it('comes in pages, each firing once', async () => {
    await rule('paged', { trigger: 'TOOL_CALL' });
    kit.script(calling('one'), calling('two'), calling('three'), reply.text('Done.'));
    const { runId } = await kit.ask(user);
    const page = `query ($after: String) { ruleFirings(ruleId: "paged", first: 2, after: $after) {
      edges { node { turn } } pageInfo { hasNextPage endCursor } } }`;
    const turns: number[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const { ruleFirings }: FiringPage = await user.ask<FiringPage>(page, { after });
      turns.push(...ruleFirings.edges.map(({ node }) => node.turn));
      after = ruleFirings.pageInfo.endCursor;
      more = ruleFirings.pageInfo.hasNextPage;
    }

    expect(turns).toEqual([3, 2, 1]);
    for (const number of ['one', 1.5, 1e20, null]) {
      const after = Buffer.from(JSON.stringify([new Date(), runId, number])).toString('base64url');
      expect(codesOf(await user.query(page, { after }))).toEqual(['BAD_USER_INPUT']);
    }
  });

  it('is listed up to a number; beyond it each rule says once that there was more', async () => {
    kit.script(reply.text('Done.'));
    const { runId } = await kit.ask(user);
    await kit.database.query('delete from rule_firings where run_id = $1', [runId]);
    const database = await openDatabase(kit.database.url);
    const failures: unknown[] = [];
    const log = new FiringLog(new RuleStore(database), { runId, userId: user.id, projectId: '' }, (error) =>
      failures.push(error),
    );
    const firing = { turn: 1, trigger: 'TOOL_CALL', effect: { type: 'hint' }, error: null };
    for (let count = 0; count < 600; count += 1) log.add({ ...firing, ruleId: 'busy' });
    for (let count = 0; count < 3; count += 1) log.add({ ...firing, ruleId: 'late' });
    await log.flush();
    await database.close();
    const rows = await kit.database.query(
      `select rule_id, error is null as fired, count(*)::int as count, max(error) as error
       from rule_firings where run_id = $1 group by 1, 2 order by 1, 2 desc`,
      [runId],
    );
    const more = 'More than 500 firings in this run: what this rule did from here on is not listed.';

    expect(failures).toEqual([]);
    expect(rows).toEqual([
      { rule_id: 'busy', fired: true, count: 500, error: null },
      { rule_id: 'busy', fired: false, count: 1, error: more },
      { rule_id: 'late', fired: false, count: 1, error: more },
    ]);
  });
});

describe('what rules remember', () => {
  it('is stored later when it could not be stored at once', async () => {
    await rule('keeper', { trigger: 'TOOL_CALL', action: set('key = "seen"\nvalue = "yes"') });
    const complaints = () => kit.logs.filter((line) => line.includes('rules could not be stored')).length;
    kit.script(
      async () => {
        await kit.database.query('alter table rule_state rename to rule_state_elsewhere');
        return calling('one');
      },
      async () => {
        await expect.poll(complaints).toBeGreaterThan(0);
        await kit.database.query('alter table rule_state_elsewhere rename to rule_state');
        return reply.text('Done.');
      },
    );
    await kit.ask(user);
    const state = async () =>
      (await user.ask<{ ruleState: { values: object } }>('{ ruleState(ruleId: "keeper") { values } }')).ruleState
        .values;

    await expect.poll(state).toEqual({ seen: 'yes' });
    expect(await firingsOf(user, 'keeper')).toHaveLength(1);
  });

  it('is stored without what the database cannot hold, and keeps nothing else from being stored', async () => {
    const half = '{{ question.substring(0, 4) }}';
    await rule('halved', { trigger: 'QUERY_START', action: set(`key = "start"\nvalue = "${half}"`) });
    await rule('nothing', { trigger: 'QUERY_START', condition: 'state["\0"] == 1' });
    await rule('payload', {
      trigger: 'QUERY_START',
      action: '[action.emit_event]\nname = "rule.review.needed"\npayload = { "a\\u0000b" = "x" }',
    });
    await rule('sound', { trigger: 'QUERY_START', action: set('key = "seen"\nvalue = "yes"') });
    kit.script(reply.text('Done.'));
    await kit.ask(user, { question: 'Why\u{1f600}?' });
    const state = async (ruleId: string) =>
      (
        await user.ask<{ ruleState: { values: object } }>(
          'query ($ruleId: String!) { ruleState(ruleId: $ruleId) { values } }',
          { ruleId },
        )
      ).ruleState.values;

    await expect.poll(() => state('sound')).toEqual({ seen: 'yes' });
    expect(await state('halved')).toEqual({ start: 'Why\ufffd' });
    await expect.poll(() => firingsOf(user, 'nothing')).toMatchObject([{ error: 'There is nothing called .' }]);
    expect(await firingsOf(user, 'payload')).toMatchObject([{ effect: { payload: { ab: 'x' } } }]);
    expect(await firingsOf(user, 'sound')).toHaveLength(1);
  });
});

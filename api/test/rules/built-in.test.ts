import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { calling, noticesOf, type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';
import { firingsOf } from './rule-kit.ts';

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit();
  user = await kit.newUser();
});
afterAll(() => kit.stop());

/** The turns of a run in which a built-in rule fired. */
async function fired(ruleId: string, runId: string): Promise<readonly number[]> {
  return (await firingsOf(user, ruleId)).filter(({ run }) => run.id === runId).map(({ turn }) => turn);
}

const costly = (topic: string, input: number) => calling(topic, { usage: { input, output: 10 } });
const failing = (id: string) => calling([{ id, name: 'vault_read', arguments: { path: `${id}.md` } }]);

describe('built-in rules', () => {
  it('advise smaller steps when half of the budget is used within a third of the turns', async () => {
    const script = kit.script(costly('one', 6_000), costly('two', 6_000), costly('three', 6_000), reply.text('Done.'));
    const { runId } = await kit.ask(user, { config: { tokenBudget: 20_000 } });

    expect(await fired('budget-advice', runId)).toEqual([3]);
    expect(noticesOf(await script.request(3)).join()).toContain(
      'Half of the token budget is used after 2 of 15 turns.',
    );
    kit.script(costly('one', 100), costly('two', 100), reply.text('Done.'));
    expect(await fired('budget-advice', (await kit.ask(user)).runId)).toEqual([]);
  });

  it('allow fewer calls in a turn when the window is nearly full', async () => {
    const message = 'Tool calls per turn is now 2 calls instead of 5, by the rule “Fewer calls in a full window”.';
    const budget = { config: { tokenBudget: 200_000 } };
    kit.script(costly('one', 56_000), reply.text('Done.'), costly('one', 58_000), reply.text('Done.'));
    const [roomy, narrow] = [await kit.ask(user, budget), await kit.ask(user, budget)];

    expect(await fired('context-pressure', roomy.runId)).toEqual([]);
    expect(await fired('context-pressure', narrow.runId)).toEqual([2]);
    expect(narrow.system('NOTIFICATION').map((chunk) => chunk.message)).toContain(message);
  });

  it('advise to ask for less after a long result', async () => {
    const body = Array.from({ length: 2_000 }, (_, line) => `${line} odd lines`).join('\n');
    await user.ask('mutation ($input: SaveNoteInput!) { saveNote(input: $input) { __typename } }', {
      input: { path: 'long.md', body },
    });
    const script = kit.script(
      calling([{ name: 'vault_read', arguments: { path: 'long.md' } }]),
      calling('short'),
      reply.text('Done.'),
    );
    const { runId } = await kit.ask(user);

    expect(await fired('long-result', runId)).toEqual([1]);
    expect(noticesOf(await script.request(2)).join()).toMatch(/vault_read answered with about \d+ tokens\. Narrow/);
  });

  it('advise to do without a tool that failed three times, once', async () => {
    const script = kit.script(
      failing('a'),
      failing('b'),
      calling('ok'),
      failing('c'),
      failing('d'),
      reply.text('Done.'),
    );
    const { runId } = await kit.ask(user);

    expect(await fired('repeated-failures', runId)).toEqual([4]);
    expect(script.requests().map((request) => noticesOf(request).join().includes('has failed 3 times'))).toEqual(
      [1, 2, 3, 4, 5, 6].map((number) => number === 5),
    );
  });

  it('log each question without its words', async () => {
    kit.script(reply.text('Done.'));
    const { runId } = await kit.ask(user, { question: 'Who knows the words?' });
    const line = kit.logs
      .map((text) => JSON.parse(text) as { readonly rule?: string; readonly runId?: string; readonly msg: string })
      .find((entry) => entry.rule === 'query-log' && entry.runId === runId);

    expect(line?.msg).toBe('question of 20 characters for openai/scripted, at most 15 turns and 50000 tokens');
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { withSilentTool } from '../kit/silent-tool.ts';
import {
  calling,
  noticesOf,
  type OracleKit,
  type Script,
  searching,
  startOracleKit,
} from '../oracle/kit/oracle-kit.ts';
import type { Told } from '../oracle/kit/told.ts';

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit({ tools: withSilentTool });
  user = await kit.newUser();
});
afterAll(() => kit.stop());

const missing = (path: string) => calling([{ id: path, name: 'vault_read', arguments: { path } }]);
const shown = (told: Told) => told.of('SystemChunk').map(({ message }) => message);
/** The requests, by number, whose notices say it. */
const requestsSaying = (script: Script, words: string) =>
  script.requests().flatMap((request, index) => (noticesOf(request).join().includes(words) ? [index + 1] : []));

describe('the built-in subscriber of', () => {
  it('tool failures tells how often a tool failed, from the second time on', async () => {
    const script = kit.script(missing('x1'), missing('x2'), reply.text('Done.'));
    const told = await kit.ask(user);

    expect(shown(told)).toEqual([expect.stringMatching(/^vault_read failed, 2 times: /)]);
    expect(requestsSaying(script, 'tool_failure[1]{tool,error,times}')).toEqual([3]);
  });

  it('tool failures counts a time that is up as a failure', async () => {
    const waiting = (n: number) => calling([{ name: 'silent', arguments: { n } }]);
    kit.script(waiting(1), waiting(2), reply.text('Done.'));
    const told = await kit.ask(user);

    expect(shown(told)).toEqual(['silent failed, 2 times: silent did not answer within 0.05 s.']);
  });

  it('budget warnings tells before the turns are used, to the person and the model', async () => {
    const script = kit.script(calling('a'), calling('b'), reply.text('Done.'));
    const told = await kit.ask(user, { config: { maxIterations: 4 } });

    expect(told.system('LIMIT_WARNING')).toMatchObject([{ limitType: 'ITERATIONS', limitValue: 4 }]);
    expect(requestsSaying(script, 'Approaching iteration limit')).toEqual([3]);
  });

  it('budgets exceeded tells which limit ended the run', async () => {
    kit.script().always(searching);
    const told = await kit.ask(user, { config: { maxIterations: 2 } });

    expect(told.system('LIMIT_REACHED')).toMatchObject([{ limitType: 'ITERATIONS', currentValue: 2, limitValue: 2 }]);
  });

  it('loops tells of an action that keeps coming back', async () => {
    const read = calling([{ name: 'vault_read', arguments: { path: 'diary.md' } }]);
    const write = (number: number) =>
      calling([{ name: 'vault_write', arguments: { path: 'diary.md', body: `Entry ${number}` } }]);
    const script = kit.script(write(0), read, write(1), read, write(2), read, write(3), reply.text('Written.'));
    const told = await kit.ask(user);

    expect(told.system('LOOP_DETECTED')).toHaveLength(1);
    expect(requestsSaying(script, 'keeps coming back')).toEqual([7]);
  });

  it('the context’s limit tells when the window fills up', async () => {
    const script = kit.script(
      calling('a', { usage: { input: 48_000, output: 10 } }),
      calling('b'),
      reply.text('Done.'),
    );
    const told = await kit.ask(user, { config: { tokenBudget: 200_000 } });

    expect(told.system('CONTEXT_WARNING')).toMatchObject([{ limitType: 'CONTEXT', limitValue: 64_000 }]);
    expect(requestsSaying(script, "The model's window fills up")).toEqual([2]);
  });

  it('sessions resumed tells of a pause of an hour, and of no shorter one', async () => {
    const rest = async (runId: string, pause: string) =>
      kit.database.query(`update exchanges set created_at = created_at - $2::interval where run_id = $1`, [
        runId,
        pause,
      ]);
    kit.script(reply.text('One.'));
    const first = await kit.ask(user);
    await rest(first.runId, '59 minutes');
    kit.script(reply.text('Two.'));
    const soon = await kit.ask(user, { conversationId: first.conversationId });
    await rest(soon.runId, '61 minutes');
    const script = kit.script(reply.text('Three.'));
    const late = await kit.ask(user, { conversationId: first.conversationId });

    expect(shown(soon)).toEqual([]);
    expect(shown(late)).toEqual(['Going on after a pause, with earlier exchanges: 2.']);
    expect(noticesOf(await script.request(1)).join()).toMatch(
      /session_resumed\[1\]\{exchanges,idleSeconds\}:\s+2,36\d\d/,
    );
  });

  it('checkpoints tells every ten turns how far a long run has come', async () => {
    const turns = Array.from({ length: 21 }, (_, index) => calling(`topic ${index + 1}`));
    const script = kit.script(...turns, reply.text('Done.'));
    const told = await kit.ask(user, { config: { maxIterations: 50, tokenBudget: 200_000 } });

    expect(shown(told)).toEqual([
      'Turn 10 of 50: 10 tool calls, 300 of 200,000 tokens.',
      'Turn 20 of 50: 20 tool calls, 600 of 200,000 tokens.',
    ]);
    expect(requestsSaying(script, 'task_checkpoint[1]')).toEqual([11, 21]);
  });

  it('reminders tells what the model wanted to be told', async () => {
    const script = kit.script(
      calling([{ name: 'notify_self', arguments: { message: 'Look again.' } }]),
      reply.text('Done.'),
    );
    const told = await kit.ask(user);

    expect(shown(told)).toEqual(['Reminder: Look again.']);
    expect(requestsSaying(script, 'self_notice[1]{category,message}')).toEqual([2]);
  });

  it('stale sources tells what became of a note that the conversation relies on', async () => {
    const save = (body: string) =>
      user.ask('mutation ($input: SaveNoteInput!) { saveNote(input: $input) { __typename } }', {
        input: { path: 'plans/launch.md', body },
      });
    await save('Launch in May.');
    kit.script(missing('plans/launch.md'), reply.text('In May.'));
    const first = await kit.ask(user);
    await save('Launch in June.');
    const script = kit.script(reply.text('In June.'));
    const next = await kit.ask(user, { conversationId: first.conversationId });

    expect(shown(next)).toEqual(['plans/launch.md changed since it was read.']);
    expect(requestsSaying(script, 'source_stale[1]{path,what,changedAt}')).toEqual([1]);
  });
});

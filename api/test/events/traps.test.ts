import { describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { createGate } from '../kit/model-server.ts';
import { calling, messagesOf, noticesOf, type OracleKit } from '../oracle/kit/oracle-kit.ts';
import type { Told } from '../oracle/kit/told.ts';
import { useSubscribers } from './kit/subscribers-kit.ts';

let kit: OracleKit;
let user: TestUser;
const { declare } = useSubscribers((started) => {
  ({ kit, user } = started);
});

/** Calls that fail: there are no such notes. */
const missing = (...paths: readonly string[]) =>
  calling(paths.map((path, index) => ({ id: `c${index}-${path}`, name: 'vault_read', arguments: { path } })));
/** What the subscribers of these tests said; their words begin with a dash. */
const said = (told: Told) =>
  told
    .system('NOTIFICATION')
    .map(({ message }) => message)
    .filter((message) => message.startsWith('-'));

describe('the traps of notices', () => {
  it('a lone notice is delivered: one that waits for company which never comes reaches the person and the model', async () => {
    await declare({
      lonely: `events = ["tool.call.failure"]\ninject = "AFTER_TOOL"\ntemplate = "- {tool}"\ncolumns = ["tool"]\n[batch]\nsize = 50\nwindow_seconds = 3600`,
    });
    const script = kit.script(missing('x'), reply.text('Done.'));
    const told = await kit.ask(user);

    expect(said(told)).toEqual(['- vault_read']);
    expect(script.requests().map((request) => noticesOf(request).join().includes('lonely'))).toEqual([false, true]);
  });

  it('a batch goes by time as well as by size: the model is told of it before it is full', async () => {
    const gate = createGate();
    await declare({
      slow: `events = ["agent.turn.start"]\ninject = "TURN_END"\ntemplate = "- a turn"\n[batch]\nsize = 50\nwindow_seconds = 0.02`,
    });
    const script = kit.script([{ do: 'wait', until: gate.opened }, ...calling('a')], reply.text('Done.'));
    const stream = kit.open(user);
    await stream.until((chunk) => chunk.__typename === 'SystemChunk' && chunk.message === '- a turn');
    gate.open();
    await kit.settle(user, stream);

    expect(script.requests().flatMap(noticesOf).join()).toContain('slow'); // a busy machine may ask later than that
  });

  it('filters count: the exact name, the prefix and the severity, each by itself and together', async () => {
    await declare({
      exact: 'events = ["tool.call.success"]\ntemplate = "- exact {tool}"',
      prefix: 'events = ["agent.*"]\nseverity = "INFO"\ntemplate = "- prefix"',
      both: 'events = ["tool.*"]\nseverity = "ERROR"\ntemplate = "- both {tool}"',
    });
    kit.script(
      calling([
        { name: 'vault_list', arguments: {} },
        { name: 'vault_read', arguments: { path: 'x' } },
      ]),
      reply.text('Done.'),
    );
    const told = await kit.ask(user);

    expect(said(told).toSorted()).toEqual(['- both vault_read', '- exact vault_list']);
  });

  it('there is no global bus: of two runs at the same time each hears of its own failures', async () => {
    const other = await kit.newUser();
    await declare({ failed: 'events = ["tool.call.failure"]\ninject = "TURN_END"\ntemplate = "- {error}"' });
    const [gate, both] = [createGate(), createGate()];
    let waiting = 0;
    const script = kit.script().always(({ body }) => {
      const own = JSON.stringify(body.messages).includes('of the first') ? 'first' : 'second';
      if (body.messages.some(({ role }) => role === 'tool')) return reply.text('Done.');
      waiting += 1;
      if (waiting === 2) both.open();
      return [{ do: 'wait', until: gate.opened }, ...missing(`${own}.md`)];
    });
    const asked = [
      kit.ask(user, { question: 'The question of the first.' }),
      kit.ask(other, { question: 'The question of the second.' }),
    ];
    await both.opened;
    gate.open();
    const [first, second] = await Promise.all(asked);
    const carried = script.requests().map((request) => [JSON.stringify(request.body), noticesOf(request).join()]);

    expect(first && said(first)).toEqual([expect.stringContaining('first.md')]);
    expect(second && said(second)).toEqual([expect.stringContaining('second.md')]);
    expect(carried).toHaveLength(4);
    for (const [body = '', notice = ''] of carried)
      expect(notice).not.toContain(body.includes('of the first') ? 'second.md' : 'first.md');
  });

  it('there are no global reminders: of two runs at the same time each is reminded of its own', async () => {
    const other = await kit.newUser();
    const both = createGate();
    let waiting = 0;
    kit.script().always(async ({ body }) => {
      const own = JSON.stringify(body.messages).includes('of the first') ? 'first' : 'second';
      const answered = body.messages.filter(({ role }) => role === 'tool').length;
      if (answered === 0) return calling([{ name: 'notify_self', arguments: { message: `- ${own}`, after_turns: 2 } }]);
      if (answered > 1) return reply.text('Done.');
      waiting += 1;
      if (waiting === 2) both.open();
      await both.opened;
      return calling(own);
    });
    const [first, second] = await Promise.all([
      kit.ask(user, { question: 'The question of the first.' }),
      kit.ask(other, { question: 'The question of the second.' }),
    ]);

    expect(first.system('NOTIFICATION').map(({ message }) => message)).toEqual(['Reminder: - first']);
    expect(second.system('NOTIFICATION').map(({ message }) => message)).toEqual(['Reminder: - second']);
  });

  it('what was told in one run does not silence the next: repeats are counted within a run', async () => {
    await declare({
      once: `events = ["tool.call.failure"]\ntemplate = "- {tool}{times}"\n[dedupe]\nkey = "{tool}"\nwindow_seconds = 3600`,
    });
    const script = kit.script(missing('x'), reply.text('Done.'), missing('x'), reply.text('Done.'));

    expect(said(await kit.ask(user))).toEqual(['- vault_read']);
    expect(said(await kit.ask(user))).toEqual(['- vault_read']);
    // What is held back as a repetition is told when the run ends, too late for the model.
    expect(script.requests().map((request) => noticesOf(request).join().includes('once'))).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  it('a deferred notice is not lost when its turn is broken off', async () => {
    await declare({ deferred: 'events = ["agent.turn.start"]\ninject = "TURN_END"\ntemplate = "- deferred"' });
    const script = kit.script([{ do: 'hang' }]);
    const stream = kit.open(user);
    const { runId } = await stream.until(() => true);
    await script.request(1);
    await kit.cancel(user, runId);
    const told = await kit.settle(user, stream);

    expect(told.reason).toBe('CANCELLED');
    expect(said(told)).toEqual(['- deferred']);
  });

  it('what waits is told before the run says how it ended', async () => {
    await declare({ waiting: 'events = ["tool.call.success"]\ninject = "TURN_START"\ntemplate = "- waiting"' });
    kit.script(calling('a'));
    const told = await kit.ask(user, { config: { maxIterations: 1 } });

    expect(told.of('SystemChunk').map(({ systemType }) => systemType)).toEqual(['NOTIFICATION', 'LIMIT_REACHED']);
  });

  it('a notice of the very end is not lost: no turn comes any more for which it could wait', async () => {
    await declare({ last: 'events = ["session.end"]\ninject = "TURN_START"\ntemplate = "- {reason}"' });
    kit.script(calling('a'), reply.text('Done.'));
    const told = await kit.ask(user);

    expect(said(told)).toEqual(['- COMPLETED']);
    expect(told.chunks.at(-1)?.__typename).toBe('DoneChunk');
  });

  it('repeats are counted, not dropped: the model too is told how often', async () => {
    await declare({
      counted: `events = ["tool.call.failure"]\ninject = "TURN_END"\ntemplate = "- {tool}{times}"\ncolumns = ["tool"]\n[dedupe]\nkey = "{tool}"\nwindow_seconds = 600`,
    });
    const script = kit.script(missing('a', 'b', 'c', 'd'), reply.text('Done.'));
    const told = await kit.ask(user);

    expect(said(told)).toEqual(['- vault_read, 4 times']);
    expect(noticesOf(await script.request(2)).join()).toMatch(/counted\[1\]\{tool,times\}:\s+vault_read,4/);
  });

  it('priority counts for the model as well: what matters most stands first, however young it is', async () => {
    const ranked = (event: string, priority: string) =>
      `events = ["${event}"]\ninject = "TURN_END"\npriority = "${priority}"\ntemplate = "- ${priority}"`;
    await declare({
      'a-low': ranked('agent.turn.start', 'LOW'),
      'b-normal': ranked('model.call.start', 'NORMAL'),
      'c-critical': ranked('agent.turn.end', 'CRITICAL'),
    });
    const script = kit.script(calling('a'), reply.text('Done.'));
    await kit.ask(user);
    const notice = noticesOf(await script.request(2)).join();

    expect(notice.match(/LOW|NORMAL|CRITICAL/g)).toEqual(['CRITICAL', 'NORMAL', 'LOW']);
  });

  it('age counts for the model as well: of what matters alike the oldest stands first, whenever it was told', async () => {
    await declare({
      late: 'events = ["agent.turn.start"]\ninject = "TURN_END"\ntemplate = "- the older"',
      soon: 'events = ["tool.call.success"]\ninject = "IMMEDIATE"\ntemplate = "- the younger"',
    });
    const script = kit.script(calling('a'), reply.text('Done.'));
    const told = await kit.ask(user);
    const notice = noticesOf(await script.request(2)).join();

    expect(said(told).slice(0, 2)).toEqual(['- the younger', '- the older']);
    expect(notice.match(/the older|the younger/g)).toEqual(['the older', 'the younger']);
  });

  it('a notice is not saved into the conversation: neither the answer nor what the model remembers later has it', async () => {
    await declare({ passing: 'events = ["tool.call.success"]\ntemplate = "- only in passing"' });
    kit.script(calling('a'), reply.text('The answer.'));
    const first = await kit.ask(user);
    const script = kit.script(reply.text('Next.'));
    await kit.ask(user, { conversationId: first.conversationId });

    expect(said(first)).toEqual(['- only in passing']);
    expect(first.exchange.answer).toBe('The answer.');
    expect(JSON.stringify(messagesOf(await script.request(1)))).not.toContain('only in passing');
  });

  it('a failure of the notices breaks no run: it answers, and says what it can say itself', async () => {
    await declare({ fine: 'events = ["tool.call.success"]\ntemplate = "- still told"' });
    kit.script(calling('a'), reply.text('The answer.'));
    await kit.database.query('alter table notices rename column delivered_run_id to away');
    const told = await kit
      .ask(user)
      .finally(() => kit.database.query('alter table notices rename column away to delivered_run_id'));

    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'The answer.' });
    expect(said(told)).toEqual(['- still told']);
    expect(kit.logs.some((line) => line.includes('notifications could not be read'))).toBe(true);
  });
});

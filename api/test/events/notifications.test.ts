import { describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { calling, noticesOf, type OracleKit } from '../oracle/kit/oracle-kit.ts';
import { deleteRule, saveRule } from '../rules/rule-kit.ts';
import { useSubscribers } from './kit/subscribers-kit.ts';

let kit: OracleKit;
let user: TestUser;
const { folder, declare } = useSubscribers((started) => {
  ({ kit, user } = started);
});

const missing = (...paths: readonly string[]) =>
  calling(paths.map((path, index) => ({ id: `c${index}-${path}`, name: 'vault_read', arguments: { path } })));
const failing = 'events = ["tool.call.failure"]\ntemplate = "{tool} failed{times}"\ncolumns = ["tool"]';

describe('what a subscriber declares', () => {
  it('is told at its inject point: at once, after the tools, at the end of the turn or at the start of the next', async () => {
    const succeeding = (inject: string) =>
      `events = ["tool.call.success"]\ninject = "${inject}"\ntemplate = "${inject}: {tool}"`;
    await declare({
      'at-start': succeeding('TURN_START'),
      'at-end': succeeding('TURN_END'),
      'after-tool': succeeding('AFTER_TOOL'),
      'at-once': succeeding('IMMEDIATE'),
    });
    const script = kit.script(calling('a'), reply.text('Done.'));
    const told = await kit.ask(user);
    const types = told.chunks.map((chunk) => (chunk.__typename === 'SystemChunk' ? chunk.message : chunk.__typename));

    expect(told.system('NOTIFICATION').map(({ message, severity }) => [message, severity])).toEqual([
      ['IMMEDIATE: vault_search', 'INFO'],
      ['AFTER_TOOL: vault_search', 'INFO'],
      ['TURN_END: vault_search', 'INFO'],
      ['TURN_START: vault_search', 'INFO'],
    ]);
    expect(types.indexOf('IMMEDIATE: vault_search')).toBe(types.indexOf('ToolResultChunk') + 1);
    expect(types.indexOf('TURN_START: vault_search')).toBeLessThan(types.indexOf('ContentChunk'));
    expect(script.requests().map((request) => noticesOf(request).length)).toEqual([0, 1]);
    expect(told.exchange.answer).toBe('Done.');
  });

  it('reaches the model as a compact table in the next request alone', async () => {
    await declare({ failures: failing });
    const script = kit.script(missing('a', 'b'), calling('other'), reply.text('Done.'));
    await kit.ask(user);
    const notices = script.requests().map(noticesOf);

    expect(notices[0]).toEqual([]);
    expect(notices[1]?.join()).toContain('failures[');
    expect(notices[1]?.join()).toMatch(/^<notice>[\s\S]*<\/notice>$/);
    expect(notices[2]).toEqual([]);
  });

  it('is told to whom it names: to both, to the person alone or to the model alone', async () => {
    const told = (who: string, tell: string) =>
      `events = ["tool.call.success"]\ninject = "TURN_END"\ntemplate = "for ${who}"\n${tell}`;
    await declare({
      both: told('both', ''),
      person: told('the person', 'tell = ["PERSON"]'),
      model: told('the model', 'tell = ["MODEL"]'),
    });
    const script = kit.script(calling('a'), reply.text('Done.'));
    const shown = (await kit.ask(user)).system('NOTIFICATION').map(({ message }) => message);

    expect(shown).toEqual(['for both', 'for the person']);
    expect(
      noticesOf(await script.request(2))
        .join()
        .match(/for [\w ]+/g),
    ).toEqual(['for both', 'for the model']);
  });

  it('goes by priority', async () => {
    const ranked = (priority: string) =>
      `events = ["tool.call.success"]\ninject = "TURN_END"\npriority = "${priority}"\ntemplate = "${priority}"`;
    await declare({
      'a-low': ranked('LOW'),
      'b-critical': ranked('CRITICAL'),
      'c-normal': ranked('NORMAL'),
      'd-high': ranked('HIGH'),
    });
    kit.script(calling('a'), reply.text('Done.'));
    const told = await kit.ask(user);

    expect(told.system('NOTIFICATION').map(({ message }) => message)).toEqual(['CRITICAL', 'HIGH', 'NORMAL', 'LOW']);
  });

  it('goes by age where it matters alike, whoever spoke first before', async () => {
    const saying = (events: string, words: string) =>
      `events = [${events}]\ninject = "TURN_START"\ntemplate = "${words}"`;
    await declare({
      early: saying('"query.start", "tool.call.success"', 'the tool'),
      late: saying('"model.call.start"', 'the call'),
    });
    kit.script(calling('a'), reply.text('Done.'));
    const told = await kit.ask(user);

    expect(told.system('NOTIFICATION').map(({ message }) => message)).toEqual([
      'the tool',
      ...['the call', 'the tool'],
      'the call',
    ]);
  });

  it('is told as soon as a batch is full, and what is left of it at its inject point', async () => {
    await declare({
      batched: `events = ["tool.call.failure"]\ninject = "TURN_START"\ntemplate = "{error}"\n[batch]\nsize = 2\nwindow_seconds = 600`,
    });
    kit.script(missing('x1', 'x2', 'x3'), reply.text('Done.'));
    const told = await kit.ask(user);
    const batches = told.system('NOTIFICATION').filter(({ message }) => !message.startsWith('vault_read failed'));
    const lastResult = told.of('ToolResultChunk').at(-1);

    expect(batches.map(({ message }) => message.split('\n').length)).toEqual([2, 1]);
    expect(batches[0]?.seq).toBeLessThan(lastResult?.seq ?? 0);
    expect(batches[1]?.seq).toBeGreaterThan(lastResult?.seq ?? 0);
  });

  it('is told when its window is over, although the turn goes on', async () => {
    await declare({
      windowed: `events = ["agent.turn.start"]\ninject = "TURN_END"\ntemplate = "The window is over."\n[batch]\nsize = 50\nwindow_seconds = 0.05`,
    });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    kit.script([{ do: 'wait', until: released }, ...reply.text('Done.')]);
    const stream = kit.open(user);
    await stream.until((chunk) => chunk.__typename === 'SystemChunk' && chunk.message === 'The window is over.');
    release();
    const told = await kit.settle(user, stream);

    expect(told.reason).toBe('COMPLETED');
  });

  it('counts repeats instead of repeating them: once, with how often', async () => {
    await declare({
      counted: `${failing}\ninject = "TURN_END"\nseverity = "ERROR"\n[dedupe]\nkey = "{tool}"\nwindow_seconds = 600`,
    });
    kit.script(missing('x1', 'x2', 'x3', 'x4'), missing('x5'), missing('x6'), reply.text('Done.'));
    const told = await kit.ask(user);
    const counted = told
      .system('NOTIFICATION')
      .map(({ message }) => message)
      .filter((message) => !message.includes(':'));

    expect(counted).toEqual(['vault_read failed, 4 times', 'vault_read failed, 2 times']); // the second when the run ends
  });

  it('hears what rules emit, as it hears all else', async () => {
    await declare({
      reviews:
        'events = ["rule.review.*"]\nseverity = "ERROR"\ntemplate = "Review {what}, says {rule}."\ncolumns = ["what"]',
    });
    await saveRule(kit, 'reviewing', {
      trigger: 'TOOL_COMPLETE',
      action:
        '[action.emit_event]\nname = "rule.review.needed"\nseverity = "ERROR"\npayload = { what = "{{ tool.name }}" }',
    });
    const script = kit.script(calling('one'), reply.text('Done.'));
    const told = await kit.ask(user);
    await deleteRule(kit, 'reviewing');

    expect(told.system('NOTIFICATION')).toMatchObject([
      { message: 'Review vault_search, says reviewing.', severity: 'ERROR' },
    ]);
    expect(noticesOf(await script.request(2)).join()).toMatch(/reviews\[1\]\{what\}:\s+vault_search/);
  });

  it('passes over what is not severe enough', async () => {
    await declare({ severe: 'events = ["tool.*"]\nseverity = "WARNING"\ntemplate = "severe {tool}"' });
    kit.script(calling('fine'), reply.text('Done.'));
    const told = await kit.ask(user);

    expect(told.of('SystemChunk')).toEqual([]);
  });
});

describe('a bad file', () => {
  it('is reported with line and reason to administrators and the log; all others work on', async () => {
    folder.write('broken.toml', 'id = "broken"\ntitle = oops\n');
    folder.write(
      'taken.toml',
      'title = "T"\nid = "tool-failure"\ndescription = "D"\nexample = "E"\nevents = ["*"]\ntemplate = "x"\n',
    );
    await declare({ good: 'events = ["agent.turn.end"]\ninject = "TURN_END"\ntemplate = "Still here."' });
    const problems = '{ notificationProblems { file line message } }';
    kit.script(reply.text('Done.'));
    const told = await kit.ask(user);

    expect(await kit.admin.ask(problems)).toEqual({
      notificationProblems: [
        { file: 'broken.toml', line: 2, message: expect.stringMatching(/\w/) },
        { file: 'taken.toml', line: 2, message: expect.stringContaining('tool-failure') },
      ],
    });
    expect((await user.query(problems)).errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN' });
    expect(kit.logs.some((line) => line.includes('broken.toml'))).toBe(true);
    expect(told.system('NOTIFICATION').map(({ message }) => message)).toEqual(['Still here.']);
    folder.remove('broken');
    folder.remove('taken');
  });
});

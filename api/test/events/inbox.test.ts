import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { overWebSocket } from '../kit/live.ts';
import { reply } from '../kit/model-replies.ts';
import { calling, noticesOf, type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';

let kit: OracleKit;
beforeAll(async () => {
  kit = await startOracleKit();
});
afterAll(() => kit.stop());

interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly message: string;
  readonly category: string;
  readonly deliveredAt: string | null;
  readonly seenAt: string | null;
  readonly run: { readonly id: string } | null;
}

async function inboxOf(user: TestUser): Promise<readonly Entry[]> {
  const { inbox } = await user.ask<{ inbox: { edges: { node: Entry }[] } }>(
    '{ inbox { edges { node { id kind message category deliveredAt seenAt run { id } } } } }',
  );
  return inbox.edges.map(({ node }) => node);
}

const remind = (given: object) => calling([{ name: 'notify_self', arguments: given }]);
const cancel = 'mutation ($id: ID!) { cancelNotice(id: $id) }';
const acknowledge = 'mutation ($ids: [ID!]) { acknowledgeNotices(ids: $ids) }';

describe('reminders of the model', () => {
  it('come with the next turn, as a row for it and as words for the person', async () => {
    const user = await kit.newUser();
    const script = kit.script(remind({ message: 'Check the date.', category: 'facts' }), reply.text('Done.'));
    const told = await kit.ask(user);

    expect(told.system('NOTIFICATION').map(({ message }) => message)).toEqual(['Reminder: Check the date.']);
    expect(script.requests().map((request) => noticesOf(request).join().includes('facts,Check the date.'))).toEqual([
      false,
      true,
    ]);
    expect(await inboxOf(user)).toEqual([]);
  });

  it('come after so many turns, after a named tool, or when a condition holds', async () => {
    const user = await kit.newUser();
    const script = kit.script(
      remind({ message: 'after turns', after_turns: 2 }),
      remind({ message: 'after tool', after_tool: 'vault_list', persist: true }),
      remind({ message: 'on condition', messages_above: 9 }),
      calling([{ name: 'vault_list', arguments: {} }]),
      reply.text('Done.'),
    );
    await kit.ask(user);
    const notices = script.requests().map((request) => noticesOf(request).join());

    expect(notices.map((text) => text.includes('after turns'))).toEqual([false, false, true, false, false]);
    expect(notices.map((text) => text.includes('after tool'))).toEqual([false, false, false, false, true]);
    expect(notices.map((text) => text.includes('on condition'))).toEqual([false, false, false, false, true]);
  });

  it('come when so much of the window is taken', async () => {
    const user = await kit.newUser();
    const script = kit.script(
      remind({ message: 'half full', context_above: 50 }),
      calling('small', { usage: { input: 20_000, output: 10 } }),
      calling('large', { usage: { input: 40_000, output: 10 } }),
      reply.text('Done.'),
    );
    await kit.ask(user, { config: { tokenBudget: 200_000 } });

    expect(script.requests().map((request) => noticesOf(request).join().includes('half full'))).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  it('come when so many tokens are used', async () => {
    const user = await kit.newUser();
    const usage = { input: 900, output: 100 };
    const script = kit.script(
      reply.toolCalls([{ name: 'notify_self', arguments: { message: 'much used', tokens_above: 2_500 } }], { usage }),
      calling('second', { usage }),
      calling('third', { usage }),
      reply.text('Done.', { usage }),
    );
    await kit.ask(user);

    expect(script.requests().map((request) => noticesOf(request).join().includes('much used'))).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  it('left for the next session are delivered there, once, and to nobody else', async () => {
    const [user, other] = [await kit.newUser(), await kit.newUser()];
    kit.script(remind({ message: 'For later.', persist: true }), reply.text('Done.'));
    const first = await kit.ask(user);
    const waiting = await inboxOf(user);
    const others = kit.script(reply.text('Mine.'));
    await kit.ask(other);
    const toldOthers = others.requests().flatMap(noticesOf);
    const script = kit.script(reply.text('One.'), reply.text('Two.'));
    await kit.ask(user);
    await kit.ask(user);

    expect(first.system('NOTIFICATION')).toEqual([]);
    expect(waiting).toMatchObject([
      { kind: 'NOTICE', message: 'For later.', deliveredAt: null, run: { id: first.runId } },
    ]);
    expect(toldOthers).toEqual([]);
    expect(script.requests().map((request) => noticesOf(request).join().includes('For later.'))).toEqual([true, false]);
    expect(await inboxOf(other)).toEqual([]);
    expect(await inboxOf(user)).toMatchObject([{ message: 'For later.', deliveredAt: expect.any(String) }]);
  });

  it('that were never due survive into the next session', async () => {
    const user = await kit.newUser();
    kit.script(remind({ message: 'Never came.', after_turns: 20 }), reply.text('Done.'));
    await kit.ask(user);
    const script = kit.script(reply.text('Next.'));
    await kit.ask(user);

    expect(script.requests().flatMap(noticesOf).join()).toContain('Never came.');
  });

  it('are claimed by one of two runs that begin together', async () => {
    const user = await kit.newUser();
    kit.script(remind({ message: 'Only once.', persist: true }), reply.text('Done.'));
    await kit.ask(user);
    const script = kit.script(reply.text('One.'), reply.text('Two.'));
    await Promise.all([kit.ask(user), kit.ask(user)]);

    expect(script.requests().filter((request) => noticesOf(request).join().includes('Only once.'))).toHaveLength(1);
  });

  it('wait for the project that they were left in', async () => {
    const user = await kit.newUser();
    const { createProject } = await user.ask<{ createProject: { id: string } }>(
      'mutation { createProject(name: "Another") { ... on Project { id } } }',
    );
    kit.script(remind({ message: 'Of the first.', persist: true }), reply.text('Done.'));
    await kit.ask(user);
    const script = kit.script(reply.text('Elsewhere.'), reply.text('Here.'));
    await kit.ask(user, { projectId: createProject.id });
    await kit.ask(user);

    expect(script.requests().map((request) => noticesOf(request).join().includes('Of the first.'))).toEqual([
      false,
      true,
    ]);
  });

  it('come in the order of what they matter, whenever they were made', async () => {
    const user = await kit.newUser();
    const made = (['LOW', 'CRITICAL', 'HIGH'] as const).map((priority) => ({
      id: priority,
      name: 'notify_self',
      arguments: { message: `as ${priority}`, priority },
    }));
    const script = kit.script(
      calling([...made, { name: 'notify_self', arguments: { message: 'as it is' } }]),
      reply.text('Done.'),
    );
    const told = await kit.ask(user);
    const shown = told.system('NOTIFICATION').map(({ message }) => message);
    const inOrder = ['as CRITICAL', 'as HIGH', 'as it is', 'as LOW'];

    expect(
      noticesOf(await script.request(2))
        .join()
        .match(/as [\w ]+/g),
    ).toEqual(inOrder);
    expect(shown.join().match(/as [\w ]+/g)).toEqual(inOrder);
  });

  it('are so many at most: one more is refused', async () => {
    const user = await kit.newUser();
    const later = (number: number) => ({
      id: `r${number}`,
      name: 'notify_self',
      arguments: { message: `later ${number}`, after_turns: 20 },
    });
    const twenty = Array.from({ length: 20 }, (_, index) => later(index));
    kit.script(calling(twenty), calling([later(20)]), reply.text('Done.'));
    const told = await kit.ask(user, { config: { maxToolCallsPerTurn: 20 } });

    expect(told.of('ToolResultChunk').flatMap(({ ok, callId }) => (ok ? [] : [callId]))).toEqual(['r20']);
  });

  it('expire after a day', async () => {
    const user = await kit.newUser();
    kit.script(remind({ message: 'Too late.', persist: true }), reply.text('Done.'));
    await kit.ask(user);
    const [{ hours } = { hours: 0 }] = await kit.database.query<{ hours: number }>(
      `select round(extract(epoch from expires_at - created_at) / 3600)::int as hours from notices where user_id = $1`,
      [user.id],
    );
    await kit.database.query(`update notices set expires_at = now() - interval '1 second' where user_id = $1`, [
      user.id,
    ]);
    const script = kit.script(reply.text('Next.'));
    await kit.ask(user);

    expect(hours).toBe(24);
    expect(script.requests().flatMap(noticesOf)).toEqual([]);
    expect(await inboxOf(user)).toEqual([]);
  });

  it('can be cancelled by their person alone, until they are delivered', async () => {
    const [user, other] = [await kit.newUser(), await kit.newUser()];
    kit.script(remind({ message: 'Never mind.', persist: true }), reply.text('Done.'));
    await kit.ask(user);
    const [entry] = await inboxOf(user);

    expect(await other.ask(cancel, { id: entry?.id })).toEqual({ cancelNotice: false });
    expect(await user.ask(cancel, { id: entry?.id })).toEqual({ cancelNotice: true });
    expect(await user.ask(cancel, { id: entry?.id })).toEqual({ cancelNotice: false });
    const script = kit.script(reply.text('Next.'));
    await kit.ask(user);
    expect(script.requests().flatMap(noticesOf)).toEqual([]);
    kit.script(remind({ message: 'Too late.', persist: true }), reply.text('Done.'), reply.text('Delivered.'));
    await kit.ask(user);
    await kit.ask(user);
    const [delivered] = await inboxOf(user);
    expect(delivered).toMatchObject({ message: 'Too late.', deliveredAt: expect.any(String) });
    expect(await user.ask(cancel, { id: delivered?.id })).toEqual({ cancelNotice: false });
  });
});

describe('the inbox', () => {
  /** Leaves before the run has ended. */
  async function leaveEarly(user: TestUser): Promise<string> {
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    kit.script([{ do: 'wait', until: left }, ...reply.text('Done.')]);
    const stream = kit.open(user, { question: 'Is anybody there?' });
    const { runId } = await stream.until(() => true);
    await stream.stop();
    leave();
    return runId;
  }

  it('holds what ended while nobody was reading, until it is read to its end', async () => {
    const user = await kit.newUser();
    kit.script(reply.text('Seen.'));
    await kit.ask(user);
    const runId = await leaveEarly(user);

    await expect
      .poll(() => inboxOf(user))
      .toMatchObject([
        { kind: 'RUN_ENDED', message: 'Is anybody there?', category: 'COMPLETED', run: { id: runId }, seenAt: null },
      ]);
    await kit.follow(user, runId).toEnd();
    await expect
      .poll(async () => (await user.ask<{ unseenNotices: number }>('{ unseenNotices }')).unseenNotices)
      .toBe(0);
  });

  it('is acknowledged by its person alone, and tells the badge', async () => {
    const [user, other] = [await kit.newUser(), await kit.newUser()];
    const live = overWebSocket<{ inboxChanged: { unseen: number } }>(
      { url: kit.url, token: user.token },
      'subscription { inboxChanged { unseen } }',
      {},
    );

    expect((await live.next())?.data).toEqual({ inboxChanged: { unseen: 0 } });
    await leaveEarly(user);
    expect((await live.next())?.data).toEqual({ inboxChanged: { unseen: 1 } });
    const [entry] = await inboxOf(user);
    expect(await other.ask(acknowledge, { ids: [entry?.id] })).toEqual({ acknowledgeNotices: 0 });
    expect(await user.ask(acknowledge, { ids: [entry?.id] })).toEqual({ acknowledgeNotices: 1 });
    expect((await live.next())?.data).toEqual({ inboxChanged: { unseen: 0 } });
    expect(await user.ask('{ inbox(unseenOnly: true) { totalCount } }')).toEqual({ inbox: { totalCount: 0 } });
    expect(await user.ask('{ inbox { totalCount } }')).toEqual({ inbox: { totalCount: 1 } });
    await leaveEarly(user);
    expect((await live.next())?.data).toEqual({ inboxChanged: { unseen: 1 } });
    expect(await other.ask(acknowledge)).toEqual({ acknowledgeNotices: 0 });
    expect(await user.ask(acknowledge)).toEqual({ acknowledgeNotices: 1 });
    await live.stop();
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codesOf } from '../kit/client.ts';
import type { TestUser } from '../kit/kit.ts';
import { transports } from '../kit/live.ts';
import { closing, reply, step } from '../kit/model-replies.ts';
import { createGate } from '../kit/model-server.ts';
import { createTestDatabase, type TestDatabase } from '../kit/test-database.ts';
import { calling, type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';
import { type RunsChanged, runsChanged } from './run-row.ts';

let database: TestDatabase;
let one: OracleKit;
let other: OracleKit;
let user: TestUser;
beforeAll(async () => {
  database = await createTestDatabase();
  one = await startOracleKit({ database });
  other = await startOracleKit({ database });
});
beforeEach(async () => {
  user = await one.newUser({ name: 'Ada' });
});
afterAll(async () => {
  await one.stop();
  await other.stop();
  await database.drop();
});

const reads =
  (id: string, status: string, turns: number) =>
  ({ runsChanged: { runs } }: RunsChanged) =>
    runs.some((run) => run.id === id && run.status === status && run.turns === turns);

describe('following the runs', () => {
  it.each(transports)('tells of beginnings, turns and ends on any server, over %s', async (_name, follow) => {
    const [first, second] = [createGate(), createGate()];
    one.script(
      reply.stream([step.wait(first.opened), ...calling('topic').slice(1)]),
      reply.stream([step.wait(second.opened), step.text('There.'), ...closing('stop')]),
    );
    const live = follow<RunsChanged>({ url: other.url, token: user.token }, runsChanged);

    expect((await live.next())?.data?.runsChanged).toEqual({ reload: true, runs: [] });
    const asked = one.open(user);
    const { runId } = (await asked.next()) ?? { runId: '' };
    const begun = await live.until(reads(runId, 'RUNNING', 1));
    expect(begun.data.runsChanged).toMatchObject({
      reload: false,
      runs: [{ user: { name: 'Ada' }, config: { maxIterations: 15 }, endedAt: null }],
    });
    first.open();
    await live.until(reads(runId, 'RUNNING', 2));
    second.open();
    await live.until(reads(runId, 'ENDED', 2));
    await one.settle(user, asked);
    await live.stop();
  });

  it.each(transports)('tells at once what is under way already, over %s', async (_name, follow) => {
    const gate = createGate();
    one.script(reply.stream([step.text('A'), step.wait(gate.opened), ...closing('stop')]));
    const asked = one.open(user);
    const { runId } = await asked.until((chunk) => chunk.__typename === 'ContentChunk');
    const live = follow<RunsChanged>({ url: other.url, token: user.token }, runsChanged);

    expect((await live.next())?.data?.runsChanged).toMatchObject({ reload: true, runs: [{ id: runId, turns: 1 }] });
    gate.open();
    await one.settle(user, asked);
    await live.stop();
  });

  it.each(transports)('tells nobody of the runs of others but administrators, over %s', async (_name, follow) => {
    const stranger = await one.newUser();
    one.script().always(reply.text('Yes.'));
    const mine = follow<RunsChanged>({ url: one.url, token: user.token }, runsChanged);
    const all = follow<RunsChanged>({ url: one.url, token: one.admin.token }, runsChanged, { everyone: true });
    const theirs = follow<RunsChanged>({ url: one.url, token: one.admin.token }, runsChanged, { userId: stranger.id });
    await Promise.all([mine.next(), all.next(), theirs.next()]);
    const foreign = await one.ask(stranger);
    const own = await one.ask(user);

    const heard = (await mine.next())?.data?.runsChanged.runs.map(({ id }) => id);
    expect(heard).toEqual([own.runId]);
    await all.until(reads(own.runId, 'ENDED', 1));
    await theirs.until(reads(foreign.runId, 'ENDED', 1));
    await Promise.all([mine, all, theirs].map((live) => live.stop()));
  });

  it.each(transports)('is refused for another person and for everybody, over %s', async (_name, follow) => {
    const stranger = await one.newUser();
    const codes = async (variables: Record<string, unknown>) => {
      const live = follow<RunsChanged>({ url: one.url, token: user.token }, runsChanged, variables);
      const answer = await live.next();
      await live.stop();
      return codesOf(answer ?? {});
    };

    expect(await codes({ everyone: true })).toEqual(['FORBIDDEN']);
    expect(await codes({ userId: stranger.id })).toEqual(['NOT_FOUND']);
    expect(await codes({ userId: stranger.id, everyone: true })).toEqual(['NOT_FOUND']);
  });

  it.each(transports)('asks for lists to be read anew when runs are gone, over %s', async (_name, follow) => {
    one.script().always(reply.text('Yes.'));
    const { conversationId } = await one.ask(user);
    const live = follow<RunsChanged>({ url: other.url, token: user.token }, runsChanged);
    await live.next();
    await user.ask('mutation ($id: ID!) { deleteConversation(conversationId: $id) { id } }', { id: conversationId });

    expect((await live.next())?.data?.runsChanged).toEqual({ reload: true, runs: [] });
    await live.stop();
  });

  it.each(transports)(
    'goes on after the feed of changes was lost, and is over when it is left, over %s',
    async (_name, follow) => {
      one.script().always(reply.text('Yes.'));
      const before = one.listeners();
      const live = follow<RunsChanged>({ url: one.url, token: user.token }, runsChanged);
      await live.next();
      expect(one.listeners()).toBe(before + 1);
      await database.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'oracle-agent changes' and datname = current_database()`);

      expect((await live.next())?.data?.runsChanged.reload).toBe(true);
      const { runId } = await one.ask(user);
      await live.until(reads(runId, 'ENDED', 1));
      await live.stop();
      await expect.poll(() => one.listeners()).toBe(before);
    },
  );
});

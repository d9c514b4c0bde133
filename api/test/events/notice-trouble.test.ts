import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit, type TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { createGate, type ModelServer, startModelServer } from '../kit/model-server.ts';
import { calling, noticesOf } from '../oracle/kit/oracle-kit.ts';
import { askOver } from '../oracle/kit/stream.ts';
import { settle } from '../oracle/kit/told.ts';

let kit: Kit;
let models: ModelServer;
beforeAll(async () => {
  models = await startModelServer();
  kit = await startKit({ defaultModel: 'openai/scripted', providers: { ORACLE_OPENAI_BASE_URL: models.url } });
});
afterAll(async () => {
  await kit.stop();
  await models.stop();
});

const remind = calling([{ name: 'notify_self', arguments: { message: 'For later.', persist: true } }]);
const reader = (user: TestUser) => ({ url: kit.url, user });
const ask = async (user: TestUser) => settle(reader(user), await askOver(reader(user), {}).toEnd());
const logged = (from: number) => kit.logs.slice(from).map((line) => (JSON.parse(line) as { msg: string }).msg);

/** Somebody asks, and is gone when the run ends. */
async function leaveEarly(user: TestUser): Promise<string> {
  const gate = createGate();
  models.script(remind, [{ do: 'wait', until: gate.opened }, ...reply.text('Done.')]);
  const stream = askOver(reader(user), {});
  const { runId } = await stream.until(() => true);
  await stream.stop();
  gate.open();
  return runId;
}

async function endOf(user: TestUser, runId: string): Promise<string | undefined> {
  const { run } = await user.ask<{ run: { ending: { reason: string } | null } }>(
    'query ($id: ID!) { run(id: $id) { ending { reason } } }',
    { id: runId },
  );
  return run.ending?.reason;
}

const kept = 'notices for the next session could not be kept';
const inbox = 'that a run ended could not be put into the inbox';

describe('with the notices in trouble', () => {
  it('a missing table keeps no run from ending, watched or not; all that is lost is reported', async () => {
    const user = await kit.newUser();
    const from = kit.logs.length;
    await kit.database.query('alter table notices rename to notices_away');
    models.script(remind, reply.text('The answer.'));
    const watched = await ask(user);
    const unwatched = await leaveEarly(user);
    await expect.poll(() => endOf(user, unwatched), { timeout: 10_000 }).toBe('COMPLETED');
    await kit.database.query('alter table notices_away rename to notices');

    expect(watched).toMatchObject({ reason: 'COMPLETED', text: 'The answer.' });
    expect(logged(from).filter((message) => message === kept)).toHaveLength(2);
    expect(logged(from).filter((message) => message === inbox)).toHaveLength(1);
    const again = await leaveEarly(user);
    await expect.poll(() => endOf(user, again), { timeout: 10_000 }).toBe('COMPLETED');
    const { inbox: entries } = await user.ask<{ inbox: { totalCount: number } }>('{ inbox { totalCount } }');
    expect(entries.totalCount).toBe(2);
  });

  it('a table that somebody holds locked holds up neither the beginning nor the end of a run', async () => {
    const user = await kit.newUser();
    const from = kit.logs.length;
    models.script(remind, reply.text('Left.'));
    await ask(user);
    const holder = new pg.Client({ connectionString: kit.database.url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('lock table notices in access exclusive mode');
    const unwatched = await leaveEarly(user);
    await expect.poll(() => endOf(user, unwatched), { timeout: 20_000 }).toBe('COMPLETED');
    await holder.query('rollback');
    await holder.end();

    expect(logged(from)).toEqual(expect.arrayContaining(['notifications could not be read', kept, inbox]));
    const before = models.requests.length;
    models.script(reply.text('Next.'));
    await ask(user);
    expect(models.requests.slice(before).flatMap(noticesOf).join()).toContain('For later.');
  });

  it('a notice that the database refuses is reported, but not its words', async () => {
    const user = await kit.newUser();
    const from = kit.logs.length;
    await kit.database.query(`alter table notices add constraint picky check (message <> 'For later.') not valid`);
    models.script(remind, reply.text('The answer.'));
    const told = await ask(user);
    await kit.database.query('alter table notices drop constraint picky');

    expect(told.reason).toBe('COMPLETED');
    expect(logged(from)).toContain(kept);
    expect(kit.logs.slice(from).join()).not.toContain('For later.');
  });
});

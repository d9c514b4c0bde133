import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { type ModelServer, startModelServer } from '../kit/model-server.ts';
import { calling } from './kit/oracle-kit.ts';
import { askOver } from './kit/stream.ts';

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

const lost = () => kit.logs.some((line) => (JSON.parse(line) as { msg: string }).msg === 'a run was lost');

async function remindersLastTold(user: Pick<Kit['admin'], 'ask'>): Promise<string | null | undefined> {
  const { notificationSubscribers } = await user.ask<{
    notificationSubscribers: { id: string; lastFiredAt: string | null }[];
  }>('{ notificationSubscribers { id lastFiredAt } }');
  return notificationSubscribers.find(({ id }) => id === 'self-notice')?.lastFiredAt;
}

it('a run whose end cannot be stored lets go of everything, and is ended by recovery as soon as that is possible', async () => {
  const user = await kit.newUser();
  await kit.database.query(`create function refuse_end() returns trigger language plpgsql as
    $$ begin raise exception 'No run ends here.'; end $$`);
  await kit.database.query(`create trigger refused before update on runs for each row
    when (new.status = 'ENDED') execute function refuse_end()`);
  models.script(calling([{ name: 'notify_self', arguments: { message: 'Look.' } }]), reply.text('Done.'));
  const stream = askOver({ url: kit.url, user }, {});
  const { runId } = await stream.until(() => true);
  await expect.poll(lost, { timeout: 10_000 }).toBe(true);
  await kit.database.query('drop trigger refused on runs');
  await kit.database.query(`update runs set started_at = started_at - interval '1 minute' where id = $1`, [runId]);
  const chunks = await stream.toEnd();

  expect(chunks.at(-1)).toMatchObject({ __typename: 'DoneChunk', terminationReason: 'INTERRUPTED' });
  await expect.poll(() => remindersLastTold(user)).toEqual(expect.any(String));
});

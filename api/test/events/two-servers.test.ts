import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reply } from '../kit/model-replies.ts';
import { createServerPair, type RunningServer, type ServerPair } from '../kit/server-pair.ts';
import { calling, noticesOf } from '../oracle/kit/oracle-kit.ts';
import { askOver } from '../oracle/kit/stream.ts';
import { settle } from '../oracle/kit/told.ts';

let pair: ServerPair;
let one: RunningServer;
let other: RunningServer;
beforeAll(async () => {
  pair = await createServerPair();
  [one, other] = await Promise.all([pair.start(), pair.start()]);
}, 120_000);
afterAll(() => pair.dispose());

const ask = async (server: RunningServer) => settle(server, await askOver(server, {}).toEnd());
const remind = (message: string) => ({ name: 'notify_self', arguments: { message, persist: true } });

describe('notices for the next session, with two servers on one database', () => {
  it('are claimed exactly once, whoever asks first', { timeout: 120_000 }, async () => {
    for (const round of [1, 2, 3, 4, 5]) {
      const messages = [1, 2, 3].map((number) => `round ${round} notice ${number}`);
      pair.models.script(calling(messages.map(remind)), reply.text('Left.'));
      await ask(round % 2 === 0 ? other : one);
      const before = pair.models.requests.length;
      pair.models.otherwise(reply.text('Done.'));
      const told = await Promise.all([one, other, one, other].map(ask));
      const carried = pair.models.requests.slice(before).flatMap(noticesOf).join('\n');
      const shown = told.flatMap((run) => run.system('NOTIFICATION').map(({ message }) => message)).join('\n');

      expect(told.map(({ reason }) => reason)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED', 'COMPLETED']);
      for (const message of messages) {
        expect(carried.split(message)).toHaveLength(2);
        expect(shown.split(message)).toHaveLength(2);
      }
    }
    const waiting = await pair.database.query(`select id from notices where kind = 'NOTICE' and delivered_at is null`);
    expect(waiting).toEqual([]);
  });
});

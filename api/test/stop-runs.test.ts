import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transports } from './kit/live.ts';
import { reply, step } from './kit/model-replies.ts';
import { createServerPair, type RunningServer, type ServerPair } from './kit/server-pair.ts';
import type { Chunk } from './oracle/kit/chunks.ts';
import { askOver, followOver } from './oracle/kit/stream.ts';
import { settle } from './oracle/kit/told.ts';

/** From the signal to the end of the process. */
const promise = 10_000;

let servers: ServerPair;
let remaining: RunningServer;
beforeAll(async () => {
  servers = await createServerPair();
  servers.models.otherwise(reply.stream([step.text('half an answer'), step.hang()]));
  remaining = await servers.start();
});
afterAll(() => servers.dispose());

const isContent = ({ __typename }: Chunk) => __typename === 'ContentChunk';

describe('SIGTERM with runs under way', () => {
  it('ends them as interrupted, saved, with a DoneChunk for every reader, and the process in time', async () => {
    const stopping = await servers.start();
    const asking = [...transports, ...transports].map(([, transport]) => askOver({ ...stopping, transport }, {}));
    const started = await Promise.all(asking.map((stream) => stream.until(isContent)));
    const following = started.map(({ runId }) => followOver(remaining, runId, 0));
    await Promise.all(following.map((stream) => stream.until(isContent)));
    const signalled = Date.now();
    const exit = stopping.end('SIGTERM');
    const streamed = await Promise.all(asking.map((stream) => stream.toEnd()));
    const followed = await Promise.all(following.map((stream) => stream.toEnd()));

    expect(await exit).toBe(0);
    expect(Date.now() - signalled).toBeLessThanOrEqual(promise);
    expect(followed).toEqual(streamed);
    for (const chunks of followed) {
      const told = await settle(remaining, chunks);
      expect(told).toMatchObject({ reason: 'INTERRUPTED', text: 'half an answer' });
      const next = askOver(remaining, { conversationId: told.conversationId, model: 'simulated/answer' });
      expect((await settle(remaining, await next.toEnd())).reason).toBe('COMPLETED');
    }
  });

  it('takes no new ones: what is asked while it stops is refused, or ended like the others', async () => {
    const stopping = await servers.start();
    const begun = Promise.withResolvers<void>();
    const outcomes = Array.from({ length: 10 }, async () => {
      const stream = askOver(stopping, { model: 'simulated/long' });
      await stream.next();
      begun.resolve();
      return (await stream.toEnd()).at(-1);
    }).map((outcome) => outcome.catch(() => undefined));
    await begun.promise; // the others are on their way
    const ended = await stopping.end('SIGTERM');
    const lastSeen = (await Promise.all(outcomes)).filter((chunk) => chunk !== undefined);

    expect(ended).toBe(0);
    expect(lastSeen.length).toBeGreaterThan(0);
    for (const chunk of lastSeen) expect(chunk).toMatchObject({ terminationReason: 'INTERRUPTED' });
    expect(await servers.database.query(`select id, reason from runs where status <> 'ENDED'`)).toEqual([]);
  });
});

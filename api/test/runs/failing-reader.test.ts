import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Follower } from '../../src/runs/follower.ts';
import {
  collect,
  content,
  endingWith,
  type RunKit,
  type RunServer,
  seqsOf,
  startRun,
  startRunKit,
  upTo,
} from './run-kit.ts';

let kit: RunKit;
let server: RunServer;
beforeAll(async () => {
  kit = await startRunKit();
  server = await kit.newServer();
});
afterAll(() => kit.stop());

async function openRun() {
  const run = await startRun(server, kit.userId, { mostAtOnce: 1_000 });
  return { ...run, writer: server.log.open(run) };
}

describe('a reader that fails to take a chunk', () => {
  it('is let go; the run and its other readers go on, and nothing is stored twice', async () => {
    const { runId, writer } = await openRun();
    const taken: number[] = [];
    const ends: string[] = [];
    (server.log.follow(runId, 0) as Follower).pushTo({
      take({ seq }) {
        taken.push(seq);
        if (seq === 2) throw new Error('A socket in a bad mood.');
        return true;
      },
      end() {
        ends.push('end');
        throw new Error('Still in a bad mood.');
      },
    });
    const others = collect(server.log.follow(runId, 0));
    for (const text of ['one', 'two', 'three']) {
      writer.append(content(text));
      await writer.drained();
    }
    const finished = await writer.finish(endingWith('COMPLETED'));

    expect(finished).toBe(true);
    expect(seqsOf(await others)).toEqual(upTo(4));
    expect(taken).toEqual([1, 2]);
    expect(ends).toEqual(['end']);
  });

  it('is no reader any more, so that its person is told when the run ends', async () => {
    const { runId, writer } = await openRun();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    (server.log.follow(runId, 0) as Follower).pushTo({
      take() {
        throw new Error('Never in the mood.');
      },
      end,
    });
    writer.append(content('one'));
    await ended;
    await writer.finish(endingWith('COMPLETED'));

    const told = await kit.database.query('select 1 from notices where run_id = $1', [runId]);
    expect(told).toHaveLength(1);
  });
});

describe('somebody who is told that a run should stop, and fails', () => {
  it('does not cost the run', async () => {
    const { runId, writer } = await openRun();
    server.cancellations.onRequest(runId, () => {
      throw new Error('Will not listen.');
    });
    await kit.database.query('update runs set cancel_requested_at = now() where id = $1', [runId]);
    const reading = collect(server.log.follow(runId, 0));
    writer.append(content('x'));
    await writer.drained();

    expect(await writer.finish(endingWith('COMPLETED'))).toBe(true);
    expect(seqsOf(await reading)).toEqual(upTo(2));
  });
});

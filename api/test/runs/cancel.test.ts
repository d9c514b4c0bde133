import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  collect,
  content,
  doomedTimes,
  endingWith,
  quickTimes,
  type RunKit,
  type RunServer,
  startRun,
  startRunKit,
} from './run-kit.ts';

let kit: RunKit;
let server: RunServer;
let other: RunServer;

beforeAll(async () => {
  kit = await startRunKit();
  server = await kit.newServer(doomedTimes); // without a heartbeat that would bring word late
  other = await kit.newServer(doomedTimes);
});
afterAll(() => kit.stop());

/** A run that does what a runner does when it is told to stop. */
async function obedientRun(on: RunServer = server) {
  const run = await startRun(on, await kit.newUser());
  const writer = on.log.open(run);
  let told = 0;
  on.cancellations.onRequest(run.runId, () => {
    told++;
    void writer.finish(endingWith('CANCELLED'));
  });
  return { ...run, writer, told: () => told };
}

describe('cancelling', () => {
  it('ends the run, from the same server or another, and says so once', async () => {
    for (const asked of [server, other]) {
      const { runId, told } = await obedientRun();
      const first = await asked.cancel(runId);
      const status = (await server.store.find(runId))?.reason;

      expect([first, status, await asked.cancel(runId), await server.cancel(runId)]).toEqual([
        ...[true, 'CANCELLED', false, false],
      ]);
      expect(told()).toBe(1);
    }
  });

  it('by several at once counts for exactly one', async () => {
    const { runId, told } = await obedientRun();
    const answers = await Promise.all([server, other, server, other].map((asked) => asked.cancel(runId)));

    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(told()).toBe(1);
    const chunks = await collect(server.log.follow(runId, 0));
    expect(chunks.map(({ type }) => type)).toEqual(['DoneChunk']);
  });

  it('says false when the run came to its own end first', async () => {
    const run = await startRun(server, await kit.newUser());
    const writer = server.log.open(run);
    server.cancellations.onRequest(run.runId, () => void writer.finish(endingWith('COMPLETED')));

    expect(await other.cancel(run.runId)).toBe(false);
    expect(await other.cancel('00000000-0000-4000-8000-000000000000')).toBe(false);
  });

  it('reaches a run whose server missed the announcement, with the next chunk', async () => {
    const { runId, writer, told } = await obedientRun();
    await kit.database.query('update runs set cancel_requested_at = now() where id = $1', [runId]); // told to nobody
    writer.append(content('x'));
    await collect(server.log.follow(runId, 0));

    expect(told()).toBe(1);
  });

  it('reaches a silent run whose server missed the announcement, with the next heartbeat', async () => {
    const quick = await kit.newServer({ heartbeatMs: quickTimes.heartbeatMs });
    const { runId, told } = await obedientRun(quick);
    await kit.database.query('update runs set cancel_requested_at = now() where id = $1', [runId]);
    await collect(server.log.follow(runId, 0));

    expect(told()).toBe(1);
  });

  it('is not told to those who stopped listening', async () => {
    const quick = await kit.newServer({ heartbeatMs: quickTimes.heartbeatMs });
    const run = await startRun(quick, await kit.newUser());
    const told: string[] = [];
    quick.cancellations.onRequest(run.runId, () => told.push('first'))();
    quick.cancellations.onRequest(run.runId, () => {
      told.push('second');
      void quick.log.open(run).finish(endingWith('CANCELLED'));
    });

    expect(await other.cancel(run.runId)).toBe(true);
    expect(told).toEqual(['second']);
  });
});

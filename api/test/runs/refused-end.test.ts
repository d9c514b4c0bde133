import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  collect,
  content,
  decisionAt,
  doomedTimes,
  endingWith,
  exchangesOf,
  quickTimes,
  type RunKit,
  startRun,
  startRunKit,
} from './run-kit.ts';

let kit: RunKit;
beforeEach(async () => {
  kit = await startRunKit();
});
afterEach(() => kit.stop());

describe('a run whose end the database refuses', () => {
  it('is given up, and ended as interrupted as soon as the database lets it', async () => {
    const server = await kit.newServer({ ...quickTimes, orphanMs: 0 });
    const run = await startRun(server, kit.userId);
    const writer = server.log.open(run);
    const reading = collect(server.log.follow(run.runId, 0));
    writer.append(content('All of it.'));
    await kit.database.query(`alter table runs add constraint no_end check (status <> 'ENDED') not valid`);

    await expect(writer.finish(endingWith('COMPLETED'))).rejects.toThrow('no_end');
    expect(writer.lost.aborted).toBe(true);
    await kit.database.query('alter table runs drop constraint no_end');
    expect((await reading).map(({ type }) => type)).toEqual(['ContentChunk', 'ErrorChunk', 'DoneChunk']);
    expect(await exchangesOf(server, run.conversationId)).toMatchObject([{ answer: 'All of it.', partial: true }]);
  });

  it('ends even so, when numbers were counted in it that no column holds, or a clock was set', async () => {
    const doomed = await kit.newServer(doomedTimes);
    const run = await startRun(doomed, kit.userId);
    const writer = doomed.log.open(run);
    const evaluations = [{ reason: 'TOKEN_BUDGET', value: 9e12, limit: 5_000, fired: false }] as const;
    writer.recordDecision({ ...decisionAt(0), tokens: 9e12, evaluations });
    writer.append(content('x'));
    await writer.drained();
    await kit.database.query(`update runs set started_at = '1970-01-01' where id = $1`, [run.runId]);
    const survivor = await kit.newServer(quickTimes);
    const chunks = await collect(survivor.log.follow(run.runId, 0));

    expect(chunks.at(-1)).toMatchObject({ type: 'DoneChunk', terminationReason: 'INTERRUPTED' });
    expect(await survivor.store.find(run.runId)).toMatchObject({ status: 'ENDED', reason: 'INTERRUPTED' });
  });
});

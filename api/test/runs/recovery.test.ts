import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reminderIdOf } from '../../src/notifications/left-notices.ts';
import type { AppendableBody } from '../../src/runs/run-writer.ts';
import {
  collect,
  content,
  decisionAt,
  doomedTimes,
  endingWith,
  exchangesOf,
  quickTimes,
  type RunKit,
  type RunServer,
  seqsOf,
  startRun,
  startRunKit,
  upTo,
} from './run-kit.ts';

let kit: RunKit;

beforeEach(async () => {
  kit = await startRunKit();
});
afterEach(() => kit.stop());

describe('after a server died', () => {
  it('another ends its runs as interrupted, with everything that was stored, and the conversation goes on', async () => {
    const doomed = await kit.newServer(doomedTimes);
    const run = await startRun(doomed, kit.userId);
    const writer = doomed.log.open(run);
    writer.recordDecision(decisionAt(0));
    writer.append(content('half an '));
    writer.append({ type: 'ToolCallChunk', callId: 'a', name: 'read', arguments: {}, turn: 1, status: 'RUNNING' });
    writer.append({ type: 'ToolCallChunk', callId: 'b', name: 'write', arguments: {}, turn: 1, status: 'RUNNING' });
    writer.append({ type: 'ToolResultChunk', callId: 'a', name: 'read', ok: true, result: 1, durationMs: 2 });
    writer.append(content('answer'));
    await writer.drained();
    const survivor = await kit.newServer(quickTimes);
    const chunks = await collect(survivor.log.follow(run.runId, 0));

    expect(seqsOf(chunks)).toEqual(upTo(8));
    expect(chunks.slice(5)).toMatchObject([
      { type: 'ToolResultChunk', callId: 'b', ok: false },
      { type: 'ErrorChunk', code: 'INTERRUPTED', retryable: true },
      {
        type: 'DoneChunk',
        terminationReason: 'INTERRUPTED',
        ending: {
          turns: 1,
          usage: { estimated: true, outputTokens: 4 },
          unfinishedTools: [{ callId: 'b', name: 'write', fate: 'unknown' }],
          saved: { contentCharacters: 14, toolCalls: 2 },
        },
      },
    ]);
    expect(await survivor.store.find(run.runId)).toMatchObject({ status: 'ENDED', reason: 'INTERRUPTED', lastSeq: 8 });
    expect(await exchangesOf(survivor, run.conversationId)).toMatchObject([
      { answer: 'half an answer', partial: true, toolCalls: [{ fate: 'succeeded' }, { fate: 'unknown' }] },
    ]);
    const next = await startRun(survivor, kit.userId, { conversationId: run.conversationId });
    expect(next.parentId).toBe(run.nodeId);
  });

  it('its readers on other servers see the end', async () => {
    const doomed = await kit.newServer(doomedTimes);
    const watching = await kit.newServer();
    const run = await startRun(doomed, kit.userId);
    const writer = doomed.log.open(run);
    const reading = collect(watching.log.follow(run.runId, 0));
    writer.append(content('x'));
    await writer.drained();
    await kit.newServer(quickTimes); // it finds the dead

    expect((await reading).map(({ type }) => type)).toEqual(['ContentChunk', 'ErrorChunk', 'DoneChunk']);
  });

  it('each of its runs ends once, however many servers look for them', async () => {
    const doomed = await kit.newServer(doomedTimes);
    const runs = await Promise.all(Array.from({ length: 20 }, () => startRun(doomed, kit.userId, { mostAtOnce: 50 })));
    const writers = runs.map((run) => doomed.log.open(run));
    for (const writer of writers) writer.append(content('x'));
    await writers[0]?.drained();
    const servers = await Promise.all(Array.from({ length: 3 }, () => kit.newServer(quickTimes)));
    const [first] = servers;
    const logs = await Promise.all(runs.map(({ runId }) => collect(first?.log.follow(runId, 0) ?? never())));

    for (const chunks of logs) {
      expect(seqsOf(chunks)).toEqual(upTo(chunks.length));
      expect(chunks.filter(({ type }) => type === 'DoneChunk')).toHaveLength(1);
      expect(chunks.filter(({ type }) => type === 'ErrorChunk')).toHaveLength(1);
    }
  });

  it('a run without a single chunk ends too, and one that was being cancelled ends as cancelled', async () => {
    const doomed = await kit.newServer(doomedTimes);
    const silent = await startRun(doomed, kit.userId);
    const cancelled = await startRun(doomed, kit.userId);
    await kit.database.query('update runs set cancel_requested_at = now() where id = $1', [cancelled.runId]);
    const survivor = await kit.newServer(quickTimes);
    const ends = await Promise.all([silent, cancelled].map(({ runId }) => collect(survivor.log.follow(runId, 0))));

    expect(ends).toMatchObject([
      [{ type: 'ErrorChunk' }, { terminationReason: 'INTERRUPTED', ending: { turns: 0, durationMs: 0 } }],
      [{ terminationReason: 'CANCELLED' }],
    ]);
  });

  it('a recovery that itself broke off is taken up where it stopped', async () => {
    const doomed = await kit.newServer(doomedTimes);
    const run = await startRun(doomed, kit.userId);
    const writer = doomed.log.open(run);
    writer.append({ type: 'ErrorChunk', code: 'INTERRUPTED', message: 'told already', retryable: true });
    await writer.drained();
    const survivor = await kit.newServer(quickTimes);

    expect((await collect(survivor.log.follow(run.runId, 0))).map(({ type }) => type)).toEqual([
      'ErrorChunk',
      'DoneChunk',
    ]);
  });
});

describe('the events of a run whose server died', () => {
  const eventsOf = async (server: RunServer, runId: string) =>
    (await server.store.events(runId, { first: 100 })).edges.map(({ node }) => node);
  const event = (name: string) => ({ name, turn: 1, severity: 'INFO' });

  it('end with how it ended and why, numbered after those before', async () => {
    const doomed = await kit.newServer(doomedTimes);
    const run = await startRun(doomed, kit.userId);
    const writer = doomed.log.open(run);
    writer.recordDecision(decisionAt(0));
    writer.recordEvent(event('query.start'), '{}');
    writer.recordEvent({ ...event('session.end'), agent: 'librarian' }, '{"reason":"INTERRUPTED"}');
    writer.recordEvent(event('agent.turn.start'), '{"expectedInput":700,"messages":3,"tokensUsed":0}');
    await writer.drained();
    const survivor = await kit.newServer(quickTimes);
    const chunks = await collect(survivor.log.follow(run.runId, 0));
    const done = chunks.at(-1);
    if (done?.type !== 'DoneChunk') return expect.fail('The run has no end.');
    const { message, turns, durationMs } = done.ending;

    expect((await eventsOf(survivor, run.runId)).slice(3)).toEqual([
      {
        number: 4,
        at: expect.any(Date),
        turn: 1,
        name: 'agent.turn.end',
        severity: 'DEBUG',
        agent: null,
        payload: { calls: 0, failures: 0, complete: false, tokensUsed: 900, contextTokens: 700, messages: 3 },
      },
      {
        number: 5,
        at: expect.any(Date),
        turn: 1,
        name: 'session.end',
        severity: 'INFO',
        agent: null,
        payload: { reason: 'INTERRUPTED', message, turns, tokens: 900, durationMs, contextTokens: 700, messages: 3 },
      },
    ]);
  });

  it('say so once, although the recovery before broke off, and truly, although the run was about to end', async () => {
    const doomed = await kit.newServer(doomedTimes);
    const [retried, ending] = [await startRun(doomed, kit.userId), await startRun(doomed, kit.userId)];
    const writers = [doomed.log.open(retried), doomed.log.open(ending)] as const;
    writers[0].recordEvent(event('session.end'), '{"reason":"INTERRUPTED"}');
    writers[1].recordEvent(event('session.end'), '{"reason":"COMPLETED"}');
    await writers[0].drained();
    const survivor = await kit.newServer(quickTimes);
    await Promise.all([retried, ending].map(({ runId }) => collect(survivor.log.follow(runId, 0))));
    const reasons = async (runId: string) =>
      (await eventsOf(survivor, runId)).map(({ payload }) => (payload as { reason: string }).reason);

    expect(await reasons(retried.runId)).toEqual(['INTERRUPTED']);
    expect(await reasons(ending.runId)).toEqual(['COMPLETED', 'INTERRUPTED']);
  });
});

describe('the notices of a run whose server died', () => {
  const remind = (callId: string, given: object): readonly AppendableBody[] => [
    { type: 'ToolCallChunk', callId, name: 'notify_self', arguments: { ...given }, turn: 1, status: 'PENDING' },
    { type: 'ToolResultChunk', callId, name: 'notify_self', ok: true, result: 'Yes.', durationMs: 1 },
  ];

  it('are not lost: what it never heard is given back, what it wanted to be reminded of is left', async () => {
    const doomed = await kit.newServer(doomedTimes);
    const projectId = randomUUID();
    await kit.database.query(`insert into projects (id, user_id, name) values ($1, $2, 'P')`, [projectId, kit.userId]);
    const run = await startRun(doomed, kit.userId, { projectId });
    const messages = { [randomUUID()]: 'heard', [randomUUID()]: 'told in vain', [randomUUID()]: 'untold' };
    const [heard = '', inVain = ''] = Object.keys(messages);
    for (const [id, message] of Object.entries(messages))
      await kit.database.query(
        `insert into notices (id, user_id, project_id, kind, category, priority, message, delivered_at, delivered_run_id)
         values ($1, $2, $3, 'NOTICE', 'c', 'LOW', $4, now(), $5)`,
        [id, kit.userId, projectId, message, run.runId],
      );
    const writer = doomed.log.open(run);
    const happened = (name: string, payload: object) =>
      writer.recordEvent({ name, turn: 1, severity: 'INFO' }, JSON.stringify(payload));
    happened('agent.self.notify', { noticeId: heard });
    happened('agent.self.notify', { noticeId: reminderIdOf(run.runId, 1, 'b') });
    happened('model.call.end', { outputTokens: 9, complete: true });
    happened('agent.self.notify', { noticeId: inVain });
    happened('model.call.start', { expectedInput: 9 });
    for (const body of [
      ...remind('a', { message: ' for later ', persist: true, priority: 'HIGH' }),
      ...remind('b', { message: 'came' }),
      ...remind('c', { message: ' for later ', persist: true, priority: 'HIGH' }),
    ])
      writer.append(body);
    await writer.drained();
    const survivors = [await kit.newServer(quickTimes), await kit.newServer(quickTimes)];
    await collect(survivors[0]?.log.follow(run.runId, 0) ?? never());
    const waiting = await kit.database.query(
      `select message, category, priority, round(extract(epoch from expires_at - now()) / 3600)::int as hours
       from notices where kind = 'NOTICE' and delivered_at is null order by message`,
    );

    expect(waiting).toEqual([
      { message: 'for later', category: 'reminder', priority: 'HIGH', hours: 24 },
      { message: 'told in vain', category: 'c', priority: 'LOW', hours: null },
      { message: 'untold', category: 'c', priority: 'LOW', hours: null },
    ]);
  });
});

describe('a server that comes back after it was taken for dead', () => {
  it('can write nothing more', async () => {
    const stalled = await kit.newServer(doomedTimes);
    const run = await startRun(stalled, kit.userId);
    const writer = stalled.log.open(run);
    writer.append(content('before'));
    await writer.drained();
    const survivor = await kit.newServer(quickTimes);
    const reading = collect(survivor.log.follow(run.runId, 0));
    const chunks = await reading;
    writer.append(content(' after'));
    const finished = await writer.finish(endingWith('COMPLETED'));

    expect(finished).toBe(false);
    expect(await collect(stalled.log.follow(run.runId, 0))).toEqual(chunks);
    expect(await survivor.store.find(run.runId)).toMatchObject({ reason: 'INTERRUPTED' });
  });
});

describe('a live server', () => {
  it('keeps its runs while others look for the dead', async () => {
    const patient = { ...quickTimes, leaseMs: 1_500, watchMs: 700 };
    const living = await kit.newServer(patient);
    const doomed = await kit.newServer(doomedTimes);
    const watching = await kit.newServer(patient);
    const kept = await startRun(living, kit.userId);
    const writer = living.log.open(kept);
    const lost = await startRun(doomed, kit.userId);
    await collect(watching.log.follow(lost.runId, 0)); // so much time has passed that a silent one would be dead
    writer.append(content('still here'));
    await writer.drained();

    expect(await watching.store.find(kept.runId)).toMatchObject({ status: 'RUNNING' });
  });

  it('ends a run of its own that its process knows nothing of', async () => {
    const server = await kit.newServer({ ...quickTimes, orphanMs: 0 });
    const run = await startRun(server, kit.userId); // and the answer was lost: nobody opens it

    expect(await collect(server.log.follow(run.runId, 0))).toMatchObject([
      { type: 'ErrorChunk' },
      { terminationReason: 'INTERRUPTED' },
    ]);
  });
});

describe('a server that stops', () => {
  it('stores what waits, and leaves its open runs to others without delay', async () => {
    const leaving = await kit.newServer({ leaseMs: 1_000_000 });
    const run = await startRun(leaving, kit.userId);
    const writer = leaving.log.open(run);
    writer.append(content('last words'));
    await leaving.stop();
    const survivor = await kit.newServer({ ...quickTimes, leaseMs: 1_000_000 });
    const chunks = await collect(survivor.log.follow(run.runId, 0));

    expect(writer.lost.aborted).toBe(true);
    expect(chunks.map(({ type }) => type)).toEqual(['ContentChunk', 'ErrorChunk', 'DoneChunk']);
    expect(await kit.database.query('select 1 from servers where id = $1', [leaving.serverId])).toEqual([]);
  });
});

function never(): never {
  throw new Error('There is no server.');
}

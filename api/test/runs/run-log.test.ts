import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppendableBody } from '../../src/runs/run-writer.ts';
import {
  collect,
  content,
  endingWith,
  type RunKit,
  type RunServer,
  seqsOf,
  startRun,
  startRunKit,
  textOf,
  upTo,
} from './run-kit.ts';

let kit: RunKit;
let server: RunServer;
let other: RunServer;

beforeAll(async () => {
  kit = await startRunKit();
  server = await kit.newServer();
  other = await kit.newServer();
});
afterAll(() => kit.stop());

async function openRun() {
  const run = await startRun(server, kit.userId, { mostAtOnce: 1_000 });
  return { ...run, writer: server.log.open(run) };
}

const everyKind: readonly AppendableBody[] = [
  content('nul \0, halves \ud83e and \udd89, line\nbreak "quoted" \\ {},'),
  { type: 'ThinkingChunk', text: '\u2028 \u0001' },
  { type: 'ToolCallChunk', callId: '', name: 'f\0', arguments: [null, { a: '\ud800' }], turn: 1, status: 'PENDING' },
  { type: 'ToolResultChunk', callId: '', name: 'f\0', ok: false, error: 'no\0', durationMs: 1.5 },
  { type: 'SourceChunk', kind: 'VAULT', path: 'a/b.md', title: 'T', line: 3, snippet: 's', score: 0.25 },
  { type: 'SystemChunk', systemType: 'NOTIFICATION', severity: 'INFO', message: 'm' },
  { type: 'ContextChunk', tokens: 12, windowSize: 64_000 },
  { type: 'ErrorChunk', code: 'C', message: 'm', retryable: true },
];

describe('a reader', () => {
  it('gets every kind of chunk, live here, live elsewhere and replayed, each the same', async () => {
    const { runId, conversationId, nodeId, writer } = await openRun();
    const here = collect(server.log.follow(runId, 0));
    const elsewhere = collect(other.log.follow(runId, 0));
    for (const body of everyKind) writer.append(body);
    const ending = endingWith('COMPLETED');
    await writer.finish(ending);
    const live = await here;
    const done = { type: 'DoneChunk', terminationReason: 'COMPLETED', ending, conversationId, nodeId };

    expect(live).toMatchObject([...everyKind, done]);
    expect(seqsOf(live)).toEqual(upTo(9));
    expect(await elsewhere).toEqual(live);
    expect(await collect(server.log.follow(runId, 0))).toEqual(live);
    expect(await collect(other.log.follow(runId, 4))).toEqual(live.slice(4));
  });

  it('has seen nothing that is not stored', async () => {
    const { runId, writer } = await openRun();
    const reader = server.log.follow(runId, 0);
    for (let index = 0; index < 20; index++) {
      writer.append(content(`${index} `));
      const { value } = await reader.next();
      const [stored] = await kit.database.query<{ last: number }>(
        'select max(seq) as last from run_chunks where run_id = $1',
        [runId],
      );

      expect(stored?.last).toBeGreaterThanOrEqual(value?.seq ?? Infinity);
    }
    await reader.return?.();
  });

  it('joins in the middle, on any server, without a gap or a repeat', async () => {
    const { runId, writer } = await openRun();
    const readers = [];
    for (let index = 1; index <= 300; index++) {
      writer.append(content(`${index} `));
      if (index % 20 === 0) {
        await writer.drained();
        readers.push(
          { from: index, chunks: collect(server.log.follow(runId, index)) },
          { from: index - 7, chunks: collect(other.log.follow(runId, index - 7)) },
        );
      }
    }
    await writer.finish(endingWith('COMPLETED'));

    for (const { from, chunks } of readers) expect(seqsOf(await chunks)).toEqual(upTo(301).slice(from));
  });

  it('who comes after the end gets what is left, be it nothing', async () => {
    const { runId, writer } = await openRun();
    writer.append(content('x'));
    await writer.finish(endingWith('COMPLETED'));

    expect(await collect(server.log.follow(runId, 1))).toMatchObject([{ type: 'DoneChunk', seq: 2 }]);
    expect(await collect(server.log.follow(runId, 2))).toEqual([]);
    expect(await collect(server.log.follow(runId, 99))).toEqual([]);
    expect(await collect(server.log.follow(runId, -5))).toHaveLength(2);
    expect(await collect(server.log.follow('00000000-0000-4000-8000-000000000000', 0))).toEqual([]);
  });

  it('who claims to have seen more than there is goes on from the end', async () => {
    const { runId, writer } = await openRun();
    writer.append(content('x'));
    await writer.drained();
    const readers = [server, other].map(({ log }) => log.follow(runId, 5_000));
    let told = 0;
    const firsts = readers.map((reader) => reader.next().finally(() => told++));
    while (told < readers.length) {
      writer.append(content('y')); // what comes before a reader's first look is not new to it
      await writer.drained();
    }

    for (const first of firsts) expect(await first).toMatchObject({ value: { text: 'y' } });
    for (const reader of readers) await reader.return?.();
  });

  it('who leaves is let go at once, even while waiting', async () => {
    const { runId } = await openRun();
    const stop = new AbortController();
    const returned = server.log.follow(runId, 0);
    const aborted = other.log.follow(runId, 0, stop.signal);
    const waiting = [returned.next(), aborted.next()];
    await returned.return?.();
    stop.abort();

    expect(await Promise.all(waiting)).toEqual(Array(2).fill({ done: true, value: undefined }));
    expect(await collect(server.log.follow(runId, 0, AbortSignal.abort()))).toEqual([]);
  });

  it('replays ten thousand chunks', async () => {
    const { runId, writer } = await openRun();
    for (let index = 1; index <= 10_000; index++) writer.append(content(`${index} `));
    await writer.finish(endingWith('COMPLETED'));
    const chunks = await collect(other.log.follow(runId, 0));

    expect(chunks.map(({ seq }) => seq)).toEqual(upTo(10_001));
    expect(chunks.every(({ seq, fromSeq }) => seq === fromSeq)).toBe(true);
    expect(await server.store.answerSoFar(runId)).toBe(textOf(chunks));
  });

  it('that is slow delays nobody, and later gets everything, merged where it waited', async () => {
    const { runId, writer } = await openRun();
    const slow = server.log.follow(runId, 0);
    const quick = collect(server.log.follow(runId, 0));
    writer.append(content('0 '));
    const first = await slow.next(); // and then no more for a long time
    for (let index = 1; index <= 3_000; index++) {
      writer.append(content(`${index} `));
      if (index % 200 === 0) await writer.drained();
    }
    writer.append({ type: 'ThinkingChunk', text: 'x'.repeat(400_000) });
    writer.append(content('end'));
    await writer.finish(endingWith('COMPLETED'));
    const all = await quick;
    const late = [...(first.value ? [first.value] : []), ...(await collect(slow))];

    expect(seqsOf(all)).toEqual(upTo(3_004)); // merged too, when this machine was slow
    expect(seqsOf(late)).toEqual(upTo(3_004));
    expect(textOf(late)).toBe(textOf(all));
    expect(late.length).toBeLessThan(500);
  });

  it('of a huge log holds only a page of it', async () => {
    const { runId, writer } = await openRun();
    for (let index = 0; index < 12; index++) writer.append(content('x'.repeat(300_000)));
    await writer.finish(endingWith('COMPLETED'));

    expect(seqsOf(await collect(other.log.follow(runId, 0)))).toEqual(upTo(13));
  });
});

describe('many runs at once', () => {
  it('share the statements, and none gets what is another’s', async () => {
    const opened = await Promise.all(Array.from({ length: 200 }, () => openRun()));
    const readers = opened.map(({ runId }) => collect(other.log.follow(runId, 0)));
    for (let round = 0; round < 20; round++) {
      for (const { runId, writer } of opened) writer.append(content(`${runId} `));
      await server.store.lastSeqs([]);
    }
    await Promise.all(opened.map(({ writer }) => writer.finish(endingWith('COMPLETED'))));

    for (const [index, chunks] of (await Promise.all(readers)).entries()) {
      expect(seqsOf(chunks)).toEqual(upTo(21));
      expect(textOf(chunks)).toBe(`${opened[index]?.runId} `.repeat(20));
    }
  });
});

describe('a server that lost a run', () => {
  it('can neither append nor finish, and is told', async () => {
    const { runId, writer } = await openRun();
    writer.append(content('mine'));
    await writer.drained();
    await kit.database.query('update runs set owner = $1 where id = $2', [other.serverId, runId]);
    writer.append(content('no longer'));

    await expect(writer.drained()).rejects.toThrow('was lost');
    expect(writer.lost.aborted).toBe(true);
    expect(await writer.finish(endingWith('COMPLETED'))).toBe(false);
    expect(await server.store.answerSoFar(runId)).toBe('mine');
    expect(await server.store.find(runId)).toMatchObject({ status: 'RUNNING' });
  });

  it('cannot finish one that it did not know to be lost', async () => {
    const { runId, writer } = await openRun();
    await kit.database.query('update runs set owner = $1 where id = $2', [other.serverId, runId]);

    expect(await writer.finish(endingWith('COMPLETED'))).toBe(false);
    expect(writer.lost.aborted).toBe(true);
    expect(await server.store.find(runId)).toMatchObject({ status: 'RUNNING' });
  });

  it('goes on with its other runs', async () => {
    const [lost, kept] = [await openRun(), await openRun()];
    await kit.database.query('delete from conversations where id = $1', [lost.conversationId]);
    lost.writer.append(content('x'));
    kept.writer.append(content('y'));
    await kept.writer.drained();

    expect(lost.writer.lost.aborted).toBe(true);
    expect(await server.store.answerSoFar(kept.runId)).toBe('y');
  });
});

describe('a chunk that the database refuses', () => {
  it('costs its own run and no other', async () => {
    const [bad, good] = [await openRun(), await openRun()];
    await kit.database.query(
      `alter table run_chunks add constraint refusal check (run_id <> '${bad.runId}') not valid`,
    );
    bad.writer.append(content('x'));
    good.writer.append(content('y'));
    await good.writer.drained();
    await kit.database.query('alter table run_chunks drop constraint refusal');

    expect(bad.writer.lost.aborted).toBe(true);
    expect(await server.store.answerSoFar(good.runId)).toBe('y');
  });
});

describe('when the database breaks off all connections', () => {
  it('nothing is lost or repeated, here or elsewhere, and the run goes on to its end', async () => {
    const { runId, writer } = await openRun();
    const here = collect(server.log.follow(runId, 0));
    const elsewhere = collect(other.log.follow(runId, 0));
    for (let index = 1; index <= 400; index++) {
      writer.append(content(`${index} `));
      if (index % 100 === 50) {
        await kit.database.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid()`,
        );
      }
      if (index % 10 === 0) await writer.drained();
    }
    const ended = await writer.finish(endingWith('COMPLETED'));

    expect(ended).toBe(true);
    expect(seqsOf(await here)).toEqual(upTo(401));
    expect(await elsewhere).toEqual(await collect(server.log.follow(runId, 0)));
  });
});

describe('when the connection breaks in the middle of a statement', () => {
  it('the batch is stored again, and delivered once it is', async () => {
    const { runId, writer } = await openRun();
    const reading = collect(server.log.follow(runId, 0));
    const holding = new pg.Client({ connectionString: kit.database.url });
    await holding.connect();
    await holding.query('begin');
    await holding.query('select 1 from runs where id = $1 for update', [runId]);
    writer.append(content('stored after all'));
    const waiting = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await holding.query(waiting)).rowCount === 0);
    await holding.query('commit');
    await holding.end();
    await writer.finish(endingWith('COMPLETED'));

    expect(textOf(await reading)).toBe('stored after all');
  });
});

describe('after the end', () => {
  it('late chunks are dropped: the DoneChunk is the last', async () => {
    const { runId, writer } = await openRun();
    writer.append(content('x'));
    const finished = writer.finish(endingWith('COMPLETED'));
    writer.append(content('late'));
    await finished;
    writer.append(content('later'));
    const chunks = await collect(server.log.follow(runId, 0));

    expect(chunks.map(({ type }) => type)).toEqual(['ContentChunk', 'DoneChunk']);
  });
});

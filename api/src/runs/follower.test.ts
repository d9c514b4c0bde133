import { setImmediate as nextTick } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Follower } from './follower.ts';
import type { FollowedChunk, HeldChunk } from './inbox.ts';
import type { LogPage } from './log-reading.ts';

const place = { runId: 'r', at: '2026-11-05T10:00:00.000Z' };

function contentAt(seq: number): HeldChunk {
  return { chunk: { ...place, seq, fromSeq: seq, type: 'ContentChunk', text: `${seq} ` }, size: 5 };
}

function doneAt(seq: number): HeldChunk {
  const chunk = { ...place, seq, fromSeq: seq, type: 'DoneChunk' } as FollowedChunk;
  return { chunk, size: 5 };
}

function logOf(count: number): HeldChunk[] {
  return [...Array.from({ length: count - 1 }, (_, index) => contentAt(index + 1)), doneAt(count)];
}

function pageOf(log: readonly HeldChunk[], after: number, size = 500): LogPage {
  return { chunks: log.slice(after, after + size), last: log.length, ended: log.at(-1)?.chunk.type === 'DoneChunk' };
}

async function read(follower: Follower, into: number[] = []): Promise<number[]> {
  for await (const { seq, fromSeq } of follower) for (let each = fromSeq; each <= seq; each++) into.push(each);
  return into;
}

describe('a follower', () => {
  it('reads the log page by page to its end', async () => {
    const log = logOf(1_234);
    let pages = 0;
    const readPage = async (after: number) => {
      pages++;
      return pageOf(log, after, 100);
    };
    const source = { readPage, onClose: () => undefined };

    expect(await read(new Follower(source, 0, false))).toEqual(log.map(({ chunk }) => chunk.seq));
    expect(pages).toBe(13);
  });

  it('reads nothing when it stands at the end of a log that is being written here', async () => {
    const source = { readPage: () => Promise.reject(new Error('not needed')), onClose: () => undefined };
    const follower = new Follower(source, 2, true);
    const reading = read(follower);
    follower.offer([contentAt(3), doneAt(4)]);

    expect(await reading).toEqual([3, 4]);
  });

  it('lets others have a turn during a long replay', async () => {
    const source = { readPage: async (after: number) => pageOf(logOf(800), after), onClose: () => undefined };
    let turns = 0;
    let over = false;
    const others = (async () => {
      while (!over) {
        await nextTick();
        turns++;
      }
    })();
    await read(new Follower(source, 0, false));
    over = true;
    await others;

    expect(turns).toBeGreaterThanOrEqual(12);
  });

  it('answers everyone who waits when it is closed, and says so once', async () => {
    let closes = 0;
    const follower = new Follower({ readPage: () => new Promise(() => undefined), onClose: () => closes++ }, 0, false);
    const waiting = [follower.next(), follower.next()];
    await follower.return();
    follower.close();

    expect(await Promise.all([...waiting, follower.next()])).toEqual(Array(3).fill({ done: true, value: undefined }));
    expect(closes).toBe(1);
  });

  it('answers several waiting calls in order', async () => {
    const follower = new Follower({ readPage: async () => undefined, onClose: () => undefined }, 0, true);
    const waiting = [follower.next(), follower.next(), follower.next()];
    follower.offer([contentAt(1), contentAt(2), doneAt(3)]);

    expect((await Promise.all(waiting)).map(({ value }) => value?.seq)).toEqual([1, 2, 3]);
  });

  it('gives the first chunk at once, and everything after it to the end, when it gathers', async () => {
    const follower = new Follower({ readPage: async () => undefined, onClose: () => undefined }, 0, true, 20);
    const first = follower.next();
    follower.offer([contentAt(1)]);
    expect((await first).value).toMatchObject({ fromSeq: 1, seq: 1 });
    const rest = read(follower);
    follower.offer([contentAt(2), contentAt(3), doneAt(4)]);

    expect(await rest).toEqual([2, 3, 4]);
  });

  it('hands over as one what is offered while it gathers', async () => {
    const follower = new Follower({ readPage: async () => undefined, onClose: () => undefined }, 0, true, 20);
    const taken: FollowedChunk[] = [];
    const ended = new Promise<void>((resolve) => {
      follower.pushTo({ take: (chunk) => taken.push(chunk) > 0, end: resolve });
    });
    for (const seq of [1, 2, 3, 4]) follower.offer([contentAt(seq)]);
    follower.offer([doneAt(5)]);
    await ended;

    expect(taken.map(({ fromSeq, seq }) => [fromSeq, seq])).toEqual([
      [1, 1],
      [2, 4],
      [5, 5],
    ]);
  });

  it('tries again when the database does not answer', async () => {
    const log = logOf(3);
    let tries = 0;
    const source = {
      readPage: async (after: number) => {
        if (++tries === 1) throw new Error('away');
        return pageOf(log, after);
      },
      onClose: () => undefined,
    };

    expect(await read(new Follower(source, 0, false))).toEqual([1, 2, 3]);
  });

  it('joins replay and live tail without a gap or a repeat, in whatever order things happen', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 12 }),
        fc.nat(60),
        fc.constantFrom('offered' as const, 'noted' as const),
        async (scheduler, batches, after, told) => {
          const total = batches.reduce((sum, count) => sum + count, 0) + 1;
          const whole = logOf(total);
          const stored: HeldChunk[] = [];
          const readPage = async (position: number) => {
            const page = pageOf([...stored], position, 50);
            await scheduler.schedule(Promise.resolve(), 'page arrives');
            return page;
          };
          const follower = new Follower({ readPage, onClose: () => undefined }, Math.min(after, total - 1), false);
          const seen: number[] = [];
          const reading = read(follower, seen);
          scheduler.scheduleSequence(
            [...batches, 1].map((count) => async () => {
              const batch = whole.slice(stored.length, stored.length + count);
              stored.push(...batch);
              if (told === 'offered') follower.offer(batch);
              else follower.note(stored.length);
            }),
          );
          await scheduler.waitFor(reading);
          const from = Math.min(after, total - 1);

          // Only a reader that was there from the beginning of its claim can be held to it.
          expect(seen.at(-1)).toBe(total);
          expect(seen).toEqual(Array.from({ length: seen.length }, (_, index) => total - seen.length + index + 1));
          expect(seen.length).toBeGreaterThanOrEqual(total - from);
        },
      ),
      { numRuns: 150 },
    );
  });
});

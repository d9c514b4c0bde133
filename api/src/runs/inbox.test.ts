import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FollowedChunk, type HeldChunk, Inbox, mergeDeltas } from './inbox.ts';

const at = '2026-11-05T10:00:00.000Z';

function chunkAt(seq: number, kind: 'content' | 'thinking' | 'other' = 'content', text = `${seq} `): HeldChunk {
  const place = { runId: 'r', seq, fromSeq: seq, at };
  const chunk: FollowedChunk =
    kind === 'other'
      ? { ...place, type: 'ContextChunk', tokens: seq, windowSize: 9 }
      : { ...place, type: kind === 'content' ? 'ContentChunk' : 'ThinkingChunk', text };
  return { chunk, size: text.length };
}

function takeAll(inbox: Inbox): FollowedChunk[] {
  const taken: FollowedChunk[] = [];
  for (let chunk = inbox.take(); chunk; chunk = inbox.take()) taken.push(chunk);
  return taken;
}

/** Every seq that the chunks stand for, in their order. */
function covered(chunks: readonly FollowedChunk[]): number[] {
  return chunks.flatMap(({ fromSeq, seq }) => Array.from({ length: seq - fromSeq + 1 }, (_, index) => fromSeq + index));
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

describe('mergeDeltas', () => {
  it('joins neighbours of one kind, with the last seq and the first', () => {
    const merged = [chunkAt(4, 'content', 'b'), chunkAt(5, 'content', 'c')].reduce<FollowedChunk | undefined>(
      (one, next) => one && mergeDeltas(one, next.chunk),
      chunkAt(3, 'content', 'a').chunk,
    );

    expect(merged).toMatchObject({ type: 'ContentChunk', text: 'abc', fromSeq: 3, seq: 5 });
  });

  it('joins nothing else', () => {
    expect(mergeDeltas(chunkAt(1).chunk, chunkAt(2, 'thinking').chunk)).toBeUndefined();
    expect(mergeDeltas(chunkAt(1, 'other').chunk, chunkAt(2, 'other').chunk)).toBeUndefined();
    expect(mergeDeltas(chunkAt(1).chunk, chunkAt(3).chunk)).toBeUndefined();
  });
});

describe('an inbox', () => {
  it('keeps up with any batch one by one while its reader does', () => {
    const inbox = new Inbox(0);
    inbox.offer(numbers(1, 500).map((seq) => chunkAt(seq)));
    const first = takeAll(inbox);
    inbox.offer(numbers(501, 1_000).map((seq) => chunkAt(seq)));

    expect([...first, ...takeAll(inbox)]).toHaveLength(1_000);
  });

  it('gathers what waits for a reader who wants it so, live or read, in pieces of bounded length', () => {
    const inbox = new Inbox(0, true);
    inbox.offer([...numbers(1, 20).map((seq) => chunkAt(seq)), chunkAt(21, 'other'), chunkAt(22), chunkAt(23)]);
    const first = takeAll(inbox);
    inbox.accept(
      numbers(24, 123).map((seq) => chunkAt(seq, 'content', 'x'.repeat(100))),
      123,
    );
    const second = takeAll(inbox);

    expect(first.map(({ fromSeq, seq }) => [fromSeq, seq])).toEqual([
      [1, 20],
      [21, 21],
      [22, 23],
    ]);
    expect(second).toHaveLength(5);
    expect(covered([...first, ...second])).toEqual(numbers(1, 123));
  });

  it('merges for a reader that lets chunks pile up, in bounded space', () => {
    const inbox = new Inbox(0);
    for (const seq of numbers(1, 20_000)) inbox.offer([chunkAt(seq)]);
    const chunks = takeAll(inbox);

    expect(chunks).toHaveLength(64);
    expect(chunks.at(-1)).toMatchObject({ fromSeq: 64, seq: 20_000 });
    expect(covered(chunks)).toEqual(numbers(1, 20_000));
  });

  it('sends its reader back to the database when merging does not help', () => {
    const many = new Inbox(0);
    const large = new Inbox(0);
    for (const seq of numbers(1, 5_000)) many.offer([chunkAt(seq, 'other')]);
    for (const seq of numbers(1, 50)) large.offer([chunkAt(seq, 'content', 'x'.repeat(100_000))]);

    expect([many.behind, large.behind]).toEqual([true, true]);
    expect([many.count, large.count]).toEqual([1_024, 2]);
  });

  it('takes a chunk larger than its bound when nothing else waits', () => {
    const inbox = new Inbox(0);
    inbox.offer([chunkAt(1, 'content', 'x'.repeat(1_000_000))]);

    expect(inbox.behind).toBe(false);
    expect(inbox.take()?.seq).toBe(1);
  });

  it('is behind until a doubt is cleared, and again when it is doubted while reading', () => {
    const inbox = new Inbox(3);
    inbox.doubt();
    const asked = inbox.ask();
    inbox.doubt();
    inbox.accept([chunkAt(4)], 4);

    expect([asked, inbox.behind]).toEqual([3, true]);
    inbox.ask();
    inbox.accept([], 4);
    expect(inbox.behind).toBe(false);
  });
});

type Step =
  | { readonly type: 'commit'; readonly count: number; readonly told: 'offered' | 'noted' | 'missed' }
  | { readonly type: 'take'; readonly count: number }
  | { readonly type: 'ask' }
  | { readonly type: 'answer'; readonly page: number; readonly late: boolean }
  | { readonly type: 'reconnect' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    type: fc.constant('commit' as const),
    count: fc.integer({ min: 1, max: 200 }),
    told: fc.constantFrom('offered' as const, 'offered' as const, 'noted' as const, 'missed' as const),
  }),
  fc.record({ type: fc.constant('take' as const), count: fc.integer({ min: 1, max: 150 }) }),
  fc.constant({ type: 'ask' as const }),
  fc.record({ type: fc.constant('answer' as const), page: fc.integer({ min: 1, max: 100 }), late: fc.boolean() }),
  fc.constant({ type: 'reconnect' as const }),
);
const kinds = fc.array(fc.constantFrom('content' as const, 'content' as const, 'thinking' as const, 'other' as const), {
  minLength: 1,
  maxLength: 7,
});

describe('whatever happens', () => {
  it('each reader gets 1 to n exactly once and in order, in bounded space', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), kinds, (steps, pattern) => {
        const reader = new Reader(pattern);
        for (const each of steps) reader.do(each);
        reader.catchUp();

        expect(covered(reader.seen)).toEqual(numbers(1, reader.stored.length));
        expect(textsOf(reader.seen)).toBe(textsOf(reader.stored.map(({ chunk }) => chunk)));
        expect(reader.mostHeld).toBeLessThanOrEqual(1_024 + 100);
      }),
      { numRuns: 500 },
    );
  });
});

/** Content in one string and reasoning in another: merging must not mix or lose them. */
function textsOf(chunks: readonly FollowedChunk[]): string {
  const text = (type: FollowedChunk['type']) =>
    chunks.map((chunk) => (chunk.type === type && 'text' in chunk ? chunk.text : '')).join('');
  return `${text('ContentChunk')}|${text('ThinkingChunk')}`;
}

/** A reader with its inbox before a log that grows by commits; a read sees what was stored sometime between asking and answering. */
class Reader {
  readonly stored: HeldChunk[] = [];
  readonly seen: FollowedChunk[] = [];
  mostHeld = 0;
  #inbox = new Inbox(0);
  #asked: { readonly after: number; readonly last: number } | undefined;

  constructor(private readonly pattern: readonly ('content' | 'thinking' | 'other')[]) {}

  do(step: Step): void {
    switch (step.type) {
      case 'commit': {
        const start = this.stored.length;
        const batch = numbers(start + 1, start + step.count).map((seq) =>
          chunkAt(seq, this.pattern[seq % this.pattern.length]),
        );
        this.stored.push(...batch);
        if (step.told === 'offered') this.#inbox.offer(batch);
        if (step.told === 'noted') this.#inbox.note(this.stored.length);
        break;
      }
      case 'take':
        this.#take(step.count);
        break;
      case 'ask':
        if (this.#asked === undefined && this.#inbox.behind)
          this.#asked = { after: this.#inbox.ask(), last: this.stored.length };
        break;
      case 'answer':
        if (this.#asked) {
          const { after } = this.#asked;
          const last = step.late ? this.stored.length : this.#asked.last;
          this.#asked = undefined;
          this.#inbox.accept(this.stored.slice(after, Math.min(after + step.page, last)), last);
        }
        break;
      case 'reconnect':
        this.#inbox = new Inbox(this.seen.at(-1)?.seq ?? 0);
        this.#inbox.doubt();
        this.#asked = undefined;
        break;
    }
    this.mostHeld = Math.max(this.mostHeld, this.#inbox.count);
  }

  /** What was missed is doubted sooner or later. */
  catchUp(): void {
    this.do({ type: 'answer', page: 100, late: true });
    this.#take(Number.POSITIVE_INFINITY);
    this.#inbox.doubt();
    while (this.#inbox.behind) {
      this.do({ type: 'ask' });
      this.do({ type: 'answer', page: 100, late: true });
      this.#take(Number.POSITIVE_INFINITY);
    }
  }

  #take(count: number): void {
    for (let index = 0; index < count; index++) {
      const chunk = this.#inbox.take();
      if (!chunk) return;
      this.seen.push(chunk);
    }
  }
}

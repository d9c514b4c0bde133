import { describe, expect, it } from 'vitest';
import { Gathered, type GatheredOptions } from './gathered.ts';

/** Answers with the key in capitals, when it is told to; knows no key that begins with `?`. */
function setUp(options?: GatheredOptions) {
  const asked: { readonly keys: readonly string[]; answer(): void; fail(): void }[] = [];
  const gathered = new Gathered<string, string>((keys) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, string>>();
    const known = keys.filter((key) => !key.startsWith('?'));
    asked.push({
      keys,
      answer: () => resolve(new Map(known.map((key) => [key, key.toUpperCase()]))),
      fail: () => reject(new Error('The database is away.')),
    });
    return promise;
  }, options);
  const statements = (count: number) => expect.poll(() => asked.length).toBe(count);
  return { gathered, asked, statements };
}

describe('what is looked up together', () => {
  it('is what was asked for in one round, each key once, and each gets its own answer', async () => {
    const { gathered, asked, statements } = setUp();
    const found = Promise.all(['a', 'b', '?', 'a'].map((key) => gathered.find(key)));
    await statements(1);
    asked[0]?.answer();

    expect(await found).toEqual(['A', 'B', undefined, 'A']);
    expect(asked.map(({ keys }) => keys)).toEqual([['a', 'b', '?']]);
  });

  it('waits while two statements are under way, and is then asked for in one', async () => {
    const { gathered, asked, statements } = setUp();
    const first = gathered.find('a');
    await statements(1);
    const second = gathered.find('b');
    await statements(2);
    const rest = Promise.all([gathered.find('c'), gathered.find('d')]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toHaveLength(2);
    asked[1]?.answer();
    await statements(3);
    for (const { answer } of asked) answer();

    expect([await first, await second, ...(await rest)]).toEqual(['A', 'B', 'C', 'D']);
    expect(asked[2]?.keys).toEqual(['c', 'd']);
  });

  it('goes one statement at a time while all is calm, each when it may', async () => {
    const turns: (() => void)[] = [];
    const ready = () => new Promise<void>((resolve) => turns.push(resolve));
    const { gathered, asked, statements } = setUp({ most: 1, calm: { forMs: 60_000, upTo: 2, ready } });
    const found = Promise.all(['a', 'b', 'c'].map((key) => gathered.find(key)));
    await statements(1); // the first waits for nobody
    await new Promise((resolve) => setImmediate(resolve));
    expect(turns).toHaveLength(0);
    asked[0]?.answer();
    for (const later of [1, 2]) {
      await expect.poll(() => turns.length).toBe(later);
      expect(asked).toHaveLength(later);
      turns[later - 1]?.();
      await statements(later + 1);
      asked[later]?.answer();
    }

    expect(await found).toEqual(['A', 'B', 'C']);
  });

  it('goes two at once when there are too many for that, and when the time for it is over', async () => {
    const crowd = setUp({ most: 1, calm: { forMs: 60_000, upTo: 0, ready: () => Promise.reject(new Error()) } });
    void crowd.gathered.find('a');
    void crowd.gathered.find('b');
    void crowd.gathered.find('c');
    const late = setUp({ most: 1, calm: { forMs: 1, upTo: 10, ready: async () => undefined } });
    void late.gathered.find('a');
    void late.gathered.find('b');

    await late.statements(2);
    await crowd.statements(2);
  });

  it('is no more than was allowed, and the rest comes after it', async () => {
    const { gathered, asked, statements } = setUp({ most: 2 });
    const found = Promise.all(['a', 'b', 'c', 'd', 'e'].map((key) => gathered.find(key)));
    await statements(2);
    asked[0]?.answer();
    await statements(3);
    for (const { answer } of asked) answer();

    expect(await found).toEqual(['A', 'B', 'C', 'D', 'E']);
    expect(asked.map(({ keys }) => keys)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('is asked anew each time: an answer that is on its way may be outdated', async () => {
    const { gathered, asked, statements } = setUp();
    const first = gathered.find('a');
    await statements(1);
    const second = gathered.find('a');
    await statements(2);
    for (const { answer } of asked) answer();

    expect([await first, await second]).toEqual(['A', 'A']);
  });

  it('fails together, and the next can be looked up all the same', async () => {
    const { gathered, asked, statements } = setUp();
    const found = Promise.allSettled([gathered.find('a'), gathered.find('b')]);
    await statements(1);
    asked[0]?.fail();
    expect((await found).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const again = gathered.find('a');
    await statements(2);
    asked[1]?.answer();

    expect(await again).toBe('A');
  });

  it('is tried apart after a failure that one of them may have caused, which then fails alone', async () => {
    const { gathered, asked, statements } = setUp({ isOwnFault: () => true });
    const found = Promise.allSettled(['a', 'b', 'c'].map((key) => gathered.find(key)));
    await statements(1);
    asked[0]?.fail();
    await statements(4);
    asked[1]?.answer();
    asked[2]?.fail();
    asked[3]?.answer();

    expect((await found).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(asked.slice(1).map(({ keys }) => keys)).toEqual([['a'], ['b'], ['c']]);
  });

  it('goes alone while it has a head start, and the rest goes with the next', async () => {
    const { gathered, asked, statements } = setUp({ headStartMs: 1_000_000 });
    const first = gathered.find('a');
    await statements(1);
    const rest = [gathered.find('b')];
    await new Promise((resolve) => setImmediate(resolve));
    rest.push(gathered.find('c'));
    expect(asked).toHaveLength(1);
    asked[0]?.answer();
    await statements(2);
    asked[1]?.answer();

    expect([await first, ...(await Promise.all(rest))]).toEqual(['A', 'B', 'C']);
    expect(asked[1]?.keys).toEqual(['b', 'c']);
  });

  it('does not wait longer than the head start for one that is held up', async () => {
    const { gathered, asked, statements } = setUp({ headStartMs: 5 });
    const first = gathered.find('a');
    await statements(1);
    const second = gathered.find('b');
    await statements(2);
    asked[1]?.answer();

    expect(await second).toBe('B');
    asked[0]?.answer();
    expect(await first).toBe('A');
  });

  it('waits for company after the one before it, where nobody is in a hurry', async () => {
    const { gathered, asked, statements } = setUp({ paceMs: 1_000_000 });
    const first = gathered.find('a');
    await statements(1);
    asked[0]?.answer();
    expect(await first).toBe('A');
    void gathered.find('b');
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));

    expect(asked).toHaveLength(1);
  });

  it('does not wait for company longer than it was told to', async () => {
    const { gathered, asked, statements } = setUp({ paceMs: 5 });
    const first = gathered.find('a');
    await statements(1);
    asked[0]?.answer();
    await first;
    const rest = Promise.all([gathered.find('b'), gathered.find('c')]);
    await statements(2);
    asked[1]?.answer();

    expect(await rest).toEqual(['B', 'C']);
    expect(asked[1]?.keys).toEqual(['b', 'c']);
  });
});

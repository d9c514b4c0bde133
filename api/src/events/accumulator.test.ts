import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Accumulator, type Notification } from './accumulator.ts';
import { payloadOf } from './event.ts';
import { injectPoints } from './subscriber.ts';
import { failureOf, subscriberOf } from './test/subscribers.ts';

/** Which tools are told of, and how often each. */
function told(notifications: readonly Notification[]): readonly (readonly [unknown, number])[] {
  return notifications.flatMap(({ entries }) =>
    entries.map(({ event, times }) => [payloadOf(event)['tool'], times] as const),
  );
}

describe('the accumulator', () => {
  it('holds a lone notice until its inject point, and tells it there', () => {
    for (const inject of injectPoints.filter((point) => point !== 'IMMEDIATE')) {
      const accumulator = new Accumulator([subscriberOf({ inject, batch: { window_seconds: 60, size: 5 } })]);

      expect(accumulator.take(failureOf(1, 0))).toEqual([]);
      for (const other of injectPoints) if (other !== inject) expect(accumulator.reach(other, 1)).toEqual([]);
      expect(told(accumulator.reach(inject, 1))).toEqual([['vault_search', 1]]);
      expect(accumulator.reach(inject, 2)).toEqual([]);
    }
  });

  it('tells at once what is immediate', () => {
    const accumulator = new Accumulator([subscriberOf({ inject: 'IMMEDIATE' })]);

    expect(told(accumulator.take(failureOf(1, 0)))).toEqual([['vault_search', 1]]);
  });

  it('tells a batch as soon as its size is reached, before its inject point', () => {
    const accumulator = new Accumulator([subscriberOf({ batch: { window_seconds: 60, size: 3 } })]);
    accumulator.take(failureOf(1, 0, 'a'));
    accumulator.take(failureOf(2, 0, 'b'));

    expect(told(accumulator.take(failureOf(3, 0, 'a')))).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    expect(accumulator.nextAt).toBeUndefined();
  });

  it('tells a batch as soon as its window is over, counted from the first', () => {
    const accumulator = new Accumulator([subscriberOf({ batch: { window_seconds: 2, size: 50 } })]);
    accumulator.take(failureOf(1, 100, 'a'));
    accumulator.take(failureOf(2, 1_900, 'b'));

    expect(accumulator.nextAt).toBe(2_100);
    expect(accumulator.tick(2_099)).toEqual([]);
    expect(told(accumulator.tick(2_100))).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
  });

  it('flushes an immediate batch at the next point of any kind', () => {
    const accumulator = new Accumulator([
      subscriberOf({ inject: 'IMMEDIATE', batch: { window_seconds: 60, size: 3 } }),
    ]);

    expect(accumulator.take(failureOf(1, 0))).toEqual([]);
    expect(told(accumulator.reach('TURN_END', 1))).toEqual([['vault_search', 1]]);
  });

  it('counts repeats: four failures are told once, as four', () => {
    const accumulator = new Accumulator([subscriberOf()]);
    for (const number of [1, 2, 3, 4]) accumulator.take(failureOf(number, number));

    expect(told(accumulator.reach('TURN_START', 5))).toEqual([['vault_search', 4]]);
  });

  it('does not repeat itself within the window, counts meanwhile, and tells the count afterwards', () => {
    const accumulator = new Accumulator([subscriberOf({ dedupe: { window_seconds: 10 } })]);
    accumulator.take(failureOf(1, 0));

    expect(told(accumulator.reach('TURN_START', 0))).toEqual([['vault_search', 1]]);
    accumulator.take(failureOf(2, 1_000));
    accumulator.take(failureOf(3, 2_000));
    accumulator.take(failureOf(4, 2_500, 'other'));
    expect(told(accumulator.reach('TURN_START', 9_999))).toEqual([['other', 1]]);
    expect(told(accumulator.reach('TURN_START', 10_000))).toEqual([['vault_search', 2]]);
  });

  it('takes as the same what the declared key makes the same', () => {
    const accumulator = new Accumulator([subscriberOf({ dedupe: { key: 'any', window_seconds: 0 } })]);
    accumulator.take(failureOf(1, 0, 'a'));
    accumulator.take(failureOf(2, 0, 'b'));

    expect(told(accumulator.reach('TURN_START', 0))).toEqual([['b', 2]]);
  });

  it('waits until something happened often enough', () => {
    const accumulator = new Accumulator([subscriberOf({ dedupe: { window_seconds: 0, at_least: 2 } })]);
    accumulator.take(failureOf(1, 0));

    expect(accumulator.reach('TURN_START', 0)).toEqual([]);
    accumulator.take(failureOf(2, 0));
    expect(told(accumulator.reach('TURN_START', 0))).toEqual([['vault_search', 2]]);
    accumulator.take(failureOf(3, 0));
    expect(told(accumulator.reach('TURN_START', 0))).toEqual([['vault_search', 1]]);
  });

  it('passes over what is less severe, and what has another name', () => {
    const accumulator = new Accumulator([subscriberOf({ severity: 'CRITICAL', inject: 'IMMEDIATE' })]);

    expect(accumulator.take(failureOf(1, 0))).toEqual([]);
    expect(accumulator.take({ ...failureOf(2, 0), name: 'rule.other', severity: 'CRITICAL', payload: {} })).toEqual([]);
    expect(accumulator.take({ ...failureOf(3, 0), severity: 'CRITICAL' })).toHaveLength(1);
  });

  it('orders by priority, then by age', () => {
    const accumulator = new Accumulator([
      subscriberOf({ id: 'low', priority: 'LOW', events: ['rule.a'] }),
      subscriberOf({ id: 'young', priority: 'HIGH', events: ['rule.c'] }),
      subscriberOf({ id: 'old', priority: 'HIGH', events: ['rule.b'] }),
      subscriberOf({ id: 'critical', priority: 'CRITICAL', events: ['rule.d'] }),
    ]);
    for (const [index, name] of (['rule.a', 'rule.b', 'rule.c', 'rule.d'] as const).entries())
      accumulator.take({ ...failureOf(index + 1, index), name, payload: {} });

    expect(accumulator.reach('TURN_START', 9).map(({ subscriber }) => subscriber.id)).toEqual([
      'critical',
      'old',
      'young',
      'low',
    ]);
  });

  it('goes by the age of what waits, whoever spoke first before', () => {
    const accumulator = new Accumulator([
      subscriberOf({ id: 'first', events: ['rule.a'] }),
      subscriberOf({ id: 'second', events: ['rule.b'] }),
    ]);
    const said = ({ subscriber }: Notification) => subscriber.id;
    const say = (number: number, name: 'rule.a' | 'rule.b') =>
      accumulator.take({ ...failureOf(number, number), name, payload: {} });
    say(1, 'rule.a');
    say(2, 'rule.b');

    expect(accumulator.reach('TURN_START', 3).map(said)).toEqual(['first', 'second']);
    say(3, 'rule.b');
    say(4, 'rule.a');
    expect(accumulator.reach('TURN_START', 5).map(said)).toEqual(['second', 'first']);
  });

  it('keeps so much waiting and no more: what has no room is told early', () => {
    const accumulator = new Accumulator([subscriberOf()]);
    const tools = Array.from({ length: 250 }, (_, index) => `tool ${index}`);
    const early = tools.map((tool, index) => told(accumulator.take(failureOf(index + 1, 0, tool))).length);

    expect(early.filter((count) => count > 0)).toEqual([100, 100]);
    expect(told(accumulator.reach('TURN_START', 0)).map(([tool]) => tool)).toEqual(tools.slice(200));
  });

  it('remembers so much of what it told and no more: the oldest may be told again', () => {
    const accumulator = new Accumulator([subscriberOf({ inject: 'IMMEDIATE', dedupe: { window_seconds: 1_000 } })]);
    const tools = Array.from({ length: 501 }, (_, index) => `tool ${index}`);
    for (const [index, tool] of tools.entries()) accumulator.take(failureOf(index + 1, 0, tool));

    expect(accumulator.take(failureOf(600, 1, 'tool 500'))).toEqual([]);
    expect(told(accumulator.take(failureOf(601, 1, 'tool 0')))).toEqual([['tool 0', 1]]);
  });

  it('lets a payload say how much it matters', () => {
    const accumulator = new Accumulator([
      subscriberOf({ id: 'first', priority: 'HIGH', events: ['rule.a'] }),
      subscriberOf({ id: 'second', priority: 'LOW', events: ['rule.b'] }),
    ]);
    accumulator.take({ ...failureOf(1, 0), name: 'rule.a', payload: {} });
    accumulator.take({ ...failureOf(2, 0), name: 'rule.b', payload: { priority: 'CRITICAL' } });

    expect(accumulator.reach('TURN_START', 1).map(({ subscriber }) => subscriber.id)).toEqual(['second', 'first']);
  });

  it('forgets what waits for one that was switched off, and keeps what waits for one whose file changed', () => {
    const accumulator = new Accumulator([subscriberOf(), subscriberOf({ id: 'gone' })]);
    accumulator.take(failureOf(1, 0));
    accumulator.use([subscriberOf({ template: 'Changed' })]);

    expect(accumulator.reach('TURN_START', 1).map(({ subscriber }) => subscriber.template)).toEqual(['Changed']);
  });

  it('tells what waits once, though a change of the file makes something else the same', () => {
    const accumulator = new Accumulator([subscriberOf({ dedupe: { key: '{tool}', window_seconds: 0 } })]);
    accumulator.take(failureOf(1, 0, 'a'));
    accumulator.take(failureOf(2, 0, 'b'));
    accumulator.use([subscriberOf({ dedupe: { key: '{error}', window_seconds: 0 } })]);

    expect(told(accumulator.reach('TURN_START', 1))).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
    expect(accumulator.reach('TURN_START', 2)).toEqual([]);
    expect(accumulator.waits).toBe(false);
  });

  it('loses nothing, whatever the batches, windows and points: all that happened often enough is told, counted', () => {
    const step = fc.record({
      tool: fc.constantFrom('a', 'b', 'c'),
      wait: fc.integer({ min: 0, max: 4_000 }),
      next: fc.constantFrom(...injectPoints, 'tick', 'nothing'),
    });
    const declared = fc.record({
      inject: fc.constantFrom(...injectPoints),
      batch: fc.option(fc.record({ window_seconds: fc.constantFrom(0, 1, 5), size: fc.integer({ min: 1, max: 6 }) }), {
        nil: undefined,
      }),
      dedupe: fc.option(
        fc.record({ window_seconds: fc.constantFrom(0, 3, 100), at_least: fc.integer({ min: 1, max: 4 }) }),
        { nil: undefined },
      ),
    });
    const reached = { early: 0, due: 0, counted: 0, atEnd: 0 };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: 'max' }), declared, (steps, { inject, batch, dedupe }) => {
        const accumulator = new Accumulator([
          subscriberOf({ inject, ...(batch ? { batch } : {}), ...(dedupe ? { dedupe } : {}) }),
        ]);
        const delivered: Notification[] = [];
        const deliver = (when: keyof typeof reached, notifications: readonly Notification[]) => {
          delivered.push(...notifications);
          reached[when] += notifications.length;
          reached.counted += told(notifications).filter(([, times]) => times > 1).length;
        };
        let now = 0;
        for (const [index, { tool, wait, next }] of steps.entries()) {
          now += wait;
          deliver('early', accumulator.take(failureOf(index + 1, now, tool)));
          if (next === 'tick') deliver('early', accumulator.tick(now));
          else if (next !== 'nothing') deliver('due', accumulator.reach(next, now));
          if (next === inject && !dedupe) expect(accumulator.waits).toBe(false);
        }
        deliver('atEnd', accumulator.end(now));
        for (const tool of ['a', 'b', 'c']) {
          const times = told(delivered)
            .filter(([name]) => name === tool)
            .reduce((sum, [, count]) => sum + count, 0);
          const happened = steps.filter((one) => one.tool === tool).length;
          expect(times).toBe(happened >= (dedupe?.at_least ?? 1) ? happened : 0);
        }
      }),
    );
    // Else nothing was shown.
    for (const [when, times] of Object.entries(reached)) expect([when, times > 20]).toEqual([when, true]);
  });
});

import { describe, expect, it } from 'vitest';
import { EventBus } from '../events/bus.ts';
import { EventLog } from './event-log.ts';

interface Recorded {
  readonly at: number;
  readonly turn: number;
  readonly name: string;
  readonly payload: unknown;
}

/** A log that takes nothing until there is room. */
function congestedLog() {
  const recorded: Recorded[] = [];
  const { promise: room, resolve: makeRoom } = Promise.withResolvers<void>();
  const writer = {
    congested: true,
    ready: () => room,
    recordEvent: ({ at, turn, name }: Omit<Recorded, 'payload'>, payload: string) =>
      void recorded.push({ at, turn, name, payload: JSON.parse(payload) }),
  };
  const clock = { now: 0 };
  const bus = new EventBus({
    now: () => clock.now,
    turn: () => 1,
    reportFailure: (error) => expect(error).toBeUndefined(),
  });
  new EventLog(writer, undefined).listen(bus);
  return { bus, clock, recorded, writer, makeRoom };
}

const ended = { reason: 'COMPLETED', message: '', turns: 1, tokens: 1, durationMs: 1 } as const;
const standing = { contextTokens: 1, messages: 1 };

describe('the log of events', () => {
  it('waits while nothing can be stored, then has everything in order', async () => {
    const { bus, recorded, writer, makeRoom } = congestedLog();
    bus.emit('agent.hint', { hint: 'one' });
    bus.emit('agent.hint', { hint: 'two' });
    expect(recorded).toEqual([]);
    writer.congested = false;
    makeRoom();
    await writer.ready();
    bus.emit('agent.hint', { hint: 'three' });

    expect(recorded.map(({ payload }) => payload)).toEqual([{ hint: 'one' }, { hint: 'two' }, { hint: 'three' }]);
  });

  it('keeps every error of a flood, the newest of the rest, and one word about what was dropped', async () => {
    const { bus, recorded, writer, makeRoom } = congestedLog();
    bus.emit('rule.trouble', {}, { severity: 'ERROR' });
    for (let count = 1; count <= 1_500; count += 1) bus.emit('rule.note', { count });
    writer.congested = false;
    makeRoom();
    await writer.ready();

    expect(recorded).toHaveLength(1_001);
    expect(recorded[0]?.name).toBe('rule.trouble');
    expect(recorded[1]?.payload).toEqual({ count: 502 });
    expect(recorded.filter(({ name }) => name === 'events.dropped')).toMatchObject([
      { turn: 1, payload: { dropped: 501, mostSevere: 'INFO' } },
    ]);
  });

  it('lets everybody hear of what was dropped, also when the run ends before there was room', async () => {
    for (const end of [false, true]) {
      const { bus, recorded, writer, makeRoom } = congestedLog();
      const heard: unknown[] = [];
      bus.on('events.dropped', ({ payload }) => heard.push(payload));
      for (let count = 1; count <= 1_002; count += 1) bus.emit('rule.note', { count });
      if (end) bus.emit('session.end', { ...ended, ...standing });
      makeRoom();
      await writer.ready();

      expect(heard).toEqual([{ dropped: 2, mostSevere: 'INFO' }]);
      if (end) expect(recorded.slice(-2).map(({ name }) => name)).toEqual(['session.end', 'events.dropped']);
    }
  });

  it('tells when things happened, not when there was room for them', async () => {
    const { bus, clock, recorded, writer, makeRoom } = congestedLog();
    const before = Date.now();
    clock.now = 500;
    bus.emit('agent.hint', { hint: 'first' });
    const after = Date.now();
    clock.now = 90_500;
    bus.emit('agent.hint', { hint: 'later' });
    makeRoom();
    await writer.ready();
    const [first, later] = recorded.map(({ at }) => at);

    expect(first).toBeGreaterThanOrEqual(before);
    expect(first).toBeLessThanOrEqual(after);
    expect(later).toBe((first ?? 0) + 90_000);
  });

  it('has how the run ended and whatever waits and follows, for it is closed then', () => {
    const { bus, recorded } = congestedLog();
    bus.emit('agent.hint', { hint: 'waiting' });
    bus.emit('session.end', { ...ended, ...standing });
    bus.emit('rule.notify', { rule: 'last', message: 'Ended.' });

    expect(recorded.map(({ name }) => name)).toEqual(['agent.hint', 'session.end', 'rule.notify']);
  });

  it('shortens long texts, and leaves out a payload that is still too long', () => {
    const { bus, recorded, writer } = congestedLog();
    writer.congested = false;
    bus.emit('agent.hint', { hint: 'x'.repeat(5_000) });
    bus.emit('rule.long', Object.fromEntries(Array.from({ length: 20 }, (_, part) => [part, 'x'.repeat(1_000)])));

    expect(recorded.map(({ payload }) => payload)).toEqual([
      { hint: `${'x'.repeat(2_000)}…` },
      { leftOut: 'The payload was too long.' },
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { EventBus } from '../events/bus.ts';
import { EventLog } from './event-log.ts';

interface Recorded {
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
    recordEvent: ({ name }: { readonly name: string }, payload: string) =>
      void recorded.push({ name, payload: JSON.parse(payload) }),
  };
  const bus = new EventBus({ now: () => 0, turn: () => 1, reportFailure: (error) => expect(error).toBeUndefined() });
  new EventLog(writer, undefined).listen(bus);
  return { bus, recorded, writer, makeRoom };
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
    makeRoom();
    await writer.ready();

    expect(recorded).toHaveLength(1_001);
    expect(recorded[0]?.name).toBe('rule.trouble');
    expect(recorded[1]?.payload).toEqual({ count: 502 });
    expect(recorded.filter(({ name }) => name === 'events.dropped')).toEqual([
      { name: 'events.dropped', payload: { dropped: 501, mostSevere: 'INFO' } },
    ]);
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

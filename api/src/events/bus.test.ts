import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundedEvents } from './bounded-events.ts';
import { EventBus } from './bus.ts';
import { eventSeverities, type RunEvent, severityRank, storedPayload } from './event.ts';

function makeBus(capacity?: number) {
  const failures: { readonly error: unknown; readonly name: string }[] = [];
  const bus = new EventBus(
    { now: () => 5, turn: () => 2, reportFailure: (error, { name }) => failures.push({ error, name }) },
    capacity,
  );
  const heard: RunEvent[] = [];
  bus.on('*', (event) => heard.push(event));
  return { bus, heard, failures };
}

const call = { callId: 'c1', tool: 'vault_search', arguments: { query: 'x' } };

describe('the bus of a run', () => {
  it('numbers events and gives each its usual severity, time, turn and key', () => {
    const { bus, heard } = makeBus();
    bus.emit('tool.call.failure', { ...call, error: 'no such note', durationMs: 3 });
    bus.emit('tool.call.failure', { ...call, callId: 'c2', error: 'no such note', durationMs: 4 });
    bus.emit('rule.seen', { rule: 'mine' }, { severity: 'CRITICAL' });

    expect(heard.map(({ number, severity, at, turn }) => ({ number, severity, at, turn }))).toEqual([
      { number: 1, severity: 'ERROR', at: 5, turn: 2 },
      { number: 2, severity: 'ERROR', at: 5, turn: 2 },
      { number: 3, severity: 'CRITICAL', at: 5, turn: 2 },
    ]);
    expect(heard[0]?.dedupeKey).toBe(heard[1]?.dedupeKey);
  });

  it('tells of exact names, of all below a prefix and of everything; never of a name that only begins alike', () => {
    const { bus } = makeBus();
    const told: string[] = [];
    bus.on('tool.call.pending', () => told.push('exact'));
    bus.on('tool.*', () => told.push('prefix'));
    bus.on('tool.call.pend.*', () => told.push('wrong'));
    bus.on('tool', () => told.push('wrong'));
    bus.emit('tool.call.pending', call);
    bus.emit('query.start', {
      maxIterations: 1,
      tokenBudget: 1,
      timeoutSeconds: 1,
      maxToolCallsPerTurn: 1,
      maxParallelTools: 1,
      windowSize: 1,
    });

    expect(told).toEqual(['exact', 'prefix']);
  });

  it('isolates a handler that throws, and reports it', () => {
    const { bus, failures } = makeBus();
    const told: string[] = [];
    bus.on('*', () => {
      throw new Error('broken');
    });
    bus.on('*', ({ name }) => told.push(name));
    bus.emit('agent.hint', { hint: 'h' });

    expect(told).toEqual(['agent.hint']);
    expect(failures).toEqual([{ error: new Error('broken'), name: 'agent.hint' }]);
  });

  it('tells of what a handler emits after the event it was told of, in the same order to all', () => {
    const { bus, heard } = makeBus();
    const later: string[] = [];
    bus.on('agent.hint', () => bus.emit('rule.first', {}));
    bus.on('*', ({ name }) => later.push(name));
    bus.emit('agent.hint', { hint: 'h' });

    expect(later).toEqual(['agent.hint', 'rule.first']);
    expect(heard.map(({ name }) => name)).toEqual(later);
  });

  it('ends a circle of handlers that answer each other, and reports it', () => {
    const { bus, heard, failures } = makeBus();
    bus.on('rule.*', () => bus.emit('rule.again', {}, { severity: 'CRITICAL' }));
    bus.emit('rule.begin', {});

    expect(heard.length).toBeLessThan(20);
    expect(failures).toHaveLength(1);
    bus.emit('agent.hint', { hint: 'still working' });
    expect(heard.at(-1)?.name).toBe('agent.hint');
  });

  it('drops the least severe of a flood and leaves one summary', () => {
    const { bus, heard } = makeBus(3);
    bus.on('agent.hint', () => {
      bus.emit('rule.error', {}, { severity: 'ERROR' });
      for (let count = 0; count < 10; count++) bus.emit('rule.note', { count });
    });
    bus.emit('agent.hint', { hint: 'h' });

    expect(heard.map(({ name }) => name)).toEqual([
      'agent.hint',
      'rule.error',
      'rule.note',
      'rule.note',
      'events.dropped',
    ]);
    expect(heard.at(-1)?.payload).toEqual({ dropped: 8, mostSevere: 'INFO' });
    expect(heard[2]?.payload).toEqual({ count: 8 });
  });

  it('stops telling a handler that was taken off', () => {
    const { bus } = makeBus();
    let told = 0;
    const listening = bus.on('*', () => {
      told += 1;
    });
    bus.emit('agent.hint', { hint: 'h' });
    bus.off(listening);
    bus.emit('agent.hint', { hint: 'h' });

    expect(told).toBe(1);
  });

  it('keeps out of the stored payload what the log holds already', () => {
    const { bus, heard } = makeBus();
    bus.emit('tool.call.success', { ...call, result: 'long', durationMs: 1 });

    expect(heard.map(storedPayload)).toEqual([{ callId: 'c1', tool: 'vault_search', durationMs: 1 }]);
  });
});

describe('bounded events', () => {
  const flood = fc.array(fc.constantFrom(...eventSeverities), { maxLength: 60 });

  it('keep every error, no more than fit of the rest, the most severe and newest of these, in order', () => {
    fc.assert(
      fc.property(flood, fc.integer({ min: 1, max: 20 }), (severities, capacity) => {
        const queue = new BoundedEvents(capacity);
        const all = severities.map((severity, index) => eventOf(index + 1, severity));
        for (const event of all) queue.add(event);
        const kept: RunEvent[] = [];
        for (let event = queue.take(); event; event = queue.take()) kept.push(event);
        const gone = all.filter((event) => !kept.includes(event));
        const lowest = kept.filter(({ severity }) => severityRank(severity) < severityRank('ERROR'));

        expect(gone.every(({ severity }) => severityRank(severity) < severityRank('ERROR'))).toBe(true);
        expect(kept.map(({ number }) => number)).toEqual(kept.map(({ number }) => number).toSorted((a, b) => a - b));
        expect(lowest.length === 0 || kept.length <= capacity).toBe(true);
        const dropped = queue.takeDropped();
        expect(dropped?.count ?? 0).toBe(gone.length);
        if (dropped)
          expect(severityRank(dropped.mostSevere)).toBe(
            Math.max(...gone.map(({ severity }) => severityRank(severity))),
          );
        for (const one of gone) {
          expect(kept.filter(({ severity, number }) => severity === one.severity && number < one.number)).toEqual([]);
          expect(kept.filter(({ severity }) => severityRank(severity) < severityRank(one.severity))).toEqual([]);
        }
      }),
    );
  });
});

function eventOf(number: number, severity: RunEvent['severity']): RunEvent {
  return { number, name: 'rule.x', severity, at: 0, turn: 0, dedupeKey: '', payload: {} };
}

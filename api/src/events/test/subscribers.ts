import type { z } from 'zod';
import type { RunEvent } from '../event.ts';
import { type Subscriber, SubscriberSchema } from '../subscriber.ts';

/** A subscriber of tool failures unless told otherwise. */
export function subscriberOf(declared: Partial<z.input<typeof SubscriberSchema>> = {}): Subscriber {
  return SubscriberSchema.parse({
    id: 'failures',
    title: 'Failures',
    description: 'Tells of failures.',
    example: 'x failed',
    events: ['tool.call.failure'],
    template: '{tool} failed{times}',
    columns: ['tool'],
    inject: 'TURN_START',
    ...declared,
  });
}

/** The number-th event of a run, at this time: a failure of the tool. */
export function failureOf(number: number, at: number, tool = 'vault_search'): RunEvent {
  return {
    number,
    name: 'tool.call.failure',
    severity: 'ERROR',
    at,
    turn: 1,
    dedupeKey: tool,
    payload: { callId: `c${number}`, tool, arguments: {}, error: 'no', durationMs: 1 },
  };
}

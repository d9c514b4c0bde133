import type { Ending } from '../agent/ending.ts';
import type { Json } from '../agent/json.ts';
import { totalTokens } from '../agent/usage.ts';
import { definitionOf, type EventSeverity, type PayloadOf } from '../events/event.ts';
import type { KnownName } from '../events/event-payloads.ts';
import type { LoggedEvent } from './event-reading.ts';

/** For calls that a server was at when it died. */
export const neverAnswered = 'The server stopped before this call was answered; whether it did its work is not known.';

/** An event that a dead server did not come to. */
export interface MissingEvent {
  readonly name: KnownName;
  readonly turn: number;
  readonly severity: EventSeverity;
  /** Of a sub-agent, its name. */
  readonly agent?: string;
  readonly payload: object;
}

/** What the events of a run say without their last ones. */
export interface BrokenEvents {
  /** From the beginning of the last turn on. */
  readonly events: readonly LoggedEvent[];
  readonly ending: Ending;
  /** When the run was last heard of. */
  readonly lastAt: number;
}

/**
 * What the log of a run still lacks whose server died: all that had begun is told to have ended, what began last first,
 * and then the run itself. Pure; when it was told, nothing is missing.
 */
export function missingEvents({ events, ending, lastAt }: BrokenEvents): readonly MissingEvent[] {
  const told = new Told(events, ending, lastAt);
  const open = openEvents(events);
  const missing = open.toReversed().map((event) => told.endOf(event, open));
  const endedBy = events.findLast(({ name, agent }) => name === 'session.end' && agent === null);
  if (textAt(endedBy, 'reason') !== ending.reason) missing.push(told.end());
  return missing;
}

const beginningOf: Readonly<Record<string, KnownName>> = {
  'session.end': 'query.start',
  'agent.turn.end': 'agent.turn.start',
  'model.call.end': 'model.call.start',
  'tool.call.success': 'tool.call.pending',
  'tool.call.failure': 'tool.call.pending',
  'tool.call.timeout': 'tool.call.pending',
  'tool.call.not_run': 'tool.call.pending',
};
const beginnings = new Set(Object.values(beginningOf));

/** What began and did not end, in the order in which it began. The run itself is not among it. */
function openEvents(events: readonly LoggedEvent[]): readonly LoggedEvent[] {
  const open: LoggedEvent[] = [];
  for (const event of events) {
    const beginning = beginningOf[event.name];
    const begun = open.findIndex(
      ({ name, agent, ...one }) =>
        name === beginning && agent === event.agent && keyOf(name, one) === keyOf(name, event),
    );
    if (begun >= 0) open.splice(begun, 1);
    else if (isBeginning(event.name) && !(event.name === 'query.start' && event.agent === null)) open.push(event);
  }
  return open;
}

/** Which of several: sub-agents of one name may be at work at the same time. */
function keyOf(beginning: string, event: Pick<LoggedEvent, 'turn' | 'payload'>): string {
  if (beginning === 'query.start') return '';
  return `${event.turn} ${beginning === 'tool.call.pending' ? textAt(event, 'callId') : ''}`;
}

/** What the other events tell about one that is missing. What was spent on it is an estimate: no provider said. */
class Told {
  constructor(
    private readonly events: readonly LoggedEvent[],
    private readonly ending: Ending,
    private readonly lastAt: number,
  ) {}

  endOf(begun: LoggedEvent, open: readonly LoggedEvent[]): MissingEvent {
    const { turn, agent } = begun;
    const durationMs = Math.max(0, this.lastAt - begun.at.getTime());
    const standing = this.#standing(agent);
    switch (begun.name) {
      case 'tool.call.pending': {
        const call = { callId: textAt(begun, 'callId'), tool: textAt(begun, 'tool') };
        return missing('tool.call.failure', begun, { ...call, error: neverAnswered, durationMs });
      }
      case 'model.call.start': {
        const usage = { inputTokens: numberAt(begun, 'expectedInput'), outputTokens: 0 };
        return missing('model.call.end', begun, { ...usage, calls: 0, complete: false, durationMs, ...standing });
      }
      case 'agent.turn.start': {
        const inTurn = this.events.filter((event) => event.agent === agent && event.turn === turn);
        const calls = inTurn.filter(({ name }) => name === 'tool.call.pending');
        const failed = inTurn.filter(({ name }) => name === 'tool.call.failure' || name === 'tool.call.timeout');
        const failures = failed.length + calls.filter((call) => open.includes(call)).length;
        const tokensUsed = agent === null ? totalTokens(this.ending.usage) : numberAt(begun, 'tokensUsed');
        const counts = { calls: calls.length, failures, complete: false, tokensUsed };
        return missing('agent.turn.end', begun, { ...counts, ...standing });
      }
      default: {
        const { reason, message } = this.ending;
        const turns = Math.max(0, ...this.events.filter((event) => event.agent === agent).map((event) => event.turn));
        const payload = { reason, message, turns, tokens: 0, durationMs, ...standing };
        return missing('session.end', { turn: turns, agent }, payload);
      }
    }
  }

  /** Of the run itself. */
  end(): MissingEvent {
    const { reason, message, turns, usage, durationMs } = this.ending;
    const payload = { reason, message, turns, tokens: totalTokens(usage), durationMs, ...this.#standing(null) };
    return missing('session.end', { turn: turns, agent: null }, payload);
  }

  /** As the latest event that knew. */
  #standing(agent: string | null): { readonly contextTokens: number; readonly messages: number } {
    const event = this.events.findLast((one) => one.agent === agent && numberAt(one, 'messages') > 0);
    return {
      contextTokens: Math.round(
        numberAt(event, event?.name === 'agent.turn.start' ? 'expectedInput' : 'contextTokens'),
      ),
      messages: numberAt(event, 'messages'),
    };
  }
}

/** With all of its payload that the log keeps. */
function missing<Name extends KnownName>(
  name: Name,
  { turn, agent }: Pick<LoggedEvent, 'turn' | 'agent'>,
  payload: Omit<PayloadOf<Name>, 'arguments'>,
): MissingEvent {
  const { severity } = definitionOf(name);
  return { name, turn, severity, payload, ...(agent === null ? {} : { agent }) };
}

function isBeginning(name: string): boolean {
  return beginnings.has(name as KnownName);
}

function partOf(event: Pick<LoggedEvent, 'payload'> | undefined, part: string): Json | undefined {
  const payload = event?.payload;
  return typeof payload === 'object' && payload !== null && part in payload
    ? (payload as Readonly<Record<string, Json>>)[part]
    : undefined;
}

function textAt(event: Pick<LoggedEvent, 'payload'> | undefined, part: string): string {
  const value = partOf(event, part);
  return typeof value === 'string' ? value : '';
}

function numberAt(event: Pick<LoggedEvent, 'payload'> | undefined, part: string): number {
  const value = partOf(event, part);
  return typeof value === 'number' ? value : 0;
}

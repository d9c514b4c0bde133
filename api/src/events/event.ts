import type { Json } from '../agent/json.ts';
import type { EventPayloads, KnownName } from './event-payloads.ts';

/** Least severe first. */
export const eventSeverities = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'] as const;
export type EventSeverity = (typeof eventSeverities)[number];

/** What rules emit: any name below `rule.`, with what the rule says. */
export type RuleEventName = `rule.${string}`;
export type EventName = KnownName | RuleEventName;
export type JsonRecord = { readonly [key: string]: Json | undefined };

export type PayloadOf<Name extends EventName> = Name extends KnownName ? EventPayloads[Name] : JsonRecord;

/** Something that happened in one run. `number` counts 1, 2, 3… in that run; `at` is the caller's clock. */
export interface EventOf<Name extends EventName> {
  readonly number: number;
  readonly name: Name;
  readonly severity: EventSeverity;
  readonly at: number;
  /** Turns started so far. */
  readonly turn: number;
  /** Equal for events that say the same. */
  readonly dedupeKey: string;
  readonly payload: PayloadOf<Name>;
}

/** Tell them apart by `name`. */
export type RunEvent = { readonly [Name in KnownName]: EventOf<Name> }[KnownName] | EventOf<RuleEventName>;

export interface EventDefinition<Part extends string = string> {
  readonly severity: EventSeverity;
  /** When it happens, in a sentence for those who write subscribers and rules. */
  readonly happens: string;
  /** Parts of the payload that make two events the same; the name alone when there are none. */
  readonly sameBy?: readonly Part[];
  /** Parts that the run's log holds elsewhere, and which may be large. */
  readonly notStored?: readonly Part[];
}

type Definitions = { readonly [Name in KnownName]: EventDefinition<keyof EventPayloads[Name] & string> };

const callParts = { notStored: ['arguments'] } as const;

/** Every event there is, beside those of rules. */
export const eventDefinitions: Definitions = {
  'query.start': { severity: 'INFO', happens: 'A question is taken up.' },
  'session.resumed': { severity: 'DEBUG', happens: 'The question follows earlier ones; INFO after a long pause.' },
  'session.end': { severity: 'INFO', happens: 'The run has ended, for whatever reason.' },
  'budget.iteration.warning': { severity: 'WARNING', happens: 'Most turns are used.' },
  'budget.iteration.exceeded': { severity: 'ERROR', happens: 'All turns are used, and the run ends.' },
  'budget.token.warning': { severity: 'WARNING', happens: 'Most tokens are used.' },
  'budget.token.exceeded': { severity: 'ERROR', happens: 'The tokens are used, and the run ends.' },
  'budget.timeout.warning': { severity: 'WARNING', happens: 'Most of the time is used.' },
  'budget.timeout.exceeded': { severity: 'ERROR', happens: 'The time is up, and the run ends.' },
  'budget.tool_calls.exceeded': { severity: 'WARNING', happens: 'A turn asked for more calls than may be run.' },
  'context.approaching_limit': { severity: 'WARNING', happens: "The model's window fills up." },
  'context.reduced': {
    severity: 'INFO',
    happens: 'Something was left out of the request for lack of room.',
    sameBy: ['message'],
  },
  'model.call.start': { severity: 'DEBUG', happens: 'The model is asked.' },
  'model.call.end': { severity: 'DEBUG', happens: 'The model has answered, or was broken off.' },
  'model.call.failure': { severity: 'ERROR', happens: 'The model failed for good.', sameBy: ['code'] },
  'tool.call.pending': {
    severity: 'DEBUG',
    happens: 'The model asked for a tool call.',
    sameBy: ['callId'],
    ...callParts,
  },
  'tool.call.success': {
    severity: 'INFO',
    happens: 'A tool call worked.',
    sameBy: ['callId'],
    notStored: ['arguments', 'result'],
  },
  'tool.call.failure': { severity: 'ERROR', happens: 'A tool call failed.', sameBy: ['tool', 'error'], ...callParts },
  'tool.call.timeout': { severity: 'ERROR', happens: 'A tool did not answer in time.', sameBy: ['tool'], ...callParts },
  'tool.call.not_run': { severity: 'INFO', happens: 'A tool call was not run.', sameBy: ['callId'], ...callParts },
  'tool.unavailable': { severity: 'WARNING', happens: 'Tools are missing from this run.', sameBy: ['message'] },
  'agent.turn.start': { severity: 'DEBUG', happens: 'A turn begins.' },
  'agent.turn.end': { severity: 'DEBUG', happens: 'A turn has ended, its tool calls included, or was broken off.' },
  'agent.loop.detected': { severity: 'WARNING', happens: 'One action keeps coming back.' },
  'agent.no_progress': { severity: 'ERROR', happens: 'Three turns in a row brought nothing new, and the run ends.' },
  'agent.error_limit': { severity: 'ERROR', happens: 'Every call failed three turns in a row, and the run ends.' },
  'agent.notice': { severity: 'INFO', happens: 'A decision tree tells the person something.', sameBy: ['message'] },
  'agent.hint': { severity: 'INFO', happens: 'A decision tree tells the model something.', sameBy: ['hint'] },
  'agent.self.notify': { severity: 'INFO', happens: 'The model reminds itself of something.', sameBy: ['noticeId'] },
  'librarian.progress': {
    severity: 'INFO',
    happens: 'The Librarian begins, goes on or has finished.',
    sameBy: ['message'],
  },
  'task.checkpoint': { severity: 'INFO', happens: 'A long run has come another stretch.' },
  'source.stale': {
    severity: 'WARNING',
    happens: 'A note was changed, moved or deleted since it was read in this conversation.',
    sameBy: ['path'],
  },
  'events.dropped': { severity: 'WARNING', happens: 'More happened than could be kept.' },
  'rules.remembered': { severity: 'DEBUG', happens: 'The run begins with what rules remember of earlier ones.' },
  'rule.notify': {
    severity: 'INFO',
    happens: 'A rule tells the person and the model something.',
    sameBy: ['rule', 'message'],
  },
  'rule.limit': { severity: 'INFO', happens: 'A rule allows this run less.', sameBy: ['rule', 'message'] },
  'rule.hint': { severity: 'INFO', happens: 'A rule tells the model something.', sameBy: ['rule', 'hint'] },
};

export const knownEventNames = Object.keys(eventDefinitions) as readonly KnownName[];

export function isEventName(name: string): name is EventName {
  return Object.hasOwn(eventDefinitions, name) || /^rule\.[\w.-]+$/.test(name);
}

const ranks: Readonly<Record<EventSeverity, number>> = { DEBUG: 0, INFO: 1, WARNING: 2, ERROR: 3, CRITICAL: 4 };

export function severityRank(severity: EventSeverity): number {
  return ranks[severity];
}

/** With its place among all, so that what is found out about events can be kept in a list. */
type PlacedDefinition = EventDefinition & { readonly place: number };

const saidByRule: PlacedDefinition = { severity: 'INFO', happens: 'A rule says so.', place: -1 };
const definitions = new Map<string, PlacedDefinition>(
  Object.entries(eventDefinitions).map(([name, definition], place) => [name, { ...definition, place }]),
);

/** What rules emit has no place. */
export function definitionOf(name: EventName): PlacedDefinition {
  return definitions.get(name) ?? saidByRule;
}

export function dedupeKeyOf(name: EventName, { sameBy }: EventDefinition, payload: JsonRecord): string {
  let key: string = name;
  if (sameBy) for (const part of sameBy) key += `\u001f${payload[part] ?? ''}`;
  return key;
}

/** All payloads are plain JSON; this reads one without knowing whose it is. */
export function payloadOf(event: RunEvent): JsonRecord {
  return event.payload as JsonRecord;
}

/** The payload as the run's log keeps it. */
export function storedPayload(event: RunEvent): JsonRecord {
  const { notStored } = definitionOf(event.name);
  const payload = payloadOf(event);
  if (notStored === undefined) return payload;
  const stored: Record<string, Json | undefined> = {};
  for (const part in payload) if (!notStored.includes(part)) stored[part] = payload[part];
  return stored;
}

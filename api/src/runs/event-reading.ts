import type { Json } from '../agent/json.ts';
import { type EventSeverity, eventSeverities, severityRank } from '../events/event.ts';
import { BadPageRequest, type Page, type PageRequest, pageByText } from '../store/page.ts';
import type { Sql } from '../store/sql.ts';

/** One event as the log of its run holds it. */
export interface LoggedEvent {
  readonly number: number;
  readonly at: Date;
  readonly turn: number;
  readonly name: string;
  readonly severity: EventSeverity;
  /** Of a sub-agent, its name. */
  readonly agent: string | null;
  readonly payload: Json;
}

export interface EventFilter {
  /** A name, or `prefix.*` for all below. */
  readonly name?: string | null | undefined;
  /** This or more severe. */
  readonly severity?: EventSeverity | null | undefined;
}

/** Oldest first. */
export async function readEvents(
  sql: Sql,
  runId: string,
  { name: given, severity, ...request }: EventFilter & PageRequest,
): Promise<Page<LoggedEvent>> {
  const name = given?.replaceAll('\0', '?'); // no name has either of them, and PostgreSQL refuses the first
  const { size, after, page } = pageByText<LoggedEvent>(request);
  if (after !== null && !/^\d{1,9}$/.test(after))
    throw new BadPageRequest('after must be a cursor from an earlier page.');
  const prefix = name === '*' ? '' : name?.endsWith('.*') ? name.slice(0, -1) : null;
  const severities = eventSeverities.filter((one) => severityRank(one) >= severityRank(severity ?? 'DEBUG'));
  const filter = [runId, prefix === null ? (name ?? null) : null, prefix, severities];
  const [rows, [counted]] = await Promise.all([
    sql.query<EventRow>('event-page', eventPage, [...filter, Number(after ?? 0), size + 1]),
    sql.query<{ count: number }>('event-count', eventCount, filter),
  ]);
  return page(rows.map(loggedEvent), counted?.count ?? 0, ({ number }) => String(number));
}

/** The events of a run from its beginning; `complete` says whether these are all. */
export interface EventsFromStart {
  readonly events: readonly LoggedEvent[];
  readonly complete: boolean;
}

/** As many as are held in memory at once. */
const mostEvents = 10_000;

export async function readEventsFromStart(sql: Sql, runId: string): Promise<EventsFromStart> {
  const rows = await sql.query<EventRow>('events-from-start', eventsFromStart, [runId, mostEvents + 1]);
  return { events: rows.slice(0, mostEvents).map(loggedEvent), complete: rows.length <= mostEvents };
}

function loggedEvent({ payload, ...row }: EventRow): LoggedEvent {
  return { ...row, payload: JSON.parse(payload) };
}

/** All since the last turn of the run began, or its beginning. */
export async function readLastEvents(sql: Sql, runId: string): Promise<readonly LoggedEvent[]> {
  return (await sql.query<EventRow>('last-events', lastEvents, [runId])).map(loggedEvent);
}

type EventRow = Omit<LoggedEvent, 'payload'> & { readonly payload: string };

const matching = `run_id = $1 and ($2::text is null or name = $2) and ($3::text is null or starts_with(name, $3))
  and severity = any($4::text[])`;
const eventPage = `select number, at, turn, name, severity, agent, payload from run_events
  where ${matching} and number > $5 order by number limit $6`;
const eventCount = `select count(*)::int as count from run_events where ${matching}`;
const lastEvents = `select number, at, turn, name, severity, agent, payload from run_events
  where run_id = $1 and number >= coalesce(
    (select max(number) from run_events where run_id = $1 and name = 'agent.turn.start' and agent is null), 0)
  order by number`;
const eventsFromStart = `select number, at, turn, name, severity, agent, payload from run_events
  where run_id = $1 order by number limit $2`;

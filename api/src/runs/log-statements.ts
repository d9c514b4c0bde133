import { type Change, changesChannel, type RunReach } from '../store/changes.ts';
import { isDuplicate, type Sql } from '../store/sql.ts';
import type { HeldChunk } from './inbox.ts';

/** One thing to be stored: a chunk, a decision of the tree or an event. `json` is all that is ever made of it. */
export interface LogEntry<Log> {
  readonly log: Log;
  readonly json: string;
  readonly held: HeldChunk | undefined;
  readonly decision: { readonly number: number; readonly turn: number; readonly seq: number } | undefined;
  readonly event?: StoredEvent;
}

/** An event's place in the log; its payload is the entry's JSON. */
export interface StoredEvent {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly turn: number;
  readonly name: string;
  readonly severity: string;
  /** Of a sub-agent, its name. */
  readonly agent?: string;
}

/** A run in a batch that this server still owns, as the database says. */
export interface OwnedRun {
  readonly id: string;
  readonly cancelled: boolean;
}

/** PostgreSQL refuses announcements of 8 000 bytes and more. */
const announcementRuns = 150;

/**
 * Stores the entries of many runs in one statement, and announces how far their logs go. Takes only runs that this
 * server owns and that have not ended: the row lock makes a takeover or an end wait, or turns the entries away.
 * Done again after a lost answer, it changes nothing.
 */
export async function insertEntries<Log extends { readonly runId: string }>(
  sql: Sql,
  serverId: string,
  entries: readonly LogEntry<Log>[],
): Promise<OwnedRun[]> {
  const places = new Map<Log, number>();
  /** How far each run's log goes with these. */
  const reached: number[] = [];
  const chunks = { run: [] as number[], seq: [] as number[], at: [] as string[], type: [] as string[] };
  const decisions = { run: [] as number[], number: [] as number[], turn: [] as number[] };
  const events = { run: [] as number[], number: [] as number[], at: [] as number[], turn: [] as number[] };
  const names = { name: [] as string[], severity: [] as string[], agent: [] as string[] };
  const bodies: string[] = [];
  const traces: string[] = [];
  const payloads: string[] = [];
  let lastAt = '';
  let lastMs = '';
  let place = 0;
  let lastLog: Log | undefined;
  for (const { log, json, held, decision, event } of entries) {
    if (log !== lastLog) {
      lastLog = log;
      place = places.get(log) ?? places.size + 1;
      places.set(log, place);
    }
    if (held) {
      const { seq, at, type } = held.chunk;
      chunks.run.push(place);
      chunks.seq.push(seq);
      if (at !== lastAt) {
        lastAt = at;
        lastMs = String(Date.parse(at));
      }
      chunks.at.push(lastMs);
      chunks.type.push(type);
      bodies.push(json);
      reached[place] = seq;
    }
    if (decision) {
      decisions.run.push(place);
      decisions.number.push(decision.number);
      decisions.turn.push(decision.turn);
      traces.push(json);
      reached[place] ??= decision.seq; // nothing new to read, but a turn has begun or ended
    }
    if (event) {
      events.run.push(place);
      events.number.push(event.number);
      events.turn.push(event.turn);
      events.at.push(event.at);
      names.name.push(event.name);
      names.severity.push(event.severity);
      names.agent.push(event.agent ?? '');
      payloads.push(json);
    }
  }
  const values = [
    arrayOf([...places.keys()].map((log) => log.runId)),
    serverId,
    ...[arrayOf(chunks.run), arrayOf(chunks.seq), arrayOf(chunks.at), arrayOf(chunks.type), bodies.join('\n')],
    ...[arrayOf(decisions.run), arrayOf(decisions.number), arrayOf(decisions.turn), traces.join('\n')],
    announcements(serverId, reachesOf(places, reached)),
    ...[arrayOf(events.run), arrayOf(events.number), arrayOf(events.turn), arrayOf(events.at)],
    ...[names.name.join('\n'), names.severity.join('\n'), names.agent.join('\n'), payloads.join('\n')],
  ];
  try {
    return await sql.query<OwnedRun>('insert-entries', insert(''), values);
  } catch (error) {
    // Only what was stored before its answer got lost is there already. Looking out for that each time costs a fifth.
    if (!isDuplicate(error)) throw error;
    return await sql.query<OwnedRun>('insert-entries-again', insert('on conflict do nothing'), values);
  }
}

function reachesOf(places: ReadonlyMap<{ readonly runId: string }, number>, reached: readonly number[]): RunReach[] {
  return [...places].flatMap(([{ runId }, place]): RunReach[] => {
    const seq = reached[place];
    return seq === undefined ? [] : [[runId, seq]];
  });
}

/** As one text each: far cheaper than the driver's quoting. Neither ids nor numbers nor JSON contain what separates them. */
function arrayOf(values: readonly (string | number)[]): string {
  return `{${values.join(',')}}`;
}

/** The odd form of "in" is always looked up by hash; the usual one compares each run with each. */
const insert = (onConflict: string) => `
  with mine as (
    select id, cancel_requested_at is not null as cancelled from runs
    where (id in (select unnest($1::uuid[]))) is true and owner = $2 and status = 'RUNNING'
    order by id for share
  ), stored_chunks as (
    insert into run_chunks (run_id, seq, at, type, body)
    select mine.id, c.seq, to_timestamp(c.at / 1000), c.type, c.body
    from unnest($3::int[], $4::int[], $5::float8[], $6::text[], string_to_array($7, E'\\n'))
      as c (run, seq, at, type, body)
    join mine on mine.id = ($1::uuid[])[c.run]
    ${onConflict}
  ), stored_decisions as (
    insert into run_decisions (run_id, number, turn, trace)
    select mine.id, d.number, d.turn, d.trace
    from unnest($8::int[], $9::int[], $10::int[], string_to_array($11, E'\\n')) as d (run, number, turn, trace)
    join mine on mine.id = ($1::uuid[])[d.run]
    ${onConflict}
  ), stored_events as (
    insert into run_events (run_id, number, at, turn, name, severity, agent, payload)
    select mine.id, e.number, to_timestamp(e.at / 1000), e.turn, e.name, e.severity, nullif(e.agent, ''), e.payload
    from unnest($13::int[], $14::int[], $15::int[], $16::float8[], string_to_array($17, E'\\n'),
      string_to_array($18, E'\\n'), string_to_array($19, E'\\n'), string_to_array($20, E'\\n'))
      as e (run, number, turn, at, name, severity, agent, payload)
    join mine on mine.id = ($1::uuid[])[e.run]
    ${onConflict}
  )
  select id, cancelled, (select count(pg_notify('${changesChannel}', text)) from unnest($12::text[]) as text) as told
  from mine`;

export function announcements(serverId: string | null, reaches: readonly RunReach[]): string[] {
  const texts: string[] = [];
  for (let start = 0; start < reaches.length; start += announcementRuns) {
    const runs = reaches.slice(start, start + announcementRuns);
    texts.push(JSON.stringify({ type: 'run-appended', serverId, runs } satisfies Change));
  }
  return texts;
}

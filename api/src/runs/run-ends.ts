import type { Course } from '../agent/course.ts';
import { changesChannel } from '../store/changes.ts';
import { Gathered } from '../store/gathered.ts';
import { retrying } from '../store/retry.ts';
import { isPassing, type Sql } from '../store/sql.ts';

/** How a run ended, and what is kept of it. */
export interface RunEnd {
  readonly runId: string;
  readonly reason: string;
  readonly ending: string;
  readonly turns: number;
  readonly tokens: number;
  readonly at: string;
  readonly seq: number;
  readonly doneBody: string;
  readonly answer: string;
  readonly partial: boolean;
  readonly toolCalls: string;
  readonly sources: string;
  readonly durationMs: number;
  readonly warned: number;
  readonly course: Course;
  /** Nobody was reading: it goes into the person's inbox. */
  readonly unwatched?: boolean;
}

/** Whether the run has ended, and, if it was to go there, whether the inbox has it. */
export interface EndedRun {
  readonly ended: boolean;
  readonly noted: boolean;
}

/** All of a statement wait for the last of them. */
const mostTogether = 32;
/** Several times what a statement takes. */
const headStartMs = 50;

/**
 * Ends runs, those that end at the same time in one statement and with one commit. One that goes into an inbox is ended
 * by itself: an inbox in trouble is waited for, and that is nothing to the others.
 */
export class RunEnds {
  readonly #watched: Gathered<RunEnd, EndedRun>;
  readonly #unwatched: Gathered<RunEnd, EndedRun>;

  /** Tries for as long as the database is away, until the signal is aborted. */
  constructor(sql: Sql, serverId: string, stopped: AbortSignal) {
    const endAll = (ends: readonly RunEnd[]) => retrying(() => endRuns(sql, serverId, ends), stopped);
    this.#watched = new Gathered(endAll, { most: mostTogether, headStartMs, isOwnFault: (error) => !isPassing(error) });
    this.#unwatched = new Gathered(endAll, { most: 1 });
  }

  async end(end: RunEnd): Promise<EndedRun> {
    const ended = await (end.unwatched ? this.#unwatched : this.#watched).find(end);
    return ended ?? { ended: false, noted: true };
  }
}

/** Ends those that this server still owns, in one transaction. Says so as well when asked again after a lost answer. */
export async function endRuns(
  sql: Sql,
  serverId: string,
  ends: readonly RunEnd[],
): Promise<ReadonlyMap<RunEnd, EndedRun>> {
  const rows = await sql.query<EndRow>('end-runs', finish, [JSON.stringify(ends.map(rowOf)), serverId]);
  const found = new Map(rows.map((row) => [row.run_id, row]));
  return new Map(
    ends.map((end) => {
      const row = found.get(end.runId);
      return [end, { ended: row?.ended === true, noted: row?.noted !== false }];
    }),
  );
}

interface EndRow {
  readonly run_id: string;
  readonly ended: boolean;
  readonly noted: boolean | null;
}

/** A run has to end, whatever was counted in it: numbers are made to fit their columns. */
function rowOf(end: RunEnd): object {
  const { runId, doneBody, toolCalls, turns, tokens, durationMs, course, ...rest } = end;
  return {
    ...rest,
    run_id: runId,
    done_body: doneBody,
    tool_calls: toolCalls,
    turns: storable(turns),
    tokens: storable(tokens),
    duration_ms: storable(durationMs),
    course_tokens: course.tokens.map(storable),
    course_needed: course.needed.map(storable),
    course_ms: course.elapsedMs.map(storable),
    course_calls: course.calls.map(storable),
  };
}

const largestInteger = 2 ** 31 - 1;

/** What is no number at all counts as nothing. */
function storable(value: number): number {
  if (value > largestInteger) return largestInteger;
  return value > 0 ? Math.floor(value) : 0;
}

/** Announces only what it ended: whoever was told of a chunk that is not there would look for it again and again. */
const finish = `
  with asked as materialized (
    select * from json_to_recordset($1::json) as a (
      run_id uuid, reason text, ending text, turns integer, tokens integer, at timestamptz, seq integer, done_body text,
      answer text, partial boolean, tool_calls text, sources text, duration_ms integer, warned smallint,
      course_tokens integer[], course_needed integer[], course_ms integer[], course_calls integer[], unwatched boolean
    )
  ), ended as (
    update runs r set status = 'ENDED', reason = a.reason, ending = a.ending, turns = a.turns, tokens = a.tokens,
      ended_at = a.at, last_seq = a.seq, duration_ms = a.duration_ms, warned = a.warned,
      course_tokens = a.course_tokens, course_needed = a.course_needed, course_ms = a.course_ms,
      course_calls = a.course_calls
    from asked a where r.id = a.run_id and r.owner = $2 and r.status = 'RUNNING'
    returning r.id, r.user_id, r.question, r.conversation_id, r.node_id
  ), done as (
    insert into run_chunks (run_id, seq, at, type, body)
    select id, a.seq, a.at, 'DoneChunk', a.done_body from ended join asked a on a.run_id = id
  ), filled as (
    update exchanges e
    set answer = a.answer, partial = a.partial, tool_calls = a.tool_calls, sources = a.sources, ending = a.ending
    from ended join asked a on a.run_id = ended.id where e.id = ended.node_id
  ), moved as (
    update conversations c set updated_at = greatest(c.updated_at, a.at), kept_head_run_id = null,
      head_id = case when c.kept_head_run_id = ended.id then c.head_id else ended.node_id end
    from ended join asked a on a.run_id = ended.id where c.id = ended.conversation_id
  ), left_for_later as (
    select id, note_run_ended(user_id, id, a.reason, question) as noted
    from ended join asked a on a.run_id = id where a.unwatched
  ), told as (
    select count(pg_notify('${changesChannel}', json_build_object(
      'type', 'run-appended', 'serverId', $2, 'runs', (
        select json_agg(json_build_array(id, a.seq)) from ended join asked a on a.run_id = id
      ))::text)) as times
    where exists (select from ended)
  )
  select a.run_id, later.noted, (select times from told) as told,
    ended.id is not null
      or coalesce((select r.owner = $2 and r.status = 'ENDED' from runs r where r.id = a.run_id), false) as ended
  from asked a
  left join ended on ended.id = a.run_id
  left join left_for_later later on later.id = a.run_id`;

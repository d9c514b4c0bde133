import type { Chunk, ChunkBody } from '../agent/chunk.ts';
import type { Decision } from '../agent/steps.ts';
import type { Sql } from '../store/sql.ts';
import type { HeldChunk } from './inbox.ts';
import { type Recorded, Transcript } from './transcript.ts';

/** A page ends at either, so that a reader costs bounded memory whatever the run produced, and no page much time. */
const pageChunks = 200;
const pageBytes = 512 * 1024;

export interface LogPage {
  readonly chunks: readonly HeldChunk[];
  /** How far the log goes; read in one snapshot with the chunks and the status. */
  readonly last: number;
  readonly ended: boolean;
}

/** The next chunks after a seq; a seq beyond the log's end is taken for its end. Undefined when there is no such run. */
export async function readPage(sql: Sql, runId: string, after: number): Promise<LogPage | undefined> {
  const rows = await sql.query<PageRow>('log-page', page, [runId, after, pageChunks, pageBytes]);
  const [first] = rows;
  if (!first) return undefined;
  return {
    chunks: rows.flatMap((row) => (row.body === null ? [] : [heldChunk(runId, row.seq, row.at_ms, row.body)])),
    last: first.last,
    ended: first.status === 'ENDED',
  };
}

interface PageRow {
  readonly status: string;
  readonly last: number;
  readonly seq: number;
  readonly at_ms: number;
  readonly body: string | null;
}

const page = `
  select r.status, log.last, c.seq, (extract(epoch from c.at) * 1000)::float8 as at_ms, c.body
  from runs r
  cross join lateral (select coalesce(max(seq), 0) as last from run_chunks where run_id = r.id) log
  left join lateral (
    select seq, at, body
    from (
      select seq, at, body, sum(octet_length(body)) over (order by seq) - octet_length(body) as before
      from (
        select seq, at, body from run_chunks
        where run_id = r.id and seq > least($2, log.last) order by seq limit $3
      ) counted
    ) sized
    where before < $4
  ) c on true
  where r.id = $1
  order by c.seq`;

function heldChunk(runId: string, seq: number, atMs: number, body: string): HeldChunk {
  const parsed: ChunkBody = JSON.parse(body);
  return { chunk: { ...parsed, runId, seq, fromSeq: seq, at: new Date(atMs).toISOString() }, size: body.length };
}

/** What was done rather than said: tool calls, their results and the sizes of requests, in order. */
export async function readWork(sql: Sql, runId: string): Promise<readonly Chunk[]> {
  const rows = await sql.query<{ seq: number; at_ms: number; body: string }>('work', work, [runId, mostWork]);
  return rows.map(({ seq, at_ms, body }) => heldChunk(runId, seq, at_ms, body).chunk);
}

const mostWork = 5_000;

const work = `
  select seq, (extract(epoch from at) * 1000)::float8 as at_ms, body from run_chunks
  where run_id = $1 and type in ('ToolCallChunk', 'ToolResultChunk', 'ContextChunk') order by seq limit $2`;

export async function readLastSeqs(sql: Sql, runIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.query<{ id: string; last: number }>('last-seqs', lastSeqs, [runIds]);
  return new Map(rows.map(({ id, last }) => [id, last]));
}

const lastSeqs = `
  select r.id, coalesce(r.last_seq, (select max(seq) from run_chunks where run_id = r.id), 0) as last
  from runs r where r.id = any($1::uuid[])`;

/** A decision as it is stored: when it was made, and how far the log went then. Those of earlier versions lack both. */
export interface RecordedDecision extends Omit<Decision, 'tokens'> {
  readonly tokens?: number;
  readonly at?: string;
  readonly seq?: number;
}

export async function readDecisions(sql: Sql, runId: string): Promise<readonly RecordedDecision[]> {
  const rows = await sql.query<{ trace: string }>('decisions', decisions, [runId]);
  return rows.map(({ trace }) => JSON.parse(trace));
}

const decisions = 'select trace from run_decisions where run_id = $1 order by number';

/** The exchanges of runs as far as their stored logs tell them. */
export async function readRecords(sql: Sql, runIds: readonly string[]): Promise<ReadonlyMap<string, Recorded>> {
  const rows = await sql.query<{ run_id: string; body: string }>('records', records, [runIds]);
  const found = new Map(runIds.map((id) => [id, new Transcript()]));
  for (const { run_id, body } of rows) found.get(run_id)?.add(JSON.parse(body));
  return new Map(
    [...found].map(([id, { answer, toolCalls, sources }]) => [id, { answer, toolCalls, sources }] as const),
  );
}

const records = `
  select run_id, body from run_chunks
  where run_id = any($1::uuid[]) and type in ('ContentChunk', 'ToolCallChunk', 'ToolResultChunk', 'SourceChunk')
  order by run_id, seq`;

import type { Chunk } from '../agent/chunk.ts';
import type { Sql } from '../store/sql.ts';
import { readDecisions } from './log-reading.ts';
import type { RunRecord } from './run-store.ts';
import { buildTimeline, type TimelineTurn, turnMarks, type Written } from './timeline.ts';

/**
 * When what happened in a run, turn by turn. Of words and thoughts only the times are read, so that a long answer costs
 * no more than a short one.
 */
export async function readTimeline(sql: Sql, run: RunRecord): Promise<readonly TimelineTurn[]> {
  const decisions = await readDecisions(sql, run.id);
  const times = {
    startedAt: run.startedAt.getTime(),
    endedAt: run.endedAt?.getTime(),
    tokens: run.tokens ?? undefined,
  };
  const rows = await sql.query<ChunkRow>('timeline-chunks', chunksOf, [run.id]);
  const chunks = rows.map((row) => chunkOf(run.id, row));
  const marks = turnMarks(decisions, times, chunks);
  const starts = marks.map(({ afterSeq }) => afterSeq + 1);
  const written = starts.length === 0 ? [] : await sql.query<WrittenRow>('timeline-words', wordsIn, [run.id, starts]);
  return buildTimeline(
    marks,
    chunks,
    written.map(
      ({ bucket, first_ms, last_ms }): Written => ({ place: bucket - 1, firstAt: first_ms, lastAt: last_ms }),
    ),
  );
}

interface ChunkRow {
  readonly seq: number;
  readonly at_ms: number;
  readonly body: string;
}

interface WrittenRow {
  readonly bucket: number;
  readonly first_ms: number;
  readonly last_ms: number;
}

const milliseconds = (at: string) => `(extract(epoch from ${at}) * 1000)::float8`;

const chunksOf = `
  select seq, ${milliseconds('at')} as at_ms, body from run_chunks
  where run_id = $1 and (type in ('ToolCallChunk', 'ToolResultChunk') or (type = 'SystemChunk' and body like '%"agent":%'))
  order by seq`;

/** Which turn each belongs to is told by the seqs at which the turns begin. */
const wordsIn = `
  select width_bucket(seq, $2::int[]) as bucket, min(${milliseconds('at')}) as first_ms, max(${milliseconds('at')}) as last_ms
  from run_chunks
  where run_id = $1 and type in ('ContentChunk', 'ThinkingChunk') and seq >= ($2::int[])[1]
  group by 1`;

function chunkOf(runId: string, { seq, at_ms, body }: ChunkRow): Chunk {
  return { ...JSON.parse(body), runId, seq, at: new Date(at_ms).toISOString() };
}

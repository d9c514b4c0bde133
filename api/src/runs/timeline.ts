import type { Chunk } from '../agent/chunk.ts';
import type { Json } from '../agent/json.ts';
import type { RecordedDecision } from './log-reading.ts';

export type CallStatus = 'WAITING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'NOT_RUN';

/** A tool call of a turn, the oracle's own or that of a sub-agent. Times are milliseconds since 1970. */
export interface TimelineCall {
  readonly callId: string;
  readonly name: string;
  readonly agent: string | undefined;
  readonly arguments: Json;
  readonly status: CallStatus;
  readonly requestedAt: number;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly durationMs: number | undefined;
  readonly result: Json | undefined;
  readonly error: string | undefined;
}

/** From the first to the last that was heard of a sub-agent in a turn. */
export interface TimelineAgent {
  readonly agent: string;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  /** What was told about its work. */
  readonly notes: readonly string[];
}

export interface TimelineTurn {
  readonly turn: number;
  readonly startedAt: number;
  /** The first that the model was heard of: a word, a thought or a tool call. */
  readonly firstTokenAt: number | undefined;
  readonly modelEndedAt: number | undefined;
  readonly endedAt: number | undefined;
  /** Tokens that it took, sub-agents' included. */
  readonly tokens: number | undefined;
  readonly calls: readonly TimelineCall[];
  readonly agents: readonly TimelineAgent[];
}

/** A turn, as the decisions tell it: it begins with one to go on, and ends with the next. */
export interface TurnMark {
  readonly turn: number;
  /** Its chunks come after this seq. */
  readonly afterSeq: number;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  readonly tokens: number | undefined;
}

/** When words or thoughts were first and last written in a turn, by its place among the marks. */
export interface Written {
  readonly place: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

export interface RunTimes {
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  readonly tokens: number | undefined;
}

/** Decisions of earlier versions know how long the run had taken, but not where the log stood: its tool calls tell. */
export function turnMarks(
  decisions: readonly RecordedDecision[],
  run: RunTimes,
  chunks: readonly Chunk[],
): readonly TurnMark[] {
  return decisions.flatMap((decision, index) => {
    if (!decision.verdict.continue) return [];
    const next = decisions[index + 1];
    const startedAt = timeOf(decision, run);
    const ended = next ? timeOf(next, run) : run.endedAt;
    const used = next ? next.tokens : run.tokens;
    return [
      {
        turn: decision.turn + 1,
        afterSeq: decision.seq ?? lastSeqOf(chunks, decision.turn),
        startedAt,
        endedAt: ended,
        tokens: used === undefined || decision.tokens === undefined ? undefined : used - decision.tokens,
      },
    ];
  });
}

function timeOf({ at, evaluations }: RecordedDecision, { startedAt }: RunTimes): number {
  if (at !== undefined) return Date.parse(at);
  return startedAt + 1_000 * (evaluations.find(({ reason }) => reason === 'TIMEOUT')?.value ?? 0);
}

/** Where the log stood when the tools of this turn had answered. */
function lastSeqOf(chunks: readonly Chunk[], turn: number): number {
  let last = 0;
  const open = new Set<string>();
  for (const chunk of chunks) {
    if (chunk.agent !== undefined) continue;
    if (chunk.type === 'ToolCallChunk' && chunk.turn <= turn) open.add(chunk.callId);
    else if (chunk.type !== 'ToolResultChunk' || !open.delete(chunk.callId)) continue;
    last = chunk.seq;
  }
  return last;
}

/** Puts the chunks of a log, in order, into its turns. */
export function buildTimeline(
  marks: readonly TurnMark[],
  chunks: readonly Chunk[],
  written: readonly Written[],
): readonly TimelineTurn[] {
  const words = new Map(written.map((one) => [one.place, one]));
  let next = 0;
  return marks.map((mark, index) => {
    const until = marks[index + 1]?.afterSeq ?? Number.POSITIVE_INFINITY;
    const own: Chunk[] = [];
    for (; next < chunks.length && (chunks[next]?.seq ?? 0) <= until; next++) {
      const chunk = chunks[next];
      if (chunk && chunk.seq > mark.afterSeq) own.push(chunk);
    }
    return turnOf(mark, own, words.get(index));
  });
}

function turnOf(mark: TurnMark, chunks: readonly Chunk[], written: Written | undefined): TimelineTurn {
  const calls = callsOf(chunks);
  const called = calls.find(({ agent }) => agent === undefined)?.requestedAt;
  const { turn, startedAt, endedAt, tokens } = mark;
  return {
    turn,
    startedAt,
    firstTokenAt: earliest(written?.firstAt, called),
    modelEndedAt: called ?? endedAt,
    endedAt,
    tokens,
    calls,
    agents: agentsOf(chunks, endedAt),
  };
}

/** Results wait for those before them to be told, so that a call's end is told by how long it took. */
function callsOf(chunks: readonly Chunk[]): readonly TimelineCall[] {
  const calls = new Map<string, TimelineCall>();
  for (const chunk of chunks) {
    const at = Date.parse(chunk.at);
    if (chunk.type === 'ToolCallChunk') {
      const known = calls.get(chunk.callId);
      const begun = chunk.status === 'RUNNING' ? at : known?.startedAt;
      calls.set(chunk.callId, {
        callId: chunk.callId,
        name: chunk.name,
        agent: chunk.agent,
        arguments: chunk.arguments,
        status: chunk.status === 'PENDING' ? 'WAITING' : chunk.status,
        requestedAt: known?.requestedAt ?? at,
        startedAt: begun,
        endedAt: chunk.status === 'NOT_RUN' ? at : undefined,
        durationMs: undefined,
        result: undefined,
        error: undefined,
      });
    }
    if (chunk.type === 'ToolResultChunk') {
      const known = calls.get(chunk.callId);
      if (!known) continue;
      const { durationMs, ok, result, error } = chunk;
      const endedAt = known.startedAt === undefined ? at : Math.min(at, known.startedAt + durationMs);
      calls.set(chunk.callId, { ...known, status: ok ? 'SUCCEEDED' : 'FAILED', endedAt, durationMs, result, error });
    }
  }
  return [...calls.values()];
}

function agentsOf(chunks: readonly Chunk[], turnEndedAt: number | undefined): readonly TimelineAgent[] {
  const byAgent = Map.groupBy(
    chunks.filter(({ agent }) => agent !== undefined),
    ({ agent = '' }) => agent,
  );
  return [...byAgent].map(([agent, own]) => {
    const times = own.map(({ at }) => Date.parse(at));
    const notes = own.flatMap((chunk) => (chunk.type === 'SystemChunk' ? [chunk.message] : []));
    const atWork = turnEndedAt === undefined && chunks.at(-1)?.agent === agent;
    return { agent, startedAt: Math.min(...times), endedAt: atWork ? undefined : Math.max(...times), notes };
  });
}

function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

import type { OracleChunk } from './chunk.ts';
import type { OracleClient } from './client.ts';
import { followRun } from './conformance-reading.ts';

/** By rule, what breaks it; undefined where it is kept. */
export type Findings = Readonly<Record<string, string | undefined>>;

/** What one stream must look like. */
export function streamRules(chunks: readonly OracleChunk[]): Findings {
  return {
    'seq counts 1, 2, 3… without gaps': gapIn(chunks),
    'there is exactly one DoneChunk, and it comes last': doneProblem(chunks),
    'all chunks belong to one run': new Set(chunks.map(({ runId }) => runId)).size === 1 ? undefined : 'several runs',
    'every tool call is asked for, run or not run, then answered': toolProblem(chunks),
  };
}

/** A run read again, whole and from every seq on. */
export async function resumeRules(oracle: OracleClient, live: readonly OracleChunk[]): Promise<Findings> {
  const runId = live[0]?.runId ?? '';
  const replay = await followRun(oracle, runId, 0);
  let resume: string | undefined;
  for (const { seq } of replay.slice(0, -1)) {
    const rest = await followRun(oracle, runId, seq);
    if (told(rest) !== told(replay.filter((one) => one.seq > seq))) resume ??= `after ${seq} it is not the rest`;
  }
  return {
    'replay equals live': told(replay) === told(live) ? undefined : 'the run reads differently the second time',
    'a run can be resumed at every seq': resume,
  };
}

/** A run that is cancelled while it is under way. */
export async function cancelRules(oracle: OracleClient): Promise<Findings> {
  const run = oracle.ask({ question: 'On and on.', model: 'simulated/slow' });
  const runId = await run.id;
  const [first, second] = [await oracle.runs.cancel(runId), await oracle.runs.cancel(runId)];
  const { ending } = await run.result();
  const reasonProblem = ending.reason === 'CANCELLED' ? undefined : `it ended as ${ending.reason}`;
  return {
    'cancelling ends a run as CANCELLED': reasonProblem,
    'the first cancel answers true, the next false': first && !second ? undefined : `${first}, then ${second}`,
    'a cancelled run can be read again': doneProblem(await followRun(oracle, runId, 0)),
  };
}

function gapIn(chunks: readonly OracleChunk[]): string | undefined {
  let last = 0;
  for (const { fromSeq, seq } of chunks) {
    if (fromSeq !== last + 1 || seq < fromSeq) return `${last} is followed by ${fromSeq}`;
    last = seq;
  }
  return chunks.length > 0 ? undefined : 'nothing came';
}

function doneProblem(chunks: readonly OracleChunk[]): string | undefined {
  const places = chunks.flatMap(({ __typename }, index) => (__typename === 'DoneChunk' ? [index] : []));
  if (places.length !== 1) return `there are ${places.length}`;
  return places[0] === chunks.length - 1 ? undefined : 'something follows it';
}

function toolProblem(chunks: readonly OracleChunk[]): string | undefined {
  const states = new Map<string, string>();
  for (const chunk of chunks) {
    if (chunk.__typename === 'ToolCallChunk') {
      const before = states.get(chunk.callId);
      const fits = chunk.status === 'PENDING' ? before === undefined : before === 'PENDING';
      if (!fits) return `${chunk.name} became ${chunk.status} after ${before ?? 'nothing'}`;
      states.set(chunk.callId, chunk.status);
    } else if (chunk.__typename === 'ToolResultChunk') {
      const before = states.get(chunk.callId);
      if (before === undefined || before === 'answered')
        return `${chunk.name} was answered after ${before ?? 'nothing'}`;
      states.set(chunk.callId, 'answered');
    }
  }
  const open = [...states.values()].filter((state) => state !== 'answered').length;
  return open === 0 ? undefined : `${open} calls were never answered`;
}

/** Adjacent deltas may be merged for a slow reader, so they are compared as one. */
function told(chunks: readonly OracleChunk[]): string {
  const parts: [string, string][] = [];
  for (const chunk of chunks) {
    const last = parts.at(-1);
    const isText = chunk.__typename === 'ContentChunk' || chunk.__typename === 'ThinkingChunk';
    if (isText && last?.[0] === chunk.__typename) last[1] += chunk.text;
    else parts.push([chunk.__typename, isText ? chunk.text : JSON.stringify(chunk)]);
  }
  return JSON.stringify(parts);
}

import type { ResultShape } from '../agent/delegation.ts';
import type { UnfinishedTool } from '../agent/ending.ts';
import type { Json } from '../agent/json.ts';
import type { Source, ToolContext, ToolScope } from '../tools/tool.ts';
import type { Job } from './tool-plan.ts';
import { errorMessage, plainResult } from './tool-result.ts';

/** How long a tool that was told to stop may take to say so. */
const graceMs = 50;
const mostSources = 50;
const longestSnippet = 500;

export interface FinishedJob {
  readonly ending:
    | { readonly status: 'succeeded'; readonly result: Json }
    | { readonly status: 'failed'; readonly error: string };
  readonly sources: readonly Source[];
  readonly shape: ResultShape | undefined;
  readonly durationMs: number;
  /** Set when it had to be told to stop. */
  readonly fate: UnfinishedTool['fate'] | undefined;
}

type Ending = FinishedJob['ending'];
type Interruption = 'run-stopped' | 'time-up';

/** Runs one tool until it answers, its time is up or the run stops. Never rejects; what comes later is dropped. */
export async function runTool(job: Job, scope: ToolScope, stop: AbortSignal): Promise<FinishedJob> {
  const started = performance.now();
  const told = new AbortController();
  const sources: Source[] = [];
  let shape: ResultShape | undefined;
  const cite = (source: Source) => {
    if (sources.length < mostSources) sources.push(bounded(source));
  };
  const describe = (consists: ResultShape) => {
    shape = consists;
  };

  const finishing = finish(job, { ...scope, signal: told.signal, cite, describe });
  const interruption = interrupted(job.tool.timeoutMs, stop);
  const first = await Promise.race([finishing, interruption.happened]);
  interruption.forget();
  if (typeof first === 'object') return finished(first);

  told.abort(new DOMException(first === 'time-up' ? 'The time is up.' : 'The run was stopped.', 'AbortError'));
  const last = await Promise.race([finishing, pause(graceMs)]);
  if (last?.status === 'succeeded') return finished(last, 'finished');
  const fate = last === undefined ? 'unknown' : 'stopped';
  return finished({ status: 'failed', error: explainInterruption(job, first, fate) }, fate);

  function finished(ending: Ending, fate?: FinishedJob['fate']): FinishedJob {
    return {
      ending,
      sources: ending.status === 'succeeded' ? [...sources] : [],
      shape,
      durationMs: Math.round(performance.now() - started),
      fate,
    };
  }
}

async function finish(job: Job, context: ToolContext): Promise<Ending> {
  try {
    return { status: 'succeeded', result: plainResult(await job.run(context)) };
  } catch (error) {
    return { status: 'failed', error: errorMessage(error) };
  }
}

function interrupted(timeoutMs: number, stop: AbortSignal) {
  const { promise: happened, resolve } = Promise.withResolvers<Interruption>();
  const onStop = () => resolve('run-stopped');
  const timer = setTimeout(() => resolve('time-up'), timeoutMs);
  stop.addEventListener('abort', onStop);
  if (stop.aborted) onStop();
  return {
    happened,
    forget() {
      clearTimeout(timer);
      stop.removeEventListener('abort', onStop);
    },
  };
}

function explainInterruption({ tool }: Job, interruption: Interruption, fate: 'stopped' | 'unknown'): string {
  const doubt =
    fate === 'unknown' && tool.sideEffect ? ' Whether it took effect is not known: check before repeating it.' : '';
  const what =
    interruption === 'time-up'
      ? `${tool.name} did not answer within ${tool.timeoutMs / 1_000} s.`
      : `${tool.name} was stopped before it finished, because the run ended.`;
  return what + doubt;
}

function bounded(source: Source): Source {
  const { snippet } = source;
  return snippet === undefined ? source : { ...source, snippet: snippet.slice(0, longestSnippet).toWellFormed() };
}

function pause(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

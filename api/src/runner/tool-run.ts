import type { ResultShape } from '../agent/delegation.ts';
import type { UnfinishedTool } from '../agent/ending.ts';
import type { Json } from '../agent/json.ts';
import type { Source, ToolContext, ToolScope } from '../tools/tool.ts';
import { LateTimer } from './late-timer.ts';
import { onAbort } from './on-abort.ts';
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
  /** It failed because its own time was up. */
  readonly timedOut: boolean;
}

type Ending = FinishedJob['ending'];
type Interruption = 'run-stopped' | 'time-up';

/** Runs one tool until it answers, its time is up or the run stops. Never rejects; what comes later is dropped. */
export async function runTool(job: Job, scope: ToolScope, stop: AbortSignal): Promise<FinishedJob> {
  const started = performance.now();
  const told = new LateSignal();
  const sources: Source[] = [];
  let shape: ResultShape | undefined;
  const context: ToolContext = {
    ...scope,
    get signal() {
      return told.signal;
    },
    cite(source) {
      if (sources.length < mostSources) sources.push(bounded(source));
    },
    describe(consists) {
      shape = consists;
    },
  };

  const finishing = finish(job, context);
  const first = await firstOf(finishing, job.tool.timeoutMs, stop);
  if (typeof first === 'object') return finished(first);

  told.abort(new DOMException(first === 'time-up' ? 'The time is up.' : 'The run was stopped.', 'AbortError'));
  const last = await Promise.race([finishing, pause(graceMs)]);
  if (last?.status === 'succeeded') return finished(last, 'finished');
  const fate = last === undefined ? 'unknown' : 'stopped';
  return finished({ status: 'failed', error: explainInterruption(job, first, fate) }, fate, first === 'time-up');

  function finished(ending: Ending, fate?: FinishedJob['fate'], timedOut = false): FinishedJob {
    return {
      ending,
      sources: ending.status === 'succeeded' ? sources.slice() : [],
      shape,
      durationMs: Math.round(performance.now() - started),
      fate,
      timedOut,
    };
  }
}

/** Made when a tool first asks for it: many never do. */
class LateSignal {
  #controller: AbortController | undefined;
  #reason: DOMException | undefined;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  abort(reason: DOMException): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

async function finish(job: Job, context: ToolContext): Promise<Ending> {
  try {
    return { status: 'succeeded', result: plainResult(await job.run(context)) };
  } catch (error) {
    return { status: 'failed', error: errorMessage(error) };
  }
}

/** How the tool ended, or what came before that. */
async function firstOf(
  finishing: Promise<Ending>,
  timeoutMs: number,
  stop: AbortSignal,
): Promise<Ending | Interruption> {
  const { promise, resolve } = Promise.withResolvers<Ending | Interruption>();
  const timer = new LateTimer(timeoutMs, () => resolve('time-up'));
  const forgetStop = onAbort(stop, () => resolve('run-stopped'));
  void finishing.then(resolve);
  const first = await promise;
  timer.cancel();
  forgetStop();
  return first;
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

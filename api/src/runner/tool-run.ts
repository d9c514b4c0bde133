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
export function runTool(job: Job, scope: ToolScope, stop: AbortSignal): Promise<FinishedJob> {
  return new Promise((resolve) => new RunningTool(job, resolve).start(scope, stop));
}

/** One tool at work. It ends once: with its answer, or a moment after it was told to stop. */
class RunningTool {
  readonly #job: Job;
  readonly #conclude: (finished: FinishedJob) => void;
  readonly #started = performance.now();
  readonly #sources: Source[] = [];
  #shape: ResultShape | undefined;
  /** Made when a tool first asks for it: many never do. */
  #controller: AbortController | undefined;
  #told: { readonly cause: Interruption; readonly reason: DOMException } | undefined;
  #grace: NodeJS.Timeout | undefined;
  #timer: LateTimer | undefined;
  #forgetStop: (() => void) | undefined;
  #ended = false;

  constructor(job: Job, conclude: (finished: FinishedJob) => void) {
    this.#job = job;
    this.#conclude = conclude;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#told) this.#controller.abort(this.#told.reason);
    return this.#controller.signal;
  }

  cite(source: Source): void {
    if (this.#sources.length < mostSources) this.#sources.push(bounded(source));
  }

  describe(shape: ResultShape): void {
    this.#shape = shape;
  }

  start(scope: ToolScope, stop: AbortSignal): void {
    this.#run(new CallContext(scope, this.#job.callId, this)).then(
      (value) => this.#answer(value),
      (error: unknown) => this.#take({ status: 'failed', error: errorMessage(error) }),
    );
    this.#timer = new LateTimer(this.#job.tool.timeoutMs, () => this.#interrupt('time-up'));
    this.#forgetStop = onAbort(stop, () => this.#interrupt('run-stopped'));
  }

  #run(context: ToolContext): Promise<unknown> {
    try {
      return Promise.resolve(this.#job.run(context));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #answer(value: unknown): void {
    let ending: Ending;
    try {
      ending = { status: 'succeeded', result: plainResult(value) };
    } catch (error) {
      ending = { status: 'failed', error: errorMessage(error) };
    }
    this.#take(ending);
  }

  #take(ending: Ending): void {
    if (!this.#told) this.#end(ending, undefined);
    else if (ending.status === 'succeeded') this.#end(ending, 'finished');
    else this.#giveUp(this.#told.cause, 'stopped');
  }

  #interrupt(cause: Interruption): void {
    if (this.#ended || this.#told) return;
    const reason = new DOMException(cause === 'time-up' ? 'The time is up.' : 'The run was stopped.', 'AbortError');
    this.#told = { cause, reason };
    this.#grace = setTimeout(() => this.#giveUp(cause, 'unknown'), graceMs);
    this.#controller?.abort(reason);
  }

  #giveUp(cause: Interruption, fate: 'stopped' | 'unknown'): void {
    const error = explainInterruption(this.#job, cause, fate);
    this.#end({ status: 'failed', error }, fate, cause === 'time-up');
  }

  #end(ending: Ending, fate: FinishedJob['fate'], timedOut = false): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#grace);
    this.#timer?.cancel();
    this.#forgetStop?.();
    this.#conclude({
      ending,
      sources: ending.status === 'succeeded' ? this.#sources.slice() : [],
      shape: this.#shape,
      durationMs: Math.round(performance.now() - this.#started),
      fate,
      timedOut,
    });
  }
}

/** What a tool is given. Its methods may be taken off it. */
class CallContext implements ToolContext {
  readonly projectId: string;
  readonly userId: string;
  readonly vault: ToolScope['vault'];
  readonly code: ToolScope['code'];
  readonly threads: ToolScope['threads'];
  readonly askLibrarian: ToolScope['askLibrarian'];
  readonly notifySelf: ToolScope['notifySelf'];
  readonly runId: string | undefined;
  readonly callId: string;
  readonly cite: ToolContext['cite'] = (source) => this.#running.cite(source);
  readonly describe: ToolContext['describe'] = (shape) => this.#running.describe(shape);
  readonly #running: RunningTool;

  constructor(scope: ToolScope, callId: string, running: RunningTool) {
    this.projectId = scope.projectId;
    this.userId = scope.userId;
    this.vault = scope.vault;
    this.code = scope.code;
    this.threads = scope.threads;
    this.askLibrarian = scope.askLibrarian;
    this.notifySelf = scope.notifySelf;
    this.runId = scope.runId;
    this.callId = callId;
    this.#running = running;
  }

  get signal(): AbortSignal {
    return this.#running.signal;
  }
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

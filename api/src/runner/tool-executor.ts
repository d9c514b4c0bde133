import type { UnfinishedTool } from '../agent/ending.ts';
import type { ToolCall } from '../agent/tool-call.ts';
import type { Source } from '../tools/tool.ts';
import { onAbort } from './on-abort.ts';
import type { ToolAnswer, ToolExecution, ToolExecutionResult } from './tool-execution.ts';
import { type Job, type Plan, type PlannedCall, planCalls } from './tool-plan.ts';
import { errorMessage } from './tool-result.ts';
import { type FinishedJob, runTool } from './tool-run.ts';

const longestTimer = 2_147_483_647;
const runEnded = 'Not run: the run ended first.';

/**
 * Runs the tool calls of one turn. Never rejects: whatever a tool does, every call gets an answer, and no later than a
 * moment after the signal.
 */
export function executeTools(execution: ToolExecution): Promise<ToolExecutionResult> {
  return new CallsOfTurn(execution).run();
}

class CallsOfTurn {
  readonly #execution: ToolExecution;
  readonly #plan: Plan;
  readonly #answers: AnswersInOrder;
  readonly #unfinished: UnfinishedTool[] = [];
  readonly #stop: StopSignal;

  constructor(execution: ToolExecution) {
    this.#execution = execution;
    this.#plan = planCalls(execution);
    this.#answers = new AnswersInOrder(this.#plan.calls.length, execution.report);
    this.#stop = stopSignal(execution.signal, execution.deadline);
  }

  async run(): Promise<ToolExecutionResult> {
    const { limits, report } = this.#execution;
    const { calls, jobs, overLimit } = this.#plan;
    for (const { call } of calls) report({ type: 'call-pending', call });
    if (jobs.length < calls.length)
      calls.forEach((planned, place) => {
        if (planned.type !== 'runs') this.#answers.give(place, immediateAnswer(planned));
      });
    await inParallel(jobs, limits.maxParallelTools, this.#stop.signal, this);
    this.#stop.forget?.();
    if (!this.#answers.complete)
      calls.forEach((planned, place) => {
        if (!this.#answers.has(place)) this.#answers.give(place, notRun(planned, runEnded));
      });
    return { answers: this.#answers.all(), unfinished: this.#unfinished, overLimit };
  }

  /** Runs one tool, for all calls that share its answer. */
  async work(job: Job): Promise<void> {
    const { digest, scope, report } = this.#execution;
    const { calls } = this.#plan;
    for (const place of job.places) {
      const planned = calls[place];
      if (planned) report({ type: 'call-running', call: planned.call });
    }
    const ran = await runTool(job, scope, this.#stop.signal);
    const [firstPlace = 0] = job.places;
    const finished = digest ? await this.#digested(digest, ran, calls[firstPlace]?.call) : ran;
    for (const place of job.places) {
      const planned = calls[place];
      if (!planned) continue;
      const first = place === firstPlace;
      if (first && finished.fate)
        this.#unfinished.push({ callId: planned.call.callId, name: planned.call.name, fate: finished.fate });
      this.#answers.give(place, answerOf(planned, finished), first ? finished.sources : noSources);
    }
  }

  /** Its tool has finished, whatever becomes of the digest; making it takes part of the time. */
  async #digested(
    digest: NonNullable<ToolExecution['digest']>,
    finished: FinishedJob,
    call: ToolCall | undefined,
  ): Promise<FinishedJob> {
    const { ending, shape, sources } = finished;
    if (!call || ending.status !== 'succeeded') return finished;
    const started = performance.now();
    const result = await digest({ call, result: ending.result, shape, sources }, this.#stop.signal);
    if (result === ending.result) return finished;
    const durationMs = finished.durationMs + Math.round(performance.now() - started);
    return { ...finished, ending: { ...ending, result }, durationMs };
  }
}

const noSources: readonly Source[] = [];

/** Holds each answer back until all before it are given. */
class AnswersInOrder {
  readonly #answers: (ToolAnswer | undefined)[];
  readonly #sources: (readonly Source[])[] = [];
  readonly #report: ToolExecution['report'];
  #next = 0;

  constructor(count: number, report: ToolExecution['report']) {
    this.#answers = new Array(count);
    this.#report = report;
  }

  /** All are given. */
  get complete(): boolean {
    return this.#next === this.#answers.length;
  }

  give(place: number, answer: ToolAnswer, sources = noSources): void {
    this.#answers[place] = answer;
    this.#sources[place] = sources;
    for (let ready = this.#answers[this.#next]; ready; ready = this.#answers[this.#next]) {
      const cited = this.#sources[this.#next] ?? noSources;
      this.#next += 1;
      this.#report({ type: 'call-answered', answer: ready });
      if (cited.length === 0) continue;
      const { callId, name, arguments: input } = ready.outcome;
      for (const source of cited)
        this.#report({ type: 'source-cited', call: { callId, name, arguments: input }, source });
    }
  }

  has(place: number): boolean {
    return this.#answers[place] !== undefined;
  }

  all(): readonly ToolAnswer[] {
    return this.#answers.filter((answer) => answer !== undefined);
  }
}

/** Starts no job once stopped. */
function inParallel(
  jobs: readonly Job[],
  most: number,
  stop: AbortSignal,
  worker: { work(job: Job): Promise<void> },
): Promise<unknown> {
  const [only] = jobs;
  if (only && jobs.length === 1 && !stop.aborted) return worker.work(only);
  const waiting = [...jobs];
  async function takeTurns(): Promise<void> {
    for (let job = waiting.shift(); job && !stop.aborted; job = waiting.shift()) await worker.work(job);
  }
  return Promise.all(Array.from({ length: Math.min(most, jobs.length) }, takeTurns));
}

interface StopSignal {
  readonly signal: AbortSignal;
  readonly forget?: () => void;
}

/** One signal for both ways in which a run stops. */
function stopSignal(given: AbortSignal, deadline: number): StopSignal {
  const left = deadline === Number.POSITIVE_INFINITY ? deadline : deadline - performance.now();
  if (left > longestTimer) return { signal: given };
  const stop = new AbortController();
  const onStop = () => stop.abort();
  const timer = setTimeout(onStop, Math.max(0, left));
  const forgetStop = onAbort(given, onStop);
  if (left <= 0) onStop();
  return {
    signal: stop.signal,
    forget() {
      clearTimeout(timer);
      forgetStop();
    },
  };
}

function answerOf({ call, repeatable }: PlannedCall, { ending, durationMs, timedOut }: FinishedJob): ToolAnswer {
  if (ending.status === 'failed') {
    const answer = failed(call, repeatable, ending.error, durationMs);
    return timedOut ? { ...answer, timedOut } : answer;
  }
  const { status, result } = ending;
  const { callId, name, arguments: given } = call;
  return { outcome: { callId, name, arguments: given, repeatable, status, result }, reply: result, durationMs };
}

function failed(call: ToolCall, repeatable: boolean, error: string, durationMs: number): ToolAnswer {
  return { outcome: { ...call, repeatable, status: 'failed', error }, reply: error, durationMs };
}

function immediateAnswer(planned: Exclude<PlannedCall, { type: 'runs' }>): ToolAnswer {
  if (planned.type === 'not-run') return notRun(planned, planned.why);
  return failed(planned.call, planned.repeatable, errorMessage(planned.error), 0);
}

function notRun({ call, repeatable }: PlannedCall, why: string): ToolAnswer {
  return { outcome: { ...call, repeatable, status: 'not-run' }, reply: why, durationMs: 0 };
}

import type { UnfinishedTool } from '../agent/ending.ts';
import type { ToolCall } from '../agent/tool-call.ts';
import type { Source } from '../tools/tool.ts';
import { onAbort } from './on-abort.ts';
import type { ToolAnswer, ToolExecution, ToolExecutionResult } from './tool-execution.ts';
import { type Job, type PlannedCall, planCalls } from './tool-plan.ts';
import { errorMessage } from './tool-result.ts';
import { type FinishedJob, runTool } from './tool-run.ts';

const longestTimer = 2_147_483_647;
const runEnded = 'Not run: the run ended first.';

/**
 * Runs the tool calls of one turn. Never rejects: whatever a tool does, every call gets an answer, and no later than a
 * moment after the signal.
 */
export async function executeTools(execution: ToolExecution): Promise<ToolExecutionResult> {
  const { scope, limits, report } = execution;
  const { calls, jobs, overLimit } = planCalls(execution);
  const answers = new AnswersInOrder(calls.length, report);
  const unfinished: UnfinishedTool[] = [];
  const stop = stopSignal(execution.signal, execution.deadline);

  async function work(job: Job): Promise<void> {
    for (const place of job.places) {
      const planned = calls[place];
      if (planned) report({ type: 'call-running', call: planned.call });
    }
    const ran = await runTool(job, scope, stop.signal);
    const [firstPlace = 0] = job.places;
    const finished = execution.digest ? await digested(ran, calls[firstPlace]?.call) : ran;
    for (const place of job.places) {
      const planned = calls[place];
      if (!planned) continue;
      const first = place === firstPlace;
      if (first && finished.fate)
        unfinished.push({ callId: planned.call.callId, name: planned.call.name, fate: finished.fate });
      answers.give(place, answerOf(planned, finished), first ? finished.sources : []);
    }
  }

  /** Its tool has finished, whatever becomes of the digest; making it takes part of the time. */
  async function digested(finished: FinishedJob, call: ToolCall | undefined): Promise<FinishedJob> {
    const { ending, shape, sources } = finished;
    if (!execution.digest || !call || ending.status !== 'succeeded') return finished;
    const started = performance.now();
    const result = await execution.digest({ call, result: ending.result, shape, sources }, stop.signal);
    if (result === ending.result) return finished;
    const durationMs = finished.durationMs + Math.round(performance.now() - started);
    return { ...finished, ending: { ...ending, result }, durationMs };
  }

  for (const { call } of calls) report({ type: 'call-pending', call });
  for (const [place, planned] of calls.entries()) {
    if (planned.type !== 'runs') answers.give(place, immediateAnswer(planned));
  }
  await inParallel(jobs, limits.maxParallelTools, stop.signal, work);
  stop.forget();
  for (const [place, planned] of calls.entries()) {
    if (!answers.has(place)) answers.give(place, notRun(planned, runEnded));
  }
  return { answers: answers.all(), unfinished, overLimit };
}

/** Holds each answer back until all before it are given. */
class AnswersInOrder {
  readonly #answers: (ToolAnswer | undefined)[];
  readonly #sources: (readonly Source[])[] = [];
  #next = 0;

  constructor(
    count: number,
    private readonly report: ToolExecution['report'],
  ) {
    this.#answers = new Array(count);
  }

  give(place: number, answer: ToolAnswer, sources: readonly Source[] = []): void {
    this.#answers[place] = answer;
    this.#sources[place] = sources;
    for (let ready = this.#answers[this.#next]; ready; ready = this.#answers[this.#next]) {
      const { callId, name, arguments: input } = ready.outcome;
      const cited = this.#sources[this.#next] ?? [];
      this.#next += 1;
      this.report({ type: 'call-answered', answer: ready });
      for (const source of cited)
        this.report({ type: 'source-cited', call: { callId, name, arguments: input }, source });
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
  work: (job: Job) => Promise<void>,
): Promise<unknown> {
  const [only] = jobs;
  if (only && jobs.length === 1 && !stop.aborted) return work(only);
  const waiting = [...jobs];
  async function takeTurns(): Promise<void> {
    for (let job = waiting.shift(); job && !stop.aborted; job = waiting.shift()) await work(job);
  }
  return Promise.all(Array.from({ length: Math.min(most, jobs.length) }, takeTurns));
}

/** One signal for both ways in which a run stops. */
function stopSignal(given: AbortSignal, deadline: number) {
  const left = deadline === Number.POSITIVE_INFINITY ? deadline : deadline - performance.now();
  if (left > longestTimer) return { signal: given, forget: () => undefined };
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

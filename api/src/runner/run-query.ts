import { advance } from '../agent/advance.ts';
import { endingNotice, endingOf } from '../agent/ending.ts';
import { closingWords } from '../agent/explanation.ts';
import { turnsStarted } from '../agent/state.ts';
import { decide } from '../agent/steps.ts';
import type { TerminationReason } from '../agent/termination.ts';
import { totalTokens } from '../agent/usage.ts';
import { Librarian } from './librarian/librarian.ts';
import { stop, unwatchTime, watchTime } from './limits.ts';
import { openRun } from './open-run.ts';
import { buildPrompt } from './prompt.ts';
import type { History, RunContext, RunPorts, RunRequest, RunResult, StopCause } from './run-context.ts';
import { standingOf, tell } from './telling.ts';
import { callModel, openTurn } from './turn.ts';
import { closeTurn, tellTurnEnd, useTools } from './use-tools.ts';
import { makeRoom } from './window.ts';

/** A run under way: what it will leave behind, and how to stop it earlier. */
export interface RunUnderWay {
  readonly result: Promise<RunResult>;
  stop(cause: Exclude<StopCause, 'timeout'>): void;
}

const longPauseSeconds = 3_600;

/** How a sub-agent is started, on the same runner. */
export type StartRun = typeof runQuery;

/** Runs one query to its end. Rejects never: whatever happens, there is an ending. */
export function runQuery(request: RunRequest, ports: RunPorts): RunUnderWay {
  const run = openRun(request, ports);
  const librarian = ports.librarian && new Librarian(run, ports.librarian, runQuery);
  watchTime(run);
  const { maxIterations, tokenBudget, timeoutSeconds, maxToolCallsPerTurn, maxParallelTools } = run.state.config;
  const limits = { maxIterations, tokenBudget, timeoutSeconds, maxToolCallsPerTurn, maxParallelTools };
  run.events.emit('query.start', { ...limits, windowSize: request.windowSize });
  for (const notice of ports.missingTools ?? []) run.events.emit('tool.unavailable', notice);
  const result = work(run, librarian)
    .catch((error: unknown) => breakDown(run, error))
    .then((reason) => finish(run, reason))
    .finally(() => unwatchTime(run));
  return { result, stop: (cause) => stop(run, cause) };
}

/** The loop itself. Every decision about going on is the tree's, and every one is recorded. */
async function work(run: RunContext, librarian: Librarian | undefined): Promise<TerminationReason> {
  const [history, earlier] = await Promise.all([run.ports.loadHistory(), run.ports.resumed?.load()]);
  tellResumed(run, history);
  buildPrompt(run, history.exchanges, earlier);
  for (;;) {
    const reason = decideNext(run);
    if (reason) return reason;
    openTurn(run);
    const reply = await callModel(run);
    if (!reply) continue; // broken off: the next decision says why
    if (reply.calls.length > 0) await useTools(run, reply, librarian);
    if (!run.stop.signal.aborted || reply.calls.length === 0) closeTurn(run);
  }
}

/** Worth a word only after a long pause. */
function tellResumed(run: RunContext, { exchanges, idleSeconds }: History): void {
  if (exchanges.length === 0) return;
  const idle = idleSeconds === undefined ? {} : { idleSeconds };
  const severity = idleSeconds !== undefined && idleSeconds >= longPauseSeconds ? 'INFO' : undefined;
  run.events.emit('session.resumed', { exchanges: exchanges.length, ...idle }, severity);
}

function decideNext(run: RunContext): TerminationReason | undefined {
  noteStop(run);
  if (!run.state.turnOpen) {
    makeRoom(run);
    run.state = advance(run.state, { type: 'turn-prepared', now: run.ports.now(), expectedInput: run.promptTokens });
  }
  const decision = decide(run.ports.tree, run.state);
  run.ports.recordDecision(decision);
  if (!decision.verdict.continue) return decision.verdict.reason;
  if (run.state.turnOpen) throw new Error('The tree goes on although the turn was broken off.');
  return undefined;
}

function noteStop(run: RunContext): void {
  const cause = run.stop.signal.reason as StopCause | undefined;
  if (cause === undefined && !run.state.turnOpen) return; // preparing the turn reads the clock
  // A timer may fire a fraction early; its word counts as much as the clock's. What is taken off again may leave a
  // hair less than was added, hence a little more than the deadline.
  const now = cause === 'timeout' ? Math.max(run.ports.now(), run.deadline + 0.01) : run.ports.now();
  run.state = advance(run.state, { type: 'clock-read', now });
  if (cause === 'shutdown') run.state = advance(run.state, { type: 'interrupted' });
}

function finish(run: RunContext, reason: TerminationReason): RunResult {
  const { ports, state } = run;
  const closing = closingWords(state, reason, run.answered);
  const saved = { toolCalls: run.toolCalls.length, sources: run.sources.length };
  const contentCharacters = run.answer.length + (closing?.length ?? 0);
  const ending = endingOf(state, {
    reason,
    unfinishedTools: run.unfinishedTools,
    saved: { ...saved, contentCharacters },
  });
  if (reason === 'INTERRUPTED' && run.stop.signal.reason === ('shutdown' satisfies StopCause)) {
    ports.emit({ type: 'ErrorChunk', code: reason, message: ending.message, retryable: true });
  }
  if (state.turnOpen) tellTurnEnd(run, turnsStarted(state), false);
  // A turn that was broken off never came to these points; nothing that waits for them may be lost.
  for (const point of ['TURN_START', 'AFTER_TOOL', 'TURN_END'] as const) run.events.reach(point);
  const notice = endingNotice(ending);
  if (reason === 'MODEL_ERROR' && run.failure) ports.emit(run.failure);
  if (notice) tell(run, notice);
  if (closing) {
    run.answer += closing;
    ports.emit({ type: 'ContentChunk', text: closing });
  }
  run.state = advance(state, { type: 'run-terminated', reason });
  const { message, turns, usage, durationMs } = ending;
  const tokens = totalTokens(usage);
  run.events.emit('session.end', { reason, message, turns, tokens, durationMs, ...standingOf(run) });
  run.events.end();
  return { ending, answer: run.answer, toolCalls: run.toolCalls, sources: run.sources };
}

/** A mistake of ours must not leave a run without an end. */
function breakDown(run: RunContext, error: unknown): TerminationReason {
  run.ports.emit({
    type: 'ErrorChunk',
    code: 'INTERNAL_SERVER_ERROR',
    message: 'Something went wrong on our side; what was produced so far is saved.',
    retryable: true,
  });
  run.ports.reportFailure(error);
  run.state = advance(run.state, { type: 'interrupted' });
  return 'INTERRUPTED';
}

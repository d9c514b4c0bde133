import { advance } from '../agent/advance.ts';
import type { Json } from '../agent/json.ts';
import { tokensSoFar, turnsStarted } from '../agent/state.ts';
import { takeOutcome } from '../agent/steps.ts';
import type { Librarian } from './librarian/librarian.ts';
import { say } from './prompt.ts';
import type { RunContext } from './run-context.ts';
import { standingOf, tell, tellAttached } from './telling.ts';
import { type ToolAnswer, type ToolProgress, toolChunk } from './tool-execution.ts';
import { executeTools } from './tool-executor.ts';
import { resultText } from './tool-result.ts';
import { requestedCall, type TurnReply } from './turn.ts';

/** Runs the tool calls of a turn and tells the model what came of them. */
export async function useTools(run: RunContext, { calls }: TurnReply, librarian: Librarian | undefined): Promise<void> {
  const { ports, state } = run;
  const turn = turnsStarted(state);
  const { answers, unfinished, overLimit } = await executeTools({
    calls: calls.map(requestedCall),
    tools: ports.tools,
    scope: librarian
      ? { ...ports.toolScope, askLibrarian: (task, signal) => librarian.ask(task, callOf(calls, task), signal) }
      : ports.toolScope,
    digest: librarian && ((finished, signal) => librarian.digest(finished, signal)),
    limits: state.config,
    offered: state.toolsOffered,
    signal: run.stop.signal,
    deadline: Number.POSITIVE_INFINITY, // the signal is aborted then; two timers could disagree by a moment
    report: (progress) => report(run, progress, turn),
  });
  run.unfinishedTools.push(...unfinished);
  for (const { outcome } of answers) {
    const before = run.state;
    run.state = takeOutcome(ports.tree, before, outcome, ports.now());
    tellAttached(run, before);
  }
  say(run, {
    role: 'tool',
    results: answers.map(({ outcome, reply }) => ({
      callId: outcome.callId,
      name: outcome.name,
      ok: outcome.status === 'succeeded',
      text: resultText(reply),
    })),
  });
  if (overLimit > 0) tellToolLimit(run, calls.length, overLimit, state.config.maxToolCallsPerTurn);
  run.events.reach('AFTER_TOOL');
}

/** The call that a task came with; equal calls are run once, for the first of them. */
function callOf(calls: TurnReply['calls'], task: string): string {
  const call = calls.find(({ arguments: given }) => taskOf(given)?.trim() === task);
  return call?.callId ?? '';
}

function taskOf(given: Json | undefined): string | undefined {
  const isObject = typeof given === 'object' && given !== null && 'task' in given;
  return isObject && typeof given.task === 'string' ? given.task : undefined;
}

function report(run: RunContext, progress: ToolProgress, turn: number): void {
  run.ports.emit(toolChunk(progress, turn));
  if (progress.type === 'source-cited') run.sources.push(progress.source);
  if (progress.type === 'call-pending') {
    const { callId, name: tool, arguments: given } = progress.call;
    run.events.emit('tool.call.pending', { callId, tool, arguments: given });
  }
  if (progress.type === 'call-answered') {
    const { outcome, durationMs } = progress.answer;
    run.toolCalls.push({ turn, outcome, durationMs });
    emitAnswer(run, progress.answer);
  }
}

function emitAnswer({ events }: RunContext, { outcome, durationMs, timedOut }: ToolAnswer): void {
  const call = { callId: outcome.callId, tool: outcome.name, arguments: outcome.arguments };
  switch (outcome.status) {
    case 'succeeded':
      events.emit('tool.call.success', { ...call, result: outcome.result, durationMs });
      break;
    case 'failed': {
      const failure = { ...call, error: outcome.error, durationMs };
      events.emit(timedOut ? 'tool.call.timeout' : 'tool.call.failure', failure);
      break;
    }
    case 'not-run':
      events.emit('tool.call.not_run', call);
  }
}

/** With the limit that held for the calls: a rule may have tightened it since. */
function tellToolLimit(run: RunContext, asked: number, overLimit: number, limitValue: number): void {
  tell(run, {
    systemType: 'TOOL_LIMIT',
    severity: 'WARNING',
    message: `${overLimit} of ${asked} tool calls were not run: at most ${limitValue} are run in a turn.`,
    limitType: 'TOOL_CALLS',
    currentValue: asked,
    limitValue,
    advice: 'The model can ask for the others in its next turn.',
  });
}

export function closeTurn(run: RunContext): void {
  const turn = turnsStarted(run.state);
  run.state = advance(run.state, { type: 'turn-ended', now: run.ports.now() });
  tellTurnEnd(run, turn, true);
  run.events.reach('TURN_END');
}

/** Every turn that began is told to have ended, also one that was broken off. */
export function tellTurnEnd(run: RunContext, turn: number, complete: boolean): void {
  let calls = 0;
  let failures = 0;
  for (let last = run.toolCalls.length - 1; run.toolCalls[last]?.turn === turn; last -= 1) {
    calls += 1;
    if (run.toolCalls[last]?.outcome.status === 'failed') failures += 1;
  }
  const tokensUsed = tokensSoFar(run.state);
  run.events.emit('agent.turn.end', { calls, failures, complete, tokensUsed, ...standingOf(run) });
}

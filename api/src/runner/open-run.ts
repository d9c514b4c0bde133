import { systemChunk } from '../agent/chunk.ts';
import { initialState, turnsStarted } from '../agent/state.ts';
import { configWithin } from '../agent/steps.ts';
import { tighten } from './limits.ts';
import type { RunContext, RunPorts, RunRequest } from './run-context.ts';

/** A run before its first step. */
export function openRun(request: RunRequest, ports: RunPorts): RunContext {
  const config = configWithin(request.config, ports.tree.getConfig());
  const now = ports.now();
  const events = ports.openEvents({
    windowSize: request.windowSize,
    now: () => ports.now(),
    turn: () => turnsStarted(run.state),
    state: () => run.state,
    messages: () => run.messages.length,
    promptTokens: () => run.promptTokens,
    toolCalls: () => run.toolCalls,
    tighten: (field, to) => tighten(run, field, to),
    tell: (notice) => ports.emit(systemChunk(notice)),
    estimateTokens: (text) => ports.estimateTokens(text),
    reportFailure: (error) => ports.reportFailure(error),
  });
  const run: RunContext = {
    request,
    ports,
    deadline: now + config.timeoutSeconds * 1_000,
    timers: [],
    stop: new AbortController(),
    events,
    declarations: ports.tools.declarations,
    state: initialState({ ...request, config, now, frozen: ports.frozen }),
    messages: [],
    sizes: [],
    pastExchanges: 0,
    promptTokens: 0,
    toolTokens: 0,
    reportedContext: 0,
    answer: '',
    answered: false,
    toolCalls: [],
    sources: [],
    unfinishedTools: [],
    reservedTokens: 0,
    delegations: 0,
  };
  return run;
}

import { initialState } from '../agent/state.ts';
import { configWithin } from '../agent/steps.ts';
import type { RunContext, RunPorts, RunRequest } from './run-context.ts';

/** A run before its first step. */
export function openRun(request: RunRequest, ports: RunPorts): RunContext {
  const config = configWithin(request.config, ports.tree.getConfig());
  const now = ports.now();
  return {
    request,
    ports,
    deadline: now + config.timeoutSeconds * 1_000,
    stop: new AbortController(),
    declarations: ports.tools.declarations,
    state: initialState({ ...request, config, now, frozen: ports.frozen }),
    messages: [],
    sizes: [],
    pastExchanges: 0,
    promptTokens: 0,
    toolTokens: 0,
    reportedContext: 0,
    answer: '',
    toolCalls: [],
    sources: [],
    unfinishedTools: [],
    reservedTokens: 0,
    delegations: 0,
    lateHints: [],
  };
}

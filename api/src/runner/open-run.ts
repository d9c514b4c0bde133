import type { TightenableLimit } from '../agent/advance.ts';
import { type ByAgent, type Notice, systemChunk } from '../agent/chunk.ts';
import { type AgentState, initialState, turnsStarted } from '../agent/state.ts';
import { configWithin } from '../agent/steps.ts';
import type { AnsweredCall, RunView } from '../events/run-events.ts';
import { tighten } from './limits.ts';
import type { RunContext, RunPorts, RunRequest } from './run-context.ts';

/** A run before its first step. */
export function openRun(request: RunRequest, ports: RunPorts): RunContext {
  const config = configWithin(request.config, ports.tree.getConfig());
  const now = ports.now();
  const view = new ViewOfRun(request, ports);
  const run: RunContext = {
    request,
    ports,
    deadline: now + config.timeoutSeconds * 1_000,
    timers: [],
    stop: new AbortController(),
    events: ports.openEvents(view),
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
  view.show(run);
  return run;
}

/** Asked at every event of every run: a class, because a closure for each question would cost more than the answers. */
class ViewOfRun implements RunView {
  readonly windowSize: number;
  readonly subAgent: RunView['subAgent'];
  readonly #ports: RunPorts;
  #shown: RunContext | undefined;

  constructor({ windowSize, subAgent }: RunRequest, ports: RunPorts) {
    this.windowSize = windowSize;
    this.subAgent = subAgent;
    this.#ports = ports;
  }

  show(run: RunContext): void {
    this.#shown = run;
  }

  now(): number {
    return this.#ports.now();
  }

  turn(): number {
    return turnsStarted(this.#run.state);
  }

  state(): AgentState {
    return this.#run.state;
  }

  messages(): number {
    return this.#run.messages.length;
  }

  promptTokens(): number {
    return this.#run.promptTokens;
  }

  toolCalls(): readonly AnsweredCall[] {
    return this.#run.toolCalls;
  }

  tighten(field: TightenableLimit, to: number): ReturnType<RunView['tighten']> {
    return tighten(this.#run, field, to);
  }

  tell(notice: Notice & ByAgent): void {
    this.#ports.emit(systemChunk(notice));
  }

  estimateTokens(text: string): number {
    return this.#ports.estimateTokens(text);
  }

  reportFailure(error: unknown): void {
    this.#ports.reportFailure(error);
  }

  get #run(): RunContext {
    if (!this.#shown) throw new Error('The run has not begun.');
    return this.#shown;
  }
}
